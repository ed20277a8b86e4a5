import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../bus/testing.ts';

/** What starts a server again when it has given up, as a deployment has it. */
const RESTART_MS = 250;
const SAID_MAX = 20_000;

export interface ServerProcess {
  readonly url: string;
  /** Started again whenever it ends by itself, until it is killed. */
  start(): void;
  /** With SIGKILL; it is gone when this resolves. */
  kill(): Promise<void>;
  /** Until it answers that all is there that it needs. */
  untilReady(): Promise<void>;
  /** The end of what it wrote to its standard error. */
  said(): string;
}

/** A server as it is deployed, as a child of the test, on a port of its own. */
export async function serverProcess(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  let isWanted = false;
  let said = '';

  const launch = (): void => {
    const launched = spawn(process.execPath, [path.resolve(import.meta.dirname, '../main.ts')], {
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: String(port),
        RATE_LIMIT: '100000000',
        // Vite has one of its own, for the tests.
        BASE_URL: url,
        SIM_SEED: 'storm',
        LOG_LEVEL: 'error',
        NODE_NO_WARNINGS: '1',
        ...env,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = launched;
    launched.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk).slice(-SAID_MAX)));
    launched.once('exit', () => {
      if (isWanted && child === launched) setTimeout(() => isWanted && child === launched && launch(), RESTART_MS);
    });
  };

  return {
    url,
    start() {
      isWanted = true;
      launch();
    },
    async kill() {
      isWanted = false;
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    async untilReady() {
      for (;;) {
        const status = await fetch(`${url}/api/health`).then(
          (response) => response.status,
          () => 0,
        );
        if (status === 200) return;
        await pause(50);
      }
    },
    said: () => said,
  };
}
