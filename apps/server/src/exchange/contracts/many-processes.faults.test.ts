import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type NatsServer, startNatsServer } from '../../platform/bus/testing.ts';
import { connectionUrlOf } from '../../platform/database/index.ts';
import { type OwnCluster, openOwnCluster } from '../../platform/database/testing.ts';
import { countLeadershipSeekers, type ServerProcess, startServerProcess } from '../../whole/testing-server.ts';
import { auditContracts } from './testing-audit.ts';
import { type AnsweredCommand, repeatCommands, signUpTrader, startTraders } from './testing-traders.ts';

const TRADERS = 12;
const ORDERS_BEFORE = 300;
const TAKEOVER_MAX_MS = 2_000;
const TELL_MAX_MS = 500;

describe('two edges and two matchers', () => {
  let dataDir: string;
  let cluster: OwnCluster;
  let nats: NatsServer;
  let edges: ServerProcess[];
  let matchers: ServerProcess[];
  let tokens: string[];
  /** Answers of an earlier try, because a second try finds its orders in the books. */
  const earlier: AnsweredCommand[] = [];

  beforeAll(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-many-'));
    [cluster, nats] = await Promise.all([openOwnCluster({ max_connections: '200' }), startNatsServer()]);
    const open = (roles: string) =>
      startServerProcess({
        ROLES: roles,
        DATA_DIR: dataDir,
        DATABASE_URL: connectionUrlOf(cluster.owner),
        NATS_URL: nats.url,
      });
    edges = [await open('edge,index,settler'), await open('edge,index,settler')];
    matchers = [await open('matcher'), await open('matcher')];
    // The order of these starts matters: the first edge creates the keys and the people, and the first matcher gets all
    // coins.
    edges[0]?.start();
    await edges[0]?.untilReady();
    edges[1]?.start();
    matchers[0]?.start();
    await edges[1]?.untilReady();
    tokens = await Promise.all(Array.from({ length: TRADERS }, (_, n) => signUpTrader(edges[0]?.url ?? '', n)));
  });
  afterAll(async () => {
    for (const each of [...edges, ...matchers]) await each.kill();
    await nats.close();
    await cluster.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('a matcher killed under load is replaced in two seconds; no acknowledged order is lost or doubled', async () => {
    const urls = edges.map(({ url }) => url);
    const heard: string[] = [];
    const live = new WebSocket(`${urls[1]?.replace('http', 'ws')}/api/stream`);
    live.onmessage = ({ data }) => heard.push(String(data));
    await new Promise((resolve) => (live.onopen = resolve));
    live.send(JSON.stringify({ op: 'auth', token: tokens[0] }));
    live.send(JSON.stringify({ op: 'subscribe', topics: ['contracts', 'trades:BTC'] }));

    const traders = await startTraders(urls, tokens);
    onTestFinished(async () => {
      await traders.stop();
      earlier.push(...traders.answered);
    });
    await vi.waitFor(() => expect(traders.answered.length).toBeGreaterThan(ORDERS_BEFORE), { timeout: 120_000 });
    const seekers = await countLeadershipSeekers(cluster);
    matchers[1]?.start();
    await vi.waitFor(async () => expect(await countLeadershipSeekers(cluster)).toBe(seekers + 1), { timeout: 120_000 });
    const count = traders.answered.length;
    await vi.waitFor(() => expect(traders.answered.length).toBeGreaterThan(count + ORDERS_BEFORE), {
      timeout: 120_000,
    });

    const killedMs = performance.now();
    await matchers[0]?.kill();
    const firstAfter = await vi.waitFor(
      () => {
        const after = traders.answered.find(({ sentMs, answer }) => sentMs > killedMs && answer.ret === 1);
        if (after === undefined) throw new Error('nobody has taken over');
        return after;
      },
      { timeout: 120_000, interval: 5 },
    );
    const takeoverMs = firstAfter.answeredMs - killedMs;
    const counted = traders.answered.length;
    await vi.waitFor(() => expect(traders.answered.length).toBeGreaterThan(counted + ORDERS_BEFORE), {
      timeout: 120_000,
    });
    await traders.stop();
    const slowest = Math.max(...traders.answered.map(({ sentMs, answeredMs }) => answeredMs - sentMs));
    console.log(
      `${traders.answered.length} orders and revocations, ${traders.repeated()} repetitions, takeover ${takeoverMs.toFixed(0)} ms, slowest answer ${slowest.toFixed(0)} ms`,
    );

    expect(traders.broken).toEqual([]);
    expect(await repeatCommands(urls, traders.answered)).toEqual([]);
    const everAnswered = [...earlier, ...traders.answered];
    expect(await auditContracts(cluster, urls, everAnswered)).toEqual([]);
    // Proves that the audit detects an order that nobody requested, and a missing one.
    const placed = everAnswered.findIndex(({ answer, at }) => answer.ret === 1 && at.endsWith('/add'));
    const order = everAnswered[placed]?.answer.data as { id: string };
    const lost = {
      ...everAnswered[placed],
      answer: { ret: 1, data: { ...order, id: 'ADA-99999' } },
    } as AnsweredCommand;
    expect(await auditContracts(cluster, [], everAnswered.with(placed, lost))).toEqual([
      expect.stringContaining('ADA-99999 was acknowledged and is lost'),
      `${order.id} is there without a request`,
    ]);

    // Matchers publish to both edges, whichever got the request. Changes that the killed process had just committed are
    // not published. So its successor triggers a snapshot, which contains the orders that still rest.
    const toldIds = traders.answered.flatMap(({ token, answer, sentMs, answeredMs }) =>
      token === tokens[0] && answer.ret === 1 && (answeredMs < killedMs - TELL_MAX_MS || sentMs > killedMs)
        ? [(answer.data as { id: string }).id]
        : [],
    );
    expect(toldIds.length).toBeGreaterThan(0);
    await vi.waitFor(
      () => expect(toldIds.filter((id) => !heard.some((frame) => frame.includes(`"${id}"`)))).toEqual([]),
      10_000,
    );
    expect(heard.some((frame) => frame.includes('"trades:BTC"'))).toBe(true);
    live.close();
    expect(takeoverMs).toBeLessThan(TAKEOVER_MAX_MS);
  });
});
