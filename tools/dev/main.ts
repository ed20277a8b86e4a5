/**
 * `npm run dev`: the server, restarted when its files change, and Vite's development server for the app, which proxies
 * calls to it.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', path.join(root, 'apps/server/src/main.ts')],
  { stdio: 'inherit', cwd: root },
);
const web = spawn(process.execPath, [path.join(root, 'node_modules/vite/bin/vite.js')], {
  stdio: 'inherit',
  cwd: path.join(root, 'apps/web'),
});
const children = [server, web];
for (const child of children)
  child.on('exit', (code) => {
    for (const other of children) other.kill('SIGINT');
    process.exitCode = code ?? 0;
  });
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
