#!/usr/bin/env node
// `npx sathorn-verify receipt.json`. This file is plain JavaScript, so that it starts under any version of Node; the
// set-up installs the right one.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const setup = fileURLToPath(new URL('../setup.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [setup, 'verify', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, INIT_CWD: process.env.INIT_CWD ?? process.cwd() },
});
process.exit(status ?? 2);
