#!/usr/bin/env node
// `npx sathorn-monitor`. This file is plain JavaScript, so that it starts under any version of Node; the set-up
// installs the right one.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const setup = fileURLToPath(new URL('../setup.mjs', import.meta.url));
const child = spawn(process.execPath, [setup, 'monitor', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, INIT_CWD: process.env.INIT_CWD ?? process.cwd() },
});
// Ctrl-C also reaches the child, which is in the same terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
