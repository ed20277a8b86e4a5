import { fork } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { yieldToIndex } from './yield-to-index.ts';

it('lowers a child’s priority below this process, and ignores a child that has ended', async () => {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--eval', 'setInterval(() => {}, 1000)'] });
  try {
    yieldToIndex(child.pid);
    expect(os.getPriority(child.pid)).toBe(Math.min(os.getPriority() + 5, 19));
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  yieldToIndex(child.pid);
  yieldToIndex(undefined);
});
