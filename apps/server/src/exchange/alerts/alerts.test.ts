import type { CoinCode } from '@sathorn/money';
import { price } from '@sathorn/money';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openMessages } from '../../people/messages/index.ts';
import { Bus } from '../../platform/bus/index.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { type Alerts, openAlerts } from './index.ts';

const BEGAN = Date.parse('2036-12-01T03:00:00Z');
const [NICHA, PAUSED] = [1_000_000_001n, 1_000_000_002n];
const usdt = (whole: number) => price(BigInt(whole) * 1_000_000n);

let test: TestDatabase;
let owner: pg.Client;
let ticks: { coin: CoinCode; sequence: bigint; at: Date; price: ReturnType<typeof usdt> }[];
let now: Date;
/** The coin whose ticks cannot be verified. */
let refusing: CoinCode | null = null;
const bus = new Bus();
const faults: unknown[] = [];

/** Counts the reads of ticks. */
let reads = 0;

function open(database = test.database): Alerts {
  const clock = { now: () => now };
  const onFault = (error: unknown) => faults.push(error);
  return openAlerts({
    database,
    bus,
    clock,
    market: {
      coins: () => (refusing ? ['ADA', 'BTC'] : ['BTC']),
      lastTick: () => (ticks.at(-1) ?? null) as never,
      ticksBetween: async (coin, from, to) => {
        reads += 1;
        if (coin === refusing) throw new Error(`tick 7 of ${coin} is not signed`);
        return ticks.filter(({ at }) => at >= from && at <= to) as never;
      },
    },
    messages: openMessages({
      database: test.database,
      bus,
      clock,
      wording: { brandTitle: 'Sathorn', timeZone: 'Asia/Bangkok' },
      audienceOf: async () => ({ level: 0, joinedAt: new Date(0) }),
      onFault,
    }).api,
    readPaused: async (_queries, customers) => new Set(customers.filter((customer) => customer === PAUSED)),
    onFault,
  }).api;
}
/** Publishes one tick per second with these prices. */
function tick(...prices: number[]): void {
  for (const each of prices) {
    const sequence = BigInt(ticks.length + 1);
    now = new Date(BEGAN + Number(sequence) * 1_000);
    ticks.push({ coin: 'BTC', sequence, at: now, price: usdt(each) });
  }
}
const noticesOf = async (customer: bigint) =>
  (await owner.query('SELECT template, params FROM messages.message WHERE owner = $1 ORDER BY at', [customer])).rows;
const add = (alerts: Alerts, side: 'above' | 'below', at: number, mode: 'once' | 'each' = 'once', customer = NICHA) =>
  alerts.add(customer, { code: 'BTC', side, price: usdt(at), mode }, now);

beforeAll(async () => {
  test = await openTestDatabase();
  owner = new pg.Client(test.owner);
  await owner.connect();
  for (const id of [NICHA, PAUSED])
    await owner.query(
      `INSERT INTO customers.customer (id, username, username_key, email, email_since, nickname, currency, language, invite_code, created_at)
       VALUES ($1::bigint, 'c' || $1, 'c' || $1, 'c' || $1 || '@demo.example', now(), 'C', 'BAHT', 'th', 'CUST' || right($1::text, 4), now())`,
      [id],
    );
});
beforeEach(async () => {
  await owner.query('TRUNCATE alerts.alert, alerts.firing, alerts.cursor');
  await owner.query('DELETE FROM messages.message');
  ticks = [];
  tick(100);
});
afterAll(async () => {
  expect(faults).toEqual([]);
  await owner.end();
  await test.close();
});

it('is triggered once, by the tick that reaches the price, although later prices stay beyond it', async () => {
  const alerts = open();
  await alerts.takeDue();
  expect(await add(alerts, 'above', 105)).toMatchObject({ ok: true });
  expect(await add(alerts, 'below', 95)).toMatchObject({ ok: true });
  tick(104, 105, 106, 107);
  expect(await alerts.takeDue()).toBe(1);
  tick(108, 104, 106);
  expect(await alerts.takeDue()).toBe(0);
  expect(await noticesOf(NICHA)).toEqual([
    { template: 'price_above', params: { coin: 'BTC', amount: '105.00 USDT', at: ticks[2]?.at.toISOString() } },
  ]);
  const { items } = await alerts.list(NICHA);
  expect(items.find(({ side }) => side === 'above')).toMatchObject({
    on: false,
    fired: { price: '105.00', sequence: '3' },
  });
});

it('notices a spike between two checks, and what happened while no process ran', async () => {
  const alerts = open();
  await alerts.takeDue();
  await add(alerts, 'below', 90);
  tick(100, 89, 100);
  tick(...Array.from({ length: 1_500 }, () => 100));
  expect(await open().takeDue()).toBe(1);
  expect(await noticesOf(NICHA)).toMatchObject([{ params: { at: ticks[2]?.at.toISOString() } }]);
});

