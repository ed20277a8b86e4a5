import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isConnectionFault, openDatabase } from './open-database.ts';
import { connectionUrlOf } from './postgres-connection.ts';
import { statement } from './sql.ts';
import { openOwnCluster, openTestDatabase, type TestDatabase } from './testing.ts';

const ONE = statement('test.one', 'SELECT 1 AS one');

describe('a pool without a free connection', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase({ asDeployed: true, connections: 1 });
  });
  afterAll(() => test.close());

  it('throws a connection fault, so that the caller retries', async () => {
    const holding = test.database.query(statement('test.slow', 'SELECT pg_sleep(6)'));
    const fault = await test.database.query(ONE).catch((error: unknown) => error);
    await holding;
    expect(fault).toBeInstanceOf(Error);
    expect(isConnectionFault(fault)).toBe(true);
    expect(await test.database.query(ONE)).toEqual([{ one: 1 }]);
  });
});

describe('a session', () => {
  it('is ended by the server too, half a minute after the client machine is gone', async () => {
    const test = await openTestDatabase({ asDeployed: true, connections: 1 });
    // The values that a network connection would use; on a socket the settings themselves show 0.
    const text = `SELECT name, reset_val FROM pg_settings WHERE name ~ '^tcp_' ORDER BY name`;
    const kept = await test.database.query<{ name: string; reset_val: string }>(statement('test.alive', text));
    await test.close();
    expect(kept.map(({ reset_val }) => reset_val)).toEqual(['3', '10', '5', '25000']);
  });
});

describe('a frozen process', () => {
  /** Longer than PostgreSQL waits for a frozen leader, and shorter than the time-out for a lock. */
  const TAKEOVER_MAX_MS = 5_000;
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase({ asDeployed: true });
  });
  afterAll(() => test.close());

  const seeker = () => {
    const worker = fileURLToPath(new URL('./testing-role-worker.ts', import.meta.url));
    const child = spawn(process.execPath, [worker, connectionUrlOf(test.app), 'frozen'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    return { child, says: async () => String((await lines.next()).value) };
  };

  it('loses its role in seconds, notices when it wakes, and can lead again; an idle one keeps it', async () => {
    const one = seeker();
    expect(await one.says()).toBe('held');
    const other = seeker();
    try {
      const otherSays = other.says();
      expect(await Promise.race([otherSays, pause(TAKEOVER_MAX_MS, 'nothing')])).toBe('nothing');

      const frozenMs = performance.now();
      one.child.kill('SIGSTOP');
      expect(await otherSays).toBe('held');
      const takenMs = performance.now() - frozenMs;
      one.child.kill('SIGCONT');
      expect(await one.says()).toBe('lost');
      const oneSays = one.says();
      other.child.kill('SIGKILL');
      expect(await oneSays).toBe('held');
      console.log(`a frozen role was taken over after ${takenMs.toFixed(0)} ms`);
      expect(takenMs).toBeLessThan(TAKEOVER_MAX_MS);
    } finally {
      one.child.kill('SIGKILL');
      other.child.kill('SIGKILL');
    }
  });

  it('releases its transaction’s locks before the sessions that wait for them time out', async () => {
    const lock = statement('test.lock', 'SELECT pg_advisory_xact_lock(1)');
    const woken = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const silent = test.database
      .transaction(async (transaction) => {
        await transaction.query(lock);
        locked.resolve();
        await woken.promise;
        await transaction.query(lock);
      })
      .catch((error: unknown) => error);
    await locked.promise;
    await test.database.transaction((transaction) => transaction.query(lock));
    woken.resolve();
    expect(isConnectionFault(await silent)).toBe(true);
  });

  it('gets an error over the network for its next statement, and may retry', async () => {
    const cluster = await openOwnCluster({ listen_addresses: '127.0.0.1' });
    const database = openDatabase({ ...cluster.app, host: '127.0.0.1' });
    try {
      const silent = database.transaction(async (transaction) => {
        await transaction.query(ONE);
        // The whole event loop is blocked, so nothing is received before the next statement is sent.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TAKEOVER_MAX_MS);
        await transaction.query(ONE);
      });
      const fault = await silent.catch((error: unknown) => error);
      expect(fault).toMatchObject({ code: '25P03' });
      expect(isConnectionFault(fault)).toBe(true);
      expect(await database.query(ONE)).toEqual([{ one: 1 }]);
    } finally {
      await database.close();
      await cluster.close();
    }
  });

  it('keeps its role until its work has stopped', async () => {
    const other = openDatabase(test.app);
    const ending = new AbortController();
    const done = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const first = test.database.runAsLeader('slow', ending.signal, async () => {
      begun.resolve();
      await done.promise;
    });
    await begun.promise;
    ending.abort();
    const otherEnding = new AbortController();
    let isHeld = false;
    const second = other.runAsLeader('slow', otherEnding.signal, async () => {
      isHeld = true;
      otherEnding.abort();
    });
    await pause(TAKEOVER_MAX_MS);
    expect(isHeld).toBe(false);
    done.resolve();
    await Promise.all([first, second]);
    expect(isHeld).toBe(true);
    await other.close();
  });
});

describe('the roles of a process', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase({ asDeployed: true });
  });
  afterAll(() => test.close());

  it('share one session: a role whose work has ended is free for others, and the other roles continue', async () => {
    const other = openDatabase(test.app);
    const ending = new AbortController();
    const staying = Promise.withResolvers<AbortSignal>();
    const leading = test.database.runAsLeaders(['ends', 'stays'], ending.signal, async (role, signal) => {
      if (role === 'ends') return;
      staying.resolve(signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const stays = await staying.promise;
    const taken = new AbortController();
    await other.runAsLeader('ends', taken.signal, async () => {
      const holders = statement(
        'test.holders',
        `SELECT count(DISTINCT pid)::integer AS sessions, count(*)::integer AS locks FROM pg_locks
         WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      expect(await test.database.query(holders)).toEqual([{ sessions: 2, locks: 2 }]);
      taken.abort();
    });
    expect(stays.aborted).toBe(false);
    ending.abort();
    await leading;
    await other.close();
  });

  it('are led at most once within one process', async () => {
    const ending = new AbortController();
    let leaders = 0;
    let most = 0;
    const lead = (): Promise<void> =>
      test.database.runAsLeader('twice', ending.signal, async () => {
        most = Math.max(most, ++leaders);
        await pause(50);
        leaders -= 1;
      });
    const both = [lead(), lead()];
    await pause(2_000);
    ending.abort();
    await Promise.all(both);
    expect(most).toBe(1);
  });
});

describe('a database that accepts connections and never answers', () => {
  it('retries to take a role until it gets it', async () => {
    const sockets = new Set<Socket>();
    const mute = createServer((socket) => sockets.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const ending = new AbortController();
    const faults: Error[] = [];
    const database = openDatabase(
      { host: '127.0.0.1', port, user: 'anybody', database: 'any', password: 'any' },
      {
        onFault(fault) {
          faults.push(fault);
          ending.abort();
        },
      },
    );
    await database.runAsLeader('sought', ending.signal, async () => undefined);
    expect(faults).toHaveLength(1);
    for (const socket of sockets) socket.destroy();
    await database.close();
    mute.close();
  });
});
