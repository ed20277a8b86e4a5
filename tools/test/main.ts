/** `npm test`: types, lint, the house's rules, unit and database tests, the build's budget, the browser. Stops at the first step that fails. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { findChromium } from './find-chromium.ts';
import { findNatsServer } from './find-nats-server.ts';

const root = path.resolve(import.meta.dirname, '../..');
process.chdir(root);

function step(says: string, script: string, parameters: readonly string[], env: Record<string, string> = {}): void {
  const begin = performance.now();
  console.log(`\n— ${says}`);
  const { status } = spawnSync(process.execPath, [script, ...parameters], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) {
    console.error(`\n${says}: failed`);
    process.exit(1);
  }
  console.log(`  ${says}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}

const modules = 'node_modules';
step('types', `${modules}/typescript/bin/tsc`, ['-b']);
step('format and lint', `${modules}/@biomejs/biome/bin/biome`, ['check', '--error-on-warnings', '.']);
step('lint with types', `${modules}/oxlint/bin/oxlint`, ['--type-aware', '--quiet']);
step('the house’s rules', 'tools/tidy/main.ts', []);
step('generated pages', 'tools/docs/main.ts', ['--check']);
const natsServer = findNatsServer();
if (!natsServer) {
  console.error('No nats-server was found and none could be fetched: put one on the path, 2.9 or newer.');
  process.exit(1);
}
step('unit and database tests', `${modules}/vitest/vitest.mjs`, ['run'], { NATS_SERVER: natsServer });
step('size of the first route', 'tools/budget/main.ts', []);

const chromium = await findChromium();
if (!chromium) {
  console.error('No Chromium was found and none could be installed: the browser tests did not run.');
  process.exit(1);
}
step('browser tests', `${modules}/@playwright/test/cli.js`, ['test'], { CHROMIUM: chromium });
console.log('\nEvery step passed.');
