/**
 * `npm run plant-faults [-- [WORDS] [--list]]`
 *
 * Plants the faults of `planted.ts` one at a time in a copy of this tree, and runs the tests nearest to each. A fault
 * that no test catches survives: write the test that fails. WORDS choose by module, file or sentence.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { TestOutcome } from '../test/test-outcome.ts';
import { chooseFaults, type FaultLane, faultTable, laneOf, type PlantedFault, plantFault } from './plant.ts';
import { PLANTED_FAULTS } from './planted-faults.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false } },
});
const faults = chooseFaults(PLANTED_FAULTS, positionals.join(' '));
const sourceOf = ({ where }: PlantedFault): string => readFileSync(path.join(root, where), 'utf8');
const changed = new Map(faults.map((fault) => [fault, plantFault(fault, sourceOf(fault))]));

if (values.list || faults.length === 0) {
  for (const { module, where, says } of faults) console.log(`${module.padEnd(14)} ${says} (${where})`);
  console.log(`${faults.length} of ${PLANTED_FAULTS.length} faults`);
  process.exit(0);
}

/** Copies packages as real files: the child that draws pictures may read nothing outside its own tree. */
function linkModules(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [own, copy] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) linkModules(own, copy);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(own), copy);
    else linkSync(own, copy);
  }
}

/** Copies the files that git tracks or would add. The copy shares only installed packages with the tree. */
function copyTree(folder: string): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  for (const file of files.split('\0').filter((name) => name !== '' && existsSync(path.join(root, name)))) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    copyFileSync(path.join(root, file), path.join(folder, file));
  }
  for (const place of [
    '.',
    'tools',
    ...['apps', 'packages'].flatMap((top) => readdirSync(path.join(root, top)).map((name) => path.join(top, name))),
  ]) {
    const from = path.join(root, place, 'node_modules');
    if (existsSync(from)) linkModules(from, path.join(folder, place, 'node_modules'));
  }
  const bus = path.join(root, '.cache', 'nats-server');
  if (!existsSync(bus)) return;
  mkdirSync(path.join(folder, '.cache'));
  symlinkSync(bus, path.join(folder, '.cache', 'nats-server'));
}

mkdirSync(path.join(root, '.cache'), { recursive: true });
// The folder is on the same disk, because hard links need that.
const folder = mkdtempSync(path.join(root, '.cache', 'faults-'));
let running: ChildProcess | null = null;
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    running?.kill(signal);
    process.exit(1);
  });
copyTree(folder);

/** Runs test files of one lane in the copy. Returns the runner's output and whether it passed. */
async function runTests(lane: FaultLane, files: readonly string[]): Promise<{ isPassed: boolean; printed: string }> {
  const child = spawn(process.execPath, ['tools/test/main.ts', '--lane', lane, '--bail', ...files], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = child;
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  return { isPassed: status === 0, printed };
}

/** The first test that fails in the copy; null if all pass. */
async function firstFailure(tests: readonly string[]): Promise<string | null> {
  for (const lane of [...new Set(tests.map(laneOf))].sort()) {
    const { isPassed, printed } = await runTests(
      lane,
      tests.filter((file) => laneOf(file) === lane),
    );
    const file = path.join(folder, '.cache/test/outcomes.jsonl');
    const outcomes = (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []).map(
      (line) => JSON.parse(line) as TestOutcome,
    );
    const failed = outcomes.find(({ state }) => state === 'failed');
    if (failed) return `${failed.file} › ${failed.title}: ${failed.message}`;
    // Without this check, tests that never ran would count as passed, or as a caught fault.
    if (!isPassed || outcomes.length === 0) throw new Error(`the tests could not be run:\n${printed.slice(-2_000)}`);
  }
  return null;
}

const wrong = await firstFailure([...new Set(faults.flatMap(({ tests }) => tests))]);
if (wrong !== null) {
  console.error(`Without any fault this already fails: ${wrong}`);
  process.exit(1);
}
const results: { readonly module: string; readonly isCaught: boolean }[] = [];
for (const [fault, text] of changed) {
  const file = path.join(folder, fault.where);
  writeFileSync(file, text);
  const failure = await firstFailure(fault.tests);
  writeFileSync(file, sourceOf(fault));
  results.push({ module: fault.module, isCaught: failure !== null });
  console.log(
    `${failure === null ? 'SURVIVED' : 'caught  '} ${fault.module}: ${fault.says}${failure === null ? '' : ` — ${failure}`}`,
  );
}
for (const line of faultTable(results)) console.log(line);
process.exit(results.every(({ isCaught }) => isCaught) ? 0 : 1);