it('sends nothing twice when several processes read the same ticks', async () => {
  const watchers = Array.from({ length: 8 }, open);
  await watchers[0]?.takeDue();
  for (let n = 1; n <= 10; n += 1) await add(watchers[0] as Alerts, 'above', 100 + n);
  tick(...Array.from({ length: 20 }, (_, n) => 100 + n));
  const fired = await Promise.all(watchers.map((watcher) => watcher.takeDue()));
  expect(fired.reduce((sum, each) => sum + each, 0)).toBe(10);
  expect(await noticesOf(NICHA)).toHaveLength(10);
});

it('sends a notice once if a crash prevented it before', async () => {
  const alerts = open();
  await alerts.takeDue();
  await add(alerts, 'above', 101);
  tick(101);
  await alerts.takeDue();
  // The process crashed after it stored the notice and before it marked the alert.
  await owner.query('UPDATE alerts.firing SET notified_at = NULL');
  await open().takeDue();
  expect(await noticesOf(NICHA)).toHaveLength(1);
});

it('with repetition: is triggered again after the price has returned, an hour later at the earliest', async () => {
  const alerts = open();
  await alerts.takeDue();
  await add(alerts, 'above', 105, 'each');
  tick(105, 104, 105);
  expect(await alerts.takeDue()).toBe(1);
  tick(...Array.from({ length: 3_600 }, () => 106));
  expect(await alerts.takeDue()).toBe(0);
  tick(104, 105);
  expect(await alerts.takeDue()).toBe(1);
});

it('queries once per second without a new tick, and reads no tick that this process already has', async () => {
  const sent: string[] = [];
  const alerts = open({
    ...test.database,
    query: (statement, values) => {
      sent.push(statement.name);
      return test.database.query(statement, values);
    },
  });
  await alerts.takeDue();
  sent.length = 0;
  reads = 0;
  for (const price of [100, 99, 100]) {
    tick(price);
    await alerts.takeDue();
  }
  expect([sent, reads]).toEqual([Array(3).fill('alerts.take_newest'), 0]);
});

it('watches the other coins while one coin’s ticks cannot be verified', async () => {
  const alerts = open();
  await alerts.takeDue();
  await owner.query('INSERT INTO alerts.cursor (coin, sequence, at) SELECT $1, sequence, at FROM alerts.cursor', [
    'ADA',
  ]);
  await add(alerts, 'above', 101);
  refusing = 'ADA';
  tick(100, 101);
  expect(await open().takeDue()).toBe(1);
  refusing = null;
  expect(await noticesOf(NICHA)).toMatchObject([{ template: 'price_above' }]);
  expect(faults.splice(0).map(String)).toEqual(['Error: tick 7 of ADA is not signed']);
});

it('writes nothing for ticks that change no alert, except once a minute', async () => {
  const alerts = open();
  const written = async () =>
    (await owner.query<{ sequence: string }>('SELECT sequence FROM alerts.cursor')).rows.map(
      ({ sequence }) => sequence,
    );
  const takeEach = async (...prices: number[]) => {
    for (const price of prices) {
      tick(price);
      await alerts.takeDue();
    }
  };
  await alerts.takeDue();
  await add(alerts, 'above', 105);
  await takeEach(...Array.from({ length: 58 }, () => 104));
  expect(await written()).toEqual(['1']);
  await takeEach(104, 104);
  expect(await written()).toEqual(['61']);
  await takeEach(104, 105);
  expect(await written()).toEqual(['63']);
  // A new process reads the ticks since the last write again; an alert that was created after them stays silent.
  await takeEach(103, 110, 104);
  await add(alerts, 'above', 108);
  expect(await open().takeDue()).toBe(0);
  expect(await noticesOf(NICHA)).toHaveLength(1);
  await takeEach(108);
  expect(await noticesOf(NICHA)).toHaveLength(2);
});

it('sends nothing to a customer who takes a break', async () => {
  const alerts = open();
  await alerts.takeDue();
  await add(alerts, 'above', 101, 'once', PAUSED);
  tick(101);
  await alerts.takeDue();
  expect(await noticesOf(PAUSED)).toEqual([]);
});

it('refuses a passed price, one between price steps, the 21st of 100 at once, and another’s alert', async () => {
  const alerts = open();
  expect(await add(alerts, 'above', 100)).toMatchObject({ refusal: 'alert_passed' });
  expect(await add(alerts, 'below', 101)).toMatchObject({ refusal: 'alert_passed' });
  expect(
    await alerts.add(NICHA, { code: 'BTC', side: 'above', price: price(101_000_001n), mode: 'once' }, now),
  ).toMatchObject({ refusal: 'price_off_tick' });
  const added = await Promise.all(Array.from({ length: 100 }, (_, n) => add(alerts, 'above', 200 + n)));
  expect(added.filter(({ ok }) => ok)).toHaveLength(20);
  const id = (await alerts.list(NICHA)).items[0]?.id ?? '';
  expect(await alerts.remove(PAUSED, id, now)).toMatchObject({ refusal: 'alert_unknown' });
  expect(await alerts.switch(PAUSED, id, false)).toMatchObject({ refusal: 'alert_unknown' });
  tick(500);
  await alerts.takeDue();
  expect(await alerts.switch(NICHA, id, true)).toMatchObject({ refusal: 'alert_passed' });
  tick(100);
  await alerts.takeDue();
  expect(await alerts.switch(NICHA, id, true)).toMatchObject({ ok: true });
});
