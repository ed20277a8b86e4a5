import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type NatsServer, startNatsServer } from '../../platform/bus/testing.ts';
import { connectionUrlOf } from '../../platform/database/index.ts';
import { type OwnCluster, openOwnCluster } from '../../platform/database/testing.ts';
import { countLeadershipSeekers, type ServerProcess, startServerProcess } from '../../whole/testing-server.ts';
import { auditContracts } from './testing-audit.ts';
import { type RunningTraders, repeatCommands, signUpTrader, startTraders } from './testing-traders.ts';

const TRADERS = 12;
const ORDERS_BETWEEN = 200;
/**
 * The server waits 4 s for a sign of life, and another 4 s if the process froze within a transaction. A follower tries
 * every half second, and a tick comes at the next whole second. The rest is margin for a busy machine.
 */
const TAKEOVER_MAX_MS = 20_000;
const LOOK_EVERY_MS = 20;
/** A worker seeks its roles on two sessions, because the index has its own login. */
const SESSIONS = 2;
const OPTION_SECONDS = 10;
const BUY_EVERY_MS = 250;

let dataDir: string;
let cluster: OwnCluster;
let nats: NatsServer;
let owner: pg.Pool;
let edge: ServerProcess;
let workers: ServerProcess[];
let tokens: string[];

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-frozen-'));
  [cluster, nats] = await Promise.all([openOwnCluster({ max_connections: '200' }), startNatsServer()]);
  owner = new pg.Pool(cluster.owner);
  // Makes options short, so that many end while no process settles.
  await owner.query(
    `INSERT INTO options.terms (coin, seconds, effective_from, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max)
     SELECT coin, $1, now(), payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max
     FROM options.terms WHERE coin = 'BTC' AND seconds = 30`,
    [OPTION_SECONDS],
  );
  const open = (roles: string) =>
    startServerProcess({
      ROLES: roles,
      DATA_DIR: dataDir,
      DATABASE_URL: connectionUrlOf(cluster.owner),
      NATS_URL: nats.url,
    });
  [edge, ...workers] = await Promise.all([open('edge'), open('index,matcher,settler'), open('index,matcher,settler')]);
  edge.start();
  await vi.waitFor(async () => expect((await fetch(`${edge.url}/api/health`)).status).toBe(503), 120_000);
  workers[0]?.start();
  await edge.untilReady();
  tokens = await Promise.all(Array.from({ length: TRADERS }, (_, n) => signUpTrader(edge.url, n)));
  await vi.waitFor(async () => expect(await countLeadershipSeekers(cluster)).toBeGreaterThanOrEqual(SESSIONS), 120_000);
  workers[1]?.start();
  await vi.waitFor(
    async () => expect(await countLeadershipSeekers(cluster)).toBeGreaterThanOrEqual(2 * SESSIONS),
    120_000,
  );
});
afterAll(async () => {
  for (const each of [edge, ...workers]) await each.kill();
  await owner.end();
  await nats.close();
  await cluster.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Repeatedly buys up and down; returns the accepted orders. */
async function buyOptions(token: string, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; !signal.aborted; n++) {
    const form = { code: 'BTC', direction: n % 2 ? 'up' : 'down', quantity: '1', duration: String(OPTION_SECONDS) };
    const response = await fetch(`${edge.url}/api/coin/order/add`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', token, 'idempotency-key': randomUUID() },
      body: new URLSearchParams(form).toString(),
    });
    const { ret, data } = (await response.json()) as { ret: number; data: { id: string } };
    if (ret === 1) ids.push(data.id);
    await pause(BUY_EVERY_MS);
  }
  return ids;
}

/** Waits until this many more requests are answered. */
async function more(traders: RunningTraders): Promise<void> {
  const count = traders.answered.length;
  await vi.waitFor(() => expect(traders.answered.length).toBeGreaterThan(count + ORDERS_BETWEEN), { timeout: 120_000 });
}

/** The answers of all tries: a second try also finds the orders of the first one in the books. */
const answered: RunningTraders['answered'][number][] = [];

it('replaces a frozen process with all roles within seconds; when it wakes it does no harm and serves', async () => {
  const pids = workers.map((each) => each.pid());
  // A second try also finds the options of the first one.
  const { rows: found } = await owner.query<{ id: string }>('SELECT id FROM options.orders');
  const earlier = found.map(({ id }) => id);
  const traders = await startTraders([edge.url], tokens);
  const bought = new AbortController();
  const buying = buyOptions(tokens[0] ?? '', bought.signal);
  await more(traders);
  await pause(OPTION_SECONDS * 1_000);

  const takeovers: number[][] = [];
  for (const holder of workers) {
    holder.freeze();
    const frozenMs = performance.now();
    const { rows } = await owner.query('SELECT clock_timestamp() AS at');
    const until = async (isDone: () => boolean | Promise<boolean>): Promise<number> => {
      while (!(await isDone())) await pause(LOOK_EVERY_MS);
      return Math.round(performance.now() - frozenMs);
    };
    const isThere = async (text: string) => ((await owner.query(text, [rows[0]?.at])).rowCount ?? 0) > 0;
    takeovers.push(
      await Promise.all([
        until(() => isThere(`SELECT FROM market.tick WHERE coin = 'BTC' AND at > $1 LIMIT 1`)),
        until(() => traders.answered.some(({ sentMs, answer }) => sentMs > frozenMs && answer.ret === 1)),
        until(() =>
          isThere(
            `SELECT FROM options.orders WHERE status <> 'holding' AND to_timestamp(ends_ms / 1000.0) > $1 LIMIT 1`,
          ),
        ),
      ]),
    );
    // When it thaws, the process must handle its interrupted work and everything that has arrived, all at once.
    holder.thaw();
    await more(traders);
    await vi.waitFor(
      async () => expect(await countLeadershipSeekers(cluster)).toBeGreaterThanOrEqual(2 * SESSIONS),
      120_000,
    );
  }
  bought.abort();
  const options = await buying;
  await traders.stop();
  answered.push(...traders.answered);

  const unsettled = `SELECT FROM options.orders WHERE status = 'holding'`;
  await vi.waitFor(async () => expect((await owner.query(unsettled)).rowCount).toBe(0), 120_000);
  const { rows: settled } = await owner.query<{ id: string; status: string }>(
    'SELECT id, status FROM options.orders WHERE id <> ALL ($1)',
    [earlier],
  );
  const isVoid = ({ status }: { status: string }) => status === 'void';
  const slowest = Math.max(...traders.answered.map(({ sentMs, answeredMs }) => answeredMs - sentMs));
  console.log(
    `frozen twice; ms until a tick, an order, a settlement: ${takeovers.map(String).join('; ')}; ${traders.answered.length} orders and revocations, ${traders.repeated()} repetitions, slowest answer ${slowest.toFixed(0)} ms; ${settled.length} options, ${settled.filter(isVoid).length} void`,
  );
  expect(traders.broken, workers.map((each) => each.output()).join('\n')).toEqual([]);
  expect(settled.map(({ id }) => id).sort()).toEqual(options.toSorted());
  expect(settled.every(isVoid)).toBe(false);
  expect(await repeatCommands([edge.url], answered)).toEqual([]);
  expect(await auditContracts(cluster, [edge.url], answered)).toEqual([]);
  // The same processes still run; none was restarted.
  expect(workers.map((each) => each.pid())).toEqual(pids);
  expect(Math.max(...takeovers.flat())).toBeLessThan(TAKEOVER_MAX_MS);
});
