/**
 * `npm test [-- --lane quick|pure|server|faults|browser] [FILE …] [-t NAME] [--again] [--nightly] [--bail]`
 *
 * Without a lane it runs types, lint, the project's own rules, the tests of every lane, and the first route's size. It
 * continues after a failure, and ends with a list of failures and how to run each alone. `quick` runs the checks,
 * `pure`, and half a minute of the server's tests, beginning with those nearest to the changes since main. `--again`
 * runs what failed last time, `--nightly` every seed of the faults. `--bail` ends a lane at its first failure.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { readTree } from '../tidy/tree.ts';
import { findChromium, findChromiumShell } from './find-chromium.ts';
import { findNatsServer } from './find-nats-server.ts';
import { openRunFolder } from './leftovers.ts';
import { listRelatedTests, testsWithinSeconds } from './related-tests.ts';
import { type RunStep, stepsFailedWithoutTest, summariseRun } from './summary.ts';
import type { TestOutcome } from './test-outcome.ts';

const LANES = ['pure', 'server', 'faults', 'browser'] as const;
type Lane = (typeof LANES)[number];
type Selection = Readonly<Partial<Record<Lane, readonly string[]>>>;

const root = path.resolve(import.meta.dirname, '../..');
process.chdir(root);
const modules = 'node_modules';
const FOLDER = '.cache/test';
const OUTCOMES = path.resolve(FOLDER, 'outcomes.jsonl');
const FAILED = path.join(FOLDER, 'failed.json');
/** The duration of each test file in the last run. */
const SECONDS = path.join(FOLDER, 'seconds.json');
/** The limit for the server's tests in `quick`, over all workers, and a default for files never run here. */
const QUICK_SECONDS = 60;
const UNKNOWN_SECONDS = 4;
/** The line of a lane's output from which it lists failures, and the number of lines to print. */
const FAILURES = /⎯ (Failed (Suites|Tests)|Unhandled Errors)|^ {2}1\) /;
const PRINTED_MAX = 400;

const options = parseArgs({
  allowPositionals: true,
  options: {
    lane: { type: 'string' },
    name: { type: 'string', short: 't' },
    again: { type: 'boolean', default: false },
    nightly: { type: 'boolean', default: false },
    bail: { type: 'boolean', default: false },
  },
});
const { lane, name, again, nightly, bail } = options.values;

function fail(line: string): never {
  console.error(line);
  process.exit(1);
}

mkdirSync(FOLDER, { recursive: true });
rmSync(OUTCOMES, { force: true });
const folder = openRunFolder();
const steps: RunStep[] = [];
const children = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });

/** Runs a command. Its output goes into a file, and the part about failures also onto the screen. */
async function step(says: string, script: string, parameters: readonly string[], env: Record<string, string> = {}) {
  const begin = performance.now();
  console.log(`— ${says}`);
  const log = path.join(FOLDER, `${says.replaceAll(/\W+/g, '-')}.log`);
  const output = createWriteStream(log);
  const child = spawn(process.execPath, [script, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      TMPDIR: folder.path,
      TEST_OUTCOMES: OUTCOMES,
      // Servers that tests start share one cache of compiled code.
      NODE_COMPILE_CACHE: path.join(folder.path, 'node-compile-cache'),
      ...(nightly && { NIGHTLY: '1' }),
      ...env,
    },
  });
  children.add(child);
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      output.write(`${line}\n`);
      if (line.startsWith('✘ ')) console.log(line);
    });
  const status = await new Promise((resolve) => child.on('close', resolve));
  children.delete(child);
  await new Promise<void>((resolve) => output.end(resolve));
  const seconds = (performance.now() - begin) / 1000;
  steps.push({ name: says, seconds, isPassed: status === 0 });
  if (status !== 0) {
    const lines = readFileSync(log, 'utf8').split('\n');
    const from = Math.max(
      0,
      lines.findIndex((line) => FAILURES.test(line)),
    );
    console.log(lines.slice(from, from + PRINTED_MAX).join('\n'));
  }
  console.log(`  ${says}: ${seconds.toFixed(1)} s${status === 0 ? '' : ', failed'}`);
}

async function testProject(lane: Exclude<Lane, 'browser'>, filters: readonly string[] = []): Promise<void> {
  // The tests of the bus start their own servers.
  const natsServer = lane === 'pure' ? '' : findNatsServer();
  if (natsServer === null)
    fail('No nats-server was found and none could be fetched: put one on the path, 2.9 or newer.');
  const reporters = ['--reporter=default', '--reporter=./tools/test/vitest-reporter.ts'];
  const chosen = [...filters, ...(name === undefined ? [] : ['-t', name]), ...(bail ? ['--bail=1'] : [])];
  await step(lane, `${modules}/vitest/vitest.mjs`, ['run', '--project', lane, ...reporters, ...chosen], {
    NATS_SERVER: natsServer,
  });
}

