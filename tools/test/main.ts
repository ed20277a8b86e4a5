/**
 * `npm test [-- --lane pure|server|faults|browser]`
 *
 * Without a lane: types, lint, the house's rules, the tests of every lane, and the first route's size. With a lane:
 * only its tests. Goes through all steps though one fails.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium, findChromiumShell } from './find-chromium.ts';
import { findNatsServer } from './find-nats-server.ts';

const LANES = ['pure', 'server', 'faults', 'browser'] as const;
type Lane = (typeof LANES)[number];

const root = path.resolve(import.meta.dirname, '../..');
process.chdir(root);
const modules = 'node_modules';

function fail(line: string): never {
  console.error(line);
  process.exit(1);
}

const failed: string[] = [];

function step(says: string, script: string, parameters: readonly string[], env: Record<string, string> = {}): void {
  const begin = performance.now();
  console.log(`\n— ${says}`);
  const { status } = spawnSync(process.execPath, [script, ...parameters], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) failed.push(says);
  console.log(`  ${says}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}

function testProject(lane: Exclude<Lane, 'browser'>): void {
  // The bus's tests start their own.
  const natsServer = lane === 'pure' ? '' : findNatsServer();
  if (natsServer === null)
    fail('No nats-server was found and none could be fetched: put one on the path, 2.9 or newer.');
  step(`${lane} tests`, `${modules}/vitest/vitest.mjs`, ['run', '--project', lane], { NATS_SERVER: natsServer });
}

async function testBrowser(): Promise<void> {
  const chromium = await findChromium();
  if (!chromium) fail('No Chromium was found and none could be installed: the browser tests did not run.');
  step('browser tests', `${modules}/@playwright/test/cli.js`, ['test'], {
    CHROMIUM: chromium,
    CHROMIUM_SHELL: findChromiumShell() ?? chromium,
  });
}

const { lane } = parseArgs({ options: { lane: { type: 'string' } } }).values;
const only = LANES.find((name) => name === lane);
if (lane !== undefined && only === undefined) fail(`--lane is one of ${LANES.join(', ')}`);
if (only === 'browser') await testBrowser();
else if (only !== undefined) testProject(only);
else {
  step('types', `${modules}/typescript/bin/tsc`, ['-b']);
  step('format and lint', `${modules}/@biomejs/biome/bin/biome`, ['check', '--error-on-warnings', '.']);
  step('lint with types', `${modules}/oxlint/bin/oxlint`, ['--type-aware', '--quiet']);
  step('the house’s rules', 'tools/tidy/main.ts', []);
  step('generated pages', 'tools/docs/main.ts', ['--check']);
  for (const lane of ['pure', 'server', 'faults'] as const) testProject(lane);
  step('size of the first route', 'tools/budget/main.ts', []);
  await testBrowser();
}
if (failed.length > 0) fail(`\nFailed: ${failed.join(', ')}`);
console.log('\nEvery step passed.');
