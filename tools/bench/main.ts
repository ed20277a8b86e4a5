/**
 * `npm run bench [name …] [--against FILE | --update FILE]`: measures figures as ratios to something real in the same
 * run. `--against` exits with 1 if a ratio is more than a tenth below the file's; `--update` writes the ratios to the
 * file.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findNatsServer } from '../test/find-nats-server.ts';
import { benchAccrual } from './accrual.ts';
import { goalSharesOf, listFallenShares, readGoalShares, writeGoalShares } from './against.ts';
import { benchBook } from './book.ts';
import { benchBus } from './bus.ts';
import { benchChain } from './chain.ts';
import { benchFanOut } from './fan-out.ts';
import type { BenchFigure } from './figure.ts';
import { benchHttpContracts } from './http-contracts.ts';
import { benchHttpOptions } from './http-options.ts';
import { benchIdle } from './idle.ts';
import { benchLedger } from './ledger.ts';
import { benchSettlement } from './settlement.ts';
import { benchTicks } from './ticks.ts';

const BENCHES: Record<string, () => Promise<BenchFigure[]>> = {
  book: benchBook,
  bus: benchBus,
  chain: benchChain,
  ledger: benchLedger,
  settlement: benchSettlement,
  accrual: benchAccrual,
  'http-options': benchHttpOptions,
  'http-contracts': benchHttpContracts,
  'fan-out': benchFanOut,
  idle: benchIdle,
  ticks: benchTicks,
};

const NEEDS_NATS: ReadonlySet<string> = new Set(['bus']);

/** Searches where the tests search, because the code that starts the server does the same. */
function hasNatsServer(): boolean {
  process.env.NATS_SERVER ??= findNatsServer() ?? '';
  return process.env.NATS_SERVER !== '';
}

if (process.env.MALLOC_ARENA_MAX === undefined)
  console.log(
    'Run this as `npm run bench`: without the settings of tools/setup.mjs the server is larger and starts later.',
  );
const { values: files, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' }, update: { type: 'string' } },
});
// Reads the file first, so that a missing file is reported before the long benches run.
const before = readGoalShares(files.against ?? files.update ?? path.join(import.meta.dirname, 'ratios.json'));
const measured: BenchFigure[] = [];
const unknown = wanted.find((name) => !Object.hasOwn(BENCHES, name));
if (unknown) throw new Error(`there is no bench ${unknown}; there are ${Object.keys(BENCHES).join(', ')}`);
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  if (NEEDS_NATS.has(name) && !hasNatsServer()) {
    console.log('  left out: no nats-server was found and none could be fetched; put one on the path, 2.9 or newer');
    continue;
  }
  const figures = await bench();
  measured.push(...figures);
  for (const figure of figures)
    console.log(`  ${figure.name}\n    ${figure.value}   goal ${figure.goal}   ${figure.ratio}`);
}

const now = goalSharesOf(measured);
if (files.update) writeGoalShares(files.update, before, now);
if (files.against) {
  const fallen = listFallenShares(before, now);
  console.log(`\n${fallen.length === 0 ? `no ratio is more than a tenth below ${files.against}` : fallen.join('\n')}`);
  // One slow run may be chance. A profile of the serving processes shows where the time goes.
  if (fallen.length > 0) {
    console.log(
      'Run it again. If it stays: NODE_OPTIONS="--cpu-prof --cpu-prof-dir=/tmp/profiles" npm run bench -- NAME',
    );
    process.exitCode = 1;
  }
}
