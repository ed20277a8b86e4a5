import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { findViolations, type Violation } from '../checker/checker/index.ts';
import { freePort } from '../platform/bus/testing.ts';
import { ownerConnection } from '../platform/database/index.ts';
import type { OwnCluster } from '../platform/database/testing.ts';
import { readSecret } from '../platform/secrets.ts';

/** Restarts a server that has exited, as a deployment does. */
const RESTART_MS = 250;
const SAID_MAX = 10_000_000;

export interface ServerProcess {
  readonly url: string;
  /** Restarts the server whenever it ends by itself, until it is killed. */
  start(): void;
  /** Kills it with SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** Stops it like Ctrl-C; returns its exit code. */
  stop(): Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Freezes it with its connections and locks until it is thawed. */
  freeze(): void;
  thaw(): void;
  pid(): number | undefined;
  /** Resolves when its health call reports that it is ready. */
  untilReady(): Promise<void>;
  /** The end of its output. */
  output(): string;
}

/** A data folder that the embedded database's own user may enter. */
export function newDataDir(name: string): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), `sathorn-${name}-`));
  chmodSync(dataDir, 0o755);
  return dataDir;
}

/** Ends the local chain that a killed server left running for the next one in its folder. */
export function killChain(dataDir: string): void {
  const { pid } = JSON.parse(readFileSync(path.join(dataDir, 'chain', 'running.json'), 'utf8')) as { pid: number };
  process.kill(pid, 'SIGKILL');
}

/** A server as in a deployment: a child process on its own port. `code` runs in that process before the server. */
export async function startServerProcess(env: Readonly<Record<string, string>>, code = ''): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const before = code === '' ? [] : ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
  let child: ChildProcess | null = null;
  let isWanted = false;
  let said = '';

  const launch = (): void => {
    const launched = spawn(process.execPath, [...before, path.resolve(import.meta.dirname, '../main.ts')], {
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: String(port),
        RATE_LIMIT: '100000000',
        // Vite sets a BASE_URL for the tests, so it is overwritten.
        BASE_URL: url,
        SIM_SEED: 'storm',
        LOG_LEVEL: 'error',
        DEMO_PEOPLE: '0',
        PUBLIC_LOG: '0',
        NODE_NO_WARNINGS: '1',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = launched;
    for (const stream of [launched.stdout, launched.stderr])
      stream.on('data', (chunk: Buffer) => (said = (said + chunk).slice(-SAID_MAX)));
    launched.once('exit', () => {
      if (isWanted && child === launched) setTimeout(() => isWanted && child === launched && launch(), RESTART_MS);
    });
  };

  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    isWanted = false;
    if (child === null) return null;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    return child.exitCode;
  };

  return {
    url,
    start() {
      isWanted = true;
      launch();
    },
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGINT'),
    signal: (name) => void child?.kill(name),
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    pid: () => child?.pid,
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
    output: () => said,
  };
}

/** The shortest duration, for tests that wait for a result on a real clock. */
export const SHORT_OPTION_SECONDS = '10';

/** Offers ten-second options on BTC on the server that runs on a data folder. Real offers are never that short. */
export async function offerShortOptions(dataDir: string): Promise<void> {
  const client = new pg.Client(ownerConnection({ databaseUrl: null, dataDir }));
  await client.connect();
  try {
    await client.query(
      `INSERT INTO options.terms (coin, seconds, effective_from, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max)
       SELECT coin, ${SHORT_OPTION_SECONDS}, clock_timestamp(), payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max
       FROM options.terms WHERE coin = 'BTC' AND seconds = 30`,
    );
  } finally {
    await client.end();
  }
}

/** Counts connections that lead roles or wait for them. */
export async function countLeadershipSeekers({ owner }: OwnCluster): Promise<number> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT role, pg_try_advisory_lock%'`,
    );
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** Runs the checker on the embedded database of a data folder whose server is running. */
export function violationsOf(dataDir: string): Promise<Violation[]> {
  const password = readSecret(dataDir, 'databaseChecker').toString('hex');
  const sockets = readdirSync(tmpdir()).filter((name) => /^sathorn-[0-9a-f]{12}$/.test(name));
  return Promise.any(
    sockets.map((name) =>
      findViolations(
        {
          host: path.join(tmpdir(), name),
          port: 5432,
          database: 'postgres',
          user: 'sathorn_checker',
          password,
        },
        'platform',
      ),
    ),
  );
}
