import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionUrlOf } from '../platform/database/index.ts';
import { type OwnCluster, openOwnCluster } from '../platform/database/testing.ts';
import { countLeadershipSeekers, type ServerProcess, startServerProcess } from './testing-server.ts';

/** Connections that lead roles or wait for them: one of the index and one of the others, in two processes. */
const SEEKERS = 4;

describe('two processes of the index', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-rolling-'));
  let cluster: OwnCluster;
  let servers: ServerProcess[];

  beforeAll(async () => {
    cluster = await openOwnCluster();
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: connectionUrlOf(cluster.owner),
      ROLES: 'index,settler',
      SIM_SEED: 'rolling',
      BASE_URL: 'http://127.0.0.1:1',
    };
    servers = [await startServerProcess(env), await startServerProcess(env)];
    for (const server of servers) server.start();
    while ((await countLeadershipSeekers(cluster)) < SEEKERS) await pause(50);
    while ((await ticks()).length < 2) await pause(50);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await cluster.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const ticks = (): Promise<{ at: Date; late: boolean }[]> =>
    cluster.database.query<{ at: Date; late: boolean }>({
      name: 'test.ticks',
      text: `SELECT at, body::jsonb ? 'late' AS late FROM market.tick WHERE coin = 'BTC' ORDER BY sequence`,
    });
  const gaps = async (): Promise<number[]> => {
    const times = (await ticks()).map(({ at }) => at.getTime());
    return times.slice(1).map((at, place) => at - (times[place] ?? 0));
  };
  /** Waits until ticks are published on time again. */
  const untilOnTime = async (): Promise<void> => {
    const before = (await ticks()).length;
    for (;;) {
      const all = await ticks();
      if (all.length > before + 2 && all.at(-1)?.late === false) return;
      await pause(100);
    }
  };

  it.each(['restarted one after the other, as a deployment does', 'killed'])(
    'leave no gap when they are %s',
    async (how) => {
      for (const server of servers) {
        if (how === 'killed') await server.kill();
        else await server.stop();
        await untilOnTime();
        server.start();
        while ((await countLeadershipSeekers(cluster)) < SEEKERS) await pause(50);
        await untilOnTime();
      }
      expect(new Set(await gaps())).toEqual(new Set([1_000]));
    },
  );

  it('leave no gap when the leader is frozen for a while', async () => {
    const [one, other] = servers;
    one?.freeze();
    await pause(6_000);
    one?.thaw();
    await untilOnTime();
    other?.freeze();
    await pause(6_000);
    other?.thaw();
    await untilOnTime();
    expect(new Set(await gaps())).toEqual(new Set([1_000]));
  });
});
