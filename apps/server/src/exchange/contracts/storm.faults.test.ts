import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startNatsServer } from '../../platform/bus/testing.ts';
import { connectionUrlOf } from '../../platform/database/index.ts';
import { type OwnCluster, openOwnCluster } from '../../platform/database/testing.ts';
import { type ServerProcess, startServerProcess } from '../../whole/testing-server.ts';
import { auditContracts } from './testing-audit.ts';
import { repeatCommands, signUpTrader, startTraders } from './testing-traders.ts';

/** Use `STORM_SECONDS=180 npx vitest run storm` for a long run. */
const SECONDS = Number(process.env.STORM_SECONDS ?? 10);
const TRADERS = 32;
const ASKED_AGAIN_MAX = 3_000;
/** How long after the last restart the answers to all requests may take. */
const CALM_MAX_MS = 60_000;

/** Sometimes longer than the time after which a silent process loses its role. */
const FROZEN_MAX_MS = 8_000;

/** A process that is killed with SIGKILL or frozen, and restarted. */
interface Victim {
  readonly name: string;
  kill(): Promise<void> | void;
  restart(): Promise<void> | void;
}

const victimOf = (name: string, server: ServerProcess): Victim => {
  let isFrozen = false;
  return {
    name,
    async kill() {
      isFrozen = randomInt(3) === 0;
      if (isFrozen) server.freeze();
      else await server.kill();
    },
    async restart() {
      if (!isFrozen) return server.start();
      await pause(randomInt(FROZEN_MAX_MS));
      server.thaw();
    },
  };
};
/** The cluster's supervisor restarts the database. */
const databaseOf = (cluster: OwnCluster): Victim => ({
  name: 'database',
  kill: () => cluster.kill(),
  restart: () => undefined,
});

/** Kills victims one after the other, sometimes several at once, until the time is over and all are back. */
async function storm(victims: readonly Victim[], seconds: number): Promise<Record<string, number>> {
  const killed: Record<string, number> = {};
  const down = new Map<Victim, Promise<void>>();
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const up = victims.filter((victim) => !down.has(victim));
    const victim = up[randomInt(Math.max(1, up.length))];
    if (victim !== undefined) {
      await victim.kill();
      killed[victim.name] = (killed[victim.name] ?? 0) + 1;
      const back = pause(randomInt(1_000))
        .then(() => victim.restart())
        // The database's supervisor needs a moment.
        .then(() => pause(500))
        .then(() => void down.delete(victim));
      down.set(victim, back);
    }
    // Random pauses: sometimes the next strike comes before the last victim is back, sometimes when everything works.
    await pause(200 + randomInt(randomInt(2) === 0 ? 800 : 5_000));
  }
  await Promise.all(down.values());
  return killed;
}

describe('a storm', () => {
  const cleanups: (() => unknown)[] = [];
  const opened: ServerProcess[] = [];
  const output = (): string => opened.map((server) => server.output()).join('\n');
  afterEach(async () => {
    opened.splice(0);
    for (const end of cleanups.splice(0).reverse()) await end();
  });

  const openPlace = async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-storm-'));
    cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const cluster = await openOwnCluster({ max_connections: '200' });
    cleanups.push(() => cluster.close());
    const open = async (env: Record<string, string>): Promise<ServerProcess> => {
      const server = await startServerProcess({
        DATA_DIR: dataDir,
        DATABASE_URL: connectionUrlOf(cluster.owner),
        ...env,
      });
      cleanups.push(() => server.kill());
      opened.push(server);
      return server;
    };
    return { cluster, open };
  };

  /** Trades during a storm, then audits everything. */
  const weather = async (
    cluster: OwnCluster,
    edges: readonly ServerProcess[],
    victims: readonly Victim[],
  ): Promise<void> => {
    const urls = edges.map(({ url }) => url);
    const tokens: string[] = [];
    for (let n = 0; n < TRADERS; n++) tokens.push(await signUpTrader(urls[0] ?? '', n));
    const traders = await startTraders(urls, tokens);
    const begin = performance.now();
    const killed = await storm(victims, SECONDS);
    const acceptedSoFar = (): number => traders.answered.filter(({ answer }) => answer.ret === 1).length;
    const calm = Promise.all(edges.map((edge) => edge.untilReady()))
      .then(async () => {
        // On a slow machine victims are struck again as soon as they are up, so most trading happens after the storm.
        while (acceptedSoFar() <= TRADERS) await pause(100);
      })
      .then(() => traders.stop());
    const isCalm = await Promise.race([calm.then(() => true), pause(CALM_MAX_MS, false)]);
    if (!isCalm || traders.broken.length > 0)
      throw new Error(
        `${isCalm ? 'we broke' : 'not all is answered'}: ${traders.broken.slice(-3).join('\n')}\n${output()}`,
      );
    const seconds = (performance.now() - begin) / 1000;
    const accepted = acceptedSoFar();
    console.log(
      `${seconds.toFixed(0)} s: killed ${JSON.stringify(killed)}; ${traders.answered.length} answers, ${accepted} accepted, ${traders.repeated()} repetitions`,
    );

    expect(accepted).toBeGreaterThan(TRADERS);
    expect(await repeatCommands(urls, traders.answered.slice(-ASKED_AGAIN_MAX))).toEqual([]);
    expect(await auditContracts(cluster, urls, traders.answered)).toEqual([]);
  };

  it('over two edges, two matchers, NATS and the database neither loses, doubles nor changes an order', {
    timeout: (SECONDS * 2 + 180) * 1000,
  }, async () => {
    const { cluster, open } = await openPlace();
    const nats = await startNatsServer();
    cleanups.push(() => nats.close());
    const servers = await Promise.all(
      ['edge,index,settler', 'edge,index,settler', 'matcher', 'matcher'].map((ROLES) =>
        open({ ROLES, NATS_URL: nats.url }),
      ),
    );
    const [one, other] = servers as [ServerProcess, ServerProcess];
    // This edge starts alone, because it creates the keys and the people.
    one.start();
    await one.untilReady();
    for (const server of servers.slice(1)) server.start();
    await other.untilReady();
    await weather(
      cluster,
      [one, other],
      [
        ...servers.map((server, n) => victimOf(n < 2 ? 'edge' : 'matcher', server)),
        { name: 'NATS', kill: () => nats.kill(), restart: () => nats.start() },
        databaseOf(cluster),
      ],
    );
  });

  it('over one process and the database neither loses, doubles nor changes an order', {
    timeout: (SECONDS * 2 + 180) * 1000,
  }, async () => {
    const { cluster, open } = await openPlace();
    const server = await open({});
    server.start();
    await server.untilReady();
    await weather(cluster, [server], [victimOf('server', server), databaseOf(cluster)]);
  });
});
