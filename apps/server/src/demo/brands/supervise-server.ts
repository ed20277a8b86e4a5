import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = path.resolve(import.meta.dirname, '../../main.ts');
const RESTART_MS = 1_000;
const RESTART_MAX_MS = 60_000;

export interface SupervisedServer {
  stop(signal: NodeJS.Signals): Promise<void>;
}

/**
 * Runs a whole server as a child process, and starts it again whenever it ends, later and later while it ends at once.
 * The child also stops when this process has ended.
 */
export function superviseServer(name: string, env: NodeJS.ProcessEnv, print: (line: string) => void): SupervisedServer {
  let child: ChildProcess | null = null;
  let isStopping = false;
  let waitMs = RESTART_MS / 2;

  const start = (): void => {
    const startedMs = performance.now();
    const started = spawn(process.execPath, [...process.execArgv, MAIN], {
      env,
      // The child notices by the channel's end that this process has ended.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child = started;
    for (const stream of [started.stdout, started.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => print(`[${name}] ${line}`));
    started.on('exit', (code) => {
      child = null;
      if (isStopping) return;
      waitMs = performance.now() - startedMs > RESTART_MAX_MS ? RESTART_MS : Math.min(2 * waitMs, RESTART_MAX_MS);
      print(`[${name}] ended with ${code}; it is started again`);
      setTimeout(() => !isStopping && start(), waitMs).unref();
    });
  };
  start();
  return {
    async stop(signal) {
      isStopping = true;
      if (child === null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}
