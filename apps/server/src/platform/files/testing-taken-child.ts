/** Simulates a compromised decoder: tries forbidden actions, or never answers. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RedrawQuestion } from './redraw-child.ts';

const tried = (work: () => unknown): string => {
  try {
    work();
    return 'done';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};

process.on('message', (message) => {
  const { number, work } = message as RedrawQuestion;
  if (work === 'avatar') return;
  const effect = {
    passwords: tried(() => readFileSync('/etc/passwd')),
    secrets: tried(() => readFileSync(path.resolve('data/secrets/identity.json'))),
    code: tried(() => readFileSync(path.resolve('apps/server/src/main.ts'))),
    write: tried(() => writeFileSync(path.join(tmpdir(), 'taken'), '')),
    program: tried(() => spawnSync('id')),
    thread: tried(() => new Worker('0', { eval: true })),
    variables: Object.keys(process.env).filter(
      (name) => name !== 'NODE_CHANNEL_FD' && !name.startsWith('NODE_CHANNEL'),
    ),
  };
  process.send?.({ number, answer: { ok: true, effect } });
});
process.on('disconnect', () => process.exit(0));
