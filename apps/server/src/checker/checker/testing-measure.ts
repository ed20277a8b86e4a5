/**
 * Measures a checker round on a ledger with the given number of transfers: `node
 * apps/server/src/checker/checker/testing-measure.ts 1000000`.
 */
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { openOptionsTest, usdt } from '../../exchange/options/testing.ts';
import { openOwnCluster } from '../../platform/database/testing.ts';
import { CheckerMemory } from './checker-memory.ts';
import { inspectHistory, inspectNewestRows, readRowsPerSlowPass } from './inspect-history.ts';
import { FREQUENT_INVARIANTS, MINUTELY_INVARIANTS } from './invariants.ts';
import { Findings, runInvariants, withSnapshot } from './run-invariants.ts';
import { NO_PROGRESS, type ScanProgress } from './scan-progress.ts';

const wanted = Number(process.argv[2] ?? 100_000);
const CUSTOMERS = 5_000;
const WAVE = 10_000;

const cluster = await openOwnCluster();
const room = await openOptionsTest(cluster);
const client = new pg.Client(cluster.checker);
await client.connect();
const transfers = async (): Promise<number> =>
  Number((await room.asOwner<{ n: string }>('SELECT last_sequence AS n FROM ledger.head'))[0]?.n);

const options = await room.open();
let price = 64_000_000_000n;
const publish = (seconds: number): Promise<void> =>
  room.publish('BTC', (Math.ceil(room.clock.ms / 1_000) + seconds) * 1_000, () => (price += 10_000n));
await publish(2);
await Promise.all(Array.from({ length: CUSTOMERS }, (_, n) => room.fund(BigInt(n + 1), '10000')));
while ((await transfers()) < wanted) {
  room.clock.ms += 123;
  await Promise.all(
    Array.from({ length: WAVE }, (_, n) =>
      options.buy(
        {
          customer: BigInt(1 + (n % CUSTOMERS)),
          coin: 'BTC',
          direction: n % 2 === 0 ? 'up' : 'down',
          stake: usdt('1'),
          seconds: 30,
        },
        room.intent(),
      ),
    ),
  );
  await publish(32);
  await options.settleDue();
  console.error(`${await transfers()} transfers`);
}
await room.asOwner('ANALYZE');

const findings = new Findings();
const time = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  const began = performance.now();
  const result = await work();
  console.log(`${name}: ${Math.round(performance.now() - began)} ms`);
  return result;
};
await time('at every round, what is now', () =>
  withSnapshot(client, () => runInvariants(client, FREQUENT_INVARIANTS, findings)),
);
await time('each minute, what does not grow', () =>
  withSnapshot(client, () => runInvariants(client, MINUTELY_INVARIANTS, findings)),
);
const isAsked = ({ isOfPlatform }: { isOfPlatform?: boolean }): boolean => isOfPlatform !== true;
const inspecting = { findings, isAsked, rows: Number.POSITIVE_INFINITY };
let progress: ScanProgress = await time('at the start, the newest 100,000 transfers', () =>
  inspectNewestRows(client, NO_PROGRESS, inspecting),
);
progress = await time('at every round, nothing new', () => inspectNewestRows(client, progress, inspecting));
const rows = await readRowsPerSlowPass(client);
progress = await time(`each minute, ${rows} rows of history`, () =>
  inspectHistory(client, progress, { ...inspecting, rows }),
);
let rounds = 1;
const began = performance.now();
for (; progress.passed === null; rounds++) {
  const { scan } = progress.pass;
  const roundBegan = performance.now();
  progress = await inspectHistory(client, progress, { ...inspecting, rows });
  console.log(`  round ${rounds}, from scan ${scan}: ${Math.round(performance.now() - roundBegan)} ms`);
}
console.log(`all of history: ${rounds} rounds, ${Math.round(performance.now() - began)} ms`);
const memory = new CheckerMemory(null);
await time('remembered at the first start', () => memory.look(client, findings, { budgetMs: 0 }));
await time(`compared with what is remembered, ${memory.rows} rows`, () =>
  memory.look(client, findings, { budgetMs: Number.POSITIVE_INFINITY }),
);
console.log(`the memory's file: ${JSON.stringify(memory.tables()).length} bytes`);
console.log(findings.violations());
await client.end();
await room.close();
