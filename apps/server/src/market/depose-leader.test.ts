import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bus } from '../bus/index.ts';
import { systemClock } from '../clock.ts';
import { type TestDatabase, testDatabase } from '../database/testing.ts';
import { openMarket } from './open-market.ts';
import type { Source } from './source.ts';
import { testSigner } from './testing.ts';

let real: TestDatabase;
let clients: pg.Client[];
const stop = new AbortController();
const running: Promise<void>[] = [];

/** A session that has a role's lock and says nothing more, as that of a process that was stopped. */
async function frozen(role: string): Promise<pg.Client> {
  const client = new pg.Client(real.app);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`role:${role}`]);
  return client;
}
const holders = () =>
  real.database.query<{ pid: number }>({
    name: 'test.holders',
    text: `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) ORDER BY pid`,
  });

beforeAll(async () => {
  real = await testDatabase();
  clients = [await frozen('settler'), await frozen('index')];
});
afterAll(async () => {
  stop.abort();
  await Promise.all(running);
  for (const client of clients) await client.end();
  await real.close();
});

test('who leads and gives no ticks makes room; who gives them keeps the role, and so does everybody else', async () => {
  const faults: unknown[] = [];
  const speaking = (name: string): Source => ({
    name,
    family: 'USDT',
    coins: ['BTC'],
    latest: (_coin, at) => ({ price: 92_400_000_000n, at, trade: String(at) }),
    takeVolume: () => 1n,
    start() {},
    async stop() {},
  });
  const [one, other] = [new Bus(), new Bus()];
  for (const bus of [one, other]) {
    const market = await openMarket({
      database: real.database,
      clock: systemClock,
      bus,
      signer: testSigner,
      prices: { kind: 'live', environment: 'live', sources: ['a', 'b', 'c'].map(speaking) },
      onFault: (error) => faults.push(error),
      silentMaxMs: 4_000,
    });
    running.push(market.lead(stop.signal), market.follow(stop.signal));
  }
  const [settler, index] = await holders();
  await Promise.all([once(one, 'ticked'), once(other, 'ticked')]);
  const now = await holders();
  expect(now).toHaveLength(2);
  expect(now).toContainEqual(settler);
  expect(now).not.toContainEqual(index);
  for (let n = 0; n < 6; n += 1) await once(other, 'ticked');
  expect(await holders()).toEqual(now);
  expect(faults).toEqual([]);
}, 30_000);