async function testBrowser(filters: readonly string[] = []): Promise<void> {
  const chromium = await findChromium();
  if (!chromium) fail('No Chromium was found and none could be installed: the browser tests did not run.');
  const reporters = '--reporter=list,./tools/test/playwright-reporter.ts';
  const chosen = [...filters, ...(name === undefined ? [] : ['-g', name])];
  await step('browser', `${modules}/@playwright/test/cli.js`, ['test', reporters, ...chosen], {
    CHROMIUM: chromium,
    CHROMIUM_SHELL: findChromiumShell() ?? chromium,
  });
}

const testLane = (lane: Lane, filters?: readonly string[]): Promise<void> =>
  lane === 'browser' ? testBrowser(filters) : testProject(lane, filters);

async function check(): Promise<void> {
  await step('types', `${modules}/typescript/bin/tsc`, ['-b']);
  await step('format and lint', `${modules}/@biomejs/biome/bin/biome`, ['check', '--error-on-warnings', '.']);
  await step('lint with types', `${modules}/oxlint/bin/oxlint`, ['--type-aware', '--quiet']);
  await step('the house’s rules', 'tools/tidy/main.ts', []);
  await step('generated pages', 'tools/docs/main.ts', []);
}

/** Returns the files that differ from main's newest commit below this work, including unadded files. */
function changedSinceMain(): string[] {
  const git = (...parameters: string[]): string[] =>
    execFileSync('git', parameters, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const [base = 'HEAD'] = git('merge-base', 'HEAD', 'main');
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

async function testAll(): Promise<void> {
  await check();
  await testProject('pure');
  await testProject('server');
  await step('size of the first route', 'tools/budget/main.ts', []);
  await testBrowser();
  await testProject('faults');
}

async function testQuickly(): Promise<void> {
  const related = listRelatedTests(readTree(root), changedSinceMain());
  const seconds = secondsLastTime();
  const chosen = testsWithinSeconds(related, (file) => seconds[file] ?? UNKNOWN_SECONDS, QUICK_SECONDS);
  await Promise.all([check(), testProject('pure')]);
  if (chosen.length > 0) await testProject('server', chosen);
  const left = related.length - chosen.length;
  if (left > 0) console.log(`${left} files of tests are farther from what changed; \`--lane server\` runs them.`);
}

function secondsLastTime(): Record<string, number> {
  return existsSync(SECONDS) ? (JSON.parse(readFileSync(SECONDS, 'utf8')) as Record<string, number>) : {};
}

/** Returns the failures of the last run by lane. For vitest, whole files run again. */
function failedLastTime(): Selection {
  if (!existsSync(FAILED)) fail('Nothing failed last time.');
  return JSON.parse(readFileSync(FAILED, 'utf8')) as Selection;
}

const only = LANES.find((candidate) => candidate === lane);
if (again)
  for (const [lane, files] of Object.entries(failedLastTime()))
    if (lane === 'checks') await check();
    else await testLane(lane as Lane, files);
else if (lane === 'quick') await testQuickly();
else if (only !== undefined) await testLane(only, options.positionals);
else if (lane !== undefined) fail(`--lane is one of quick, ${LANES.join(', ')}`);
else await testAll();

const outcomes = existsSync(OUTCOMES)
  ? readFileSync(OUTCOMES, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as TestOutcome)
  : [];
// A run of selected tests says nothing about the duration of their files.
if (name === undefined) {
  const seconds: Record<string, number> = {};
  for (const { file, ms } of outcomes) seconds[file] = (seconds[file] ?? 0) + ms / 1_000;
  writeFileSync(SECONDS, JSON.stringify({ ...secondsLastTime(), ...seconds }));
}
const failed = Object.fromEntries(
  LANES.map((lane) => [
    lane,
    [...new Set(outcomes.filter((outcome) => outcome.lane === lane && outcome.state === 'failed').map((o) => o.file))],
  ]).filter(([, files]) => files?.length),
) as Record<string, readonly string[]>;
for (const { name } of stepsFailedWithoutTest(steps, outcomes))
  failed[LANES.find((lane) => lane === name) ?? 'checks'] = [];
writeFileSync(FAILED, JSON.stringify(failed));
const leftovers = await folder.clear();
for (const line of summariseRun(steps, outcomes, leftovers)) console.log(line);
process.exit(Object.keys(failed).length > 0 ? 1 : 0);
