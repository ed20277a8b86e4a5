import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Options } from '../../exchange/options/index.ts';
import { type OptionsTest, openOptionsTest, usdt } from '../../exchange/options/testing.ts';
import { openLedger } from '../../ledger/index.ts';
import { openPlayGuards, openSafeguards, type Safeguards } from './index.ts';

const ZONE = 'Asia/Bangkok';
const NOW = new Date();
let test: OptionsTest;
let safeguards: Safeguards;
/** Two processes of one deployment. */
let rooms: readonly [Options, Options];
const revoked: bigint[] = [];
const notices: string[] = [];
let customers = 0n;

async function newCustomer(): Promise<bigint> {
  customers += 1n;
  const id = 1_000_000_000n + customers;
  await test.asOwner(
    `INSERT INTO customers.customer (id, username, username_key, email, email_since, nickname, currency, language, invite_code, created_at)
     VALUES ($1::bigint, 'guarded' || $2, 'guarded' || $2, 'guarded' || $2 || '@demo.example', now(), 'G', 'BAHT', 'th', 'GUARD' || lpad($2, 3, '0'), now())`,
    [id, String(customers)],
  );
  await test.fund(id, '90000');
  return id;
}

beforeAll(async () => {
  test = await openOptionsTest();
  const { clock, bus } = test;
  // Starts at the database's time, because the database dates losses and minutes of use by its own clock.
  clock.ms = Date.now();
  const { database } = test.test;
  safeguards = openSafeguards({
    database,
    clock,
    messages: { send: async (_owner, template) => void notices.push(template) },
    timeZone: ZONE,
    revokeOrders: async (customer) => void revoked.push(customer),
    onFault: (error) => test.faults.push(error),
  }).api;
  const eligibility = { ...test.eligibility, guards: openPlayGuards() };
  const open = () => test.open({ ledger: openLedger({ eligibility, database, clock, bus }).api });
  rooms = [await open(), await open()];
  await test.publish('BTC', clock.ms + 5_000, () => 64_000_000_000n);
});
afterAll(async () => {
  expect(test.faults).toEqual([]);
  await test.close();
});

const buy = (room: Options, customer: bigint, stake: string, seconds = 30) =>
  room.buy({ customer, coin: 'BTC', direction: 'up', stake: usdt(stake), seconds }, test.intent());
const limit = (customer: bigint, kind: Parameters<Safeguards['setLimit']>[1], value: string | null) =>
  safeguards.setLimit(customer, kind, value, NOW);
const inForce = async (customer: bigint, kind: string) =>
  (await safeguards.read(customer)).limits.find((row) => row.kind === kind);
/** Moves all stored times back, as if this many hours had passed. */
const pass = (hours: number) =>
  test.asOwner(
    `SET session_replication_role = replica; UPDATE safeguards.limit_change SET asked_at = asked_at - interval '${hours} hours', from_at = from_at - interval '${hours} hours', cancelled_at = cancelled_at - interval '${hours} hours';
     UPDATE safeguards.pause SET starts_at = starts_at - interval '${hours} hours', until = until - interval '${hours} hours'; RESET session_replication_role`,
  );

describe('a limit on losses', () => {
  it('of a thousand parallel purchases over two processes, accepts only the ten that fill it', async () => {
    const customer = await newCustomer();
    expect(await limit(customer, 'loss_day', '100')).toMatchObject({ ok: true });
    const decisions = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => buy(rooms[n % 2 === 0 ? 0 : 1], customer, '10')),
    );
    expect(decisions.filter(({ ok }) => ok)).toHaveLength(10);
    const refused = decisions.find(({ ok }) => !ok);
    expect(refused).toMatchObject({ refusal: 'limit_loss_day', params: { max: '100.000000', left: '0.000000' } });
    expect(await inForce(customer, 'loss_day')).toMatchObject({ value: '100.000000', used: '100.000000' });
    expect((await test.spot(customer)).held).toBe(usdt('100').units);
  });

  it('counts the orders of one batch itself, before the database checks them', async () => {
    const customer = await newCustomer();
    await limit(customer, 'loss_day', '20');
    const decisions = await Promise.all(Array.from({ length: 3 }, () => buy(rooms[0], customer, '10')));
    expect(decisions.map(({ ok }) => ok)).toEqual([true, true, false]);
    // A batch above the limit is rejected by the database, and each order is then posted in a transaction of its own.
    const batches = await test.asOwner('SELECT FROM options.orders WHERE customer_id = $1 GROUP BY xmin::text', [
      customer,
    ]);
    expect(batches).toHaveLength(1);
  });

  it('costs others of the same batch nothing', async () => {
    const [limited, free] = [await newCustomer(), await newCustomer()];
    await limit(limited, 'loss_day', '5');
    for (let n = 0; n < 3; n += 1) {
      const [mine, theirs] = await Promise.all([buy(rooms[0], limited, '10'), buy(rooms[0], free, '10')]);
      expect(mine).toMatchObject({ refusal: 'limit_loss_day' });
      expect(theirs).toMatchObject({ ok: true });
    }
  });

  it('adds back the profit of a win, and counts a loss once', async () => {
    const customer = await newCustomer();
    await limit(customer, 'loss_week', '100');
    expect(await buy(rooms[0], customer, '100')).toMatchObject({ ok: true });
    expect(await buy(rooms[0], customer, '1')).toMatchObject({ refusal: 'limit_loss_week' });
    const began = test.clock.ms;
    await test.publish(
      'BTC',
      began + 40_000,
      (at) => 64_000_000_000n + BigInt(Math.floor((at - began) / 1_000)) * 10_000n,
    );
    await rooms[0].settleDue();
    expect(await inForce(customer, 'loss_week')).toMatchObject({ used: '0.000000' });
    // 73.5 were won, so 173.5 may be lost within the limit.
    expect(await buy(rooms[1], customer, '173')).toMatchObject({ ok: true });
    expect(await buy(rooms[1], customer, '1')).toMatchObject({ refusal: 'limit_loss_week' });
  });

  it('can be lowered at once, even below the current loss', async () => {
    const customer = await newCustomer();
    await limit(customer, 'loss_month', '500');
    expect(await buy(rooms[0], customer, '50')).toMatchObject({ ok: true });
    await limit(customer, 'loss_month', '20');
    expect(await buy(rooms[0], customer, '1')).toMatchObject({
      refusal: 'limit_loss_month',
      params: { max: '20.000000', left: '0.000000' },
    });
  });
});

it('leaves a state without findings of the checker', async () => {
  expect(await test.violations()).toEqual([]);
});

describe('a limit that is raised', () => {
  it('takes effect after 24 hours, and can be cancelled until then', async () => {
    const customer = await newCustomer();
    await limit(customer, 'stake_option', '10');
    const asked = await limit(customer, 'stake_option', '50');
    const row = asked.ok ? asked.effect.limits.find(({ kind }) => kind === 'stake_option') : undefined;
    expect(row).toMatchObject({ value: '10.000000', pending: { value: '50.000000' } });
    expect(Math.round((Date.parse(row?.pending?.from ?? '') - Date.now()) / 3_600_000)).toBe(24);
    expect(await buy(rooms[0], customer, '11')).toMatchObject({
      refusal: 'limit_stake_option',
      field: 'quantity',
      params: { max: '10.000000' },
    });
    expect(await safeguards.cancelLimit(await newCustomer(), row?.pending?.id ?? '')).toMatchObject({
      refusal: 'limit_unknown',
    });
    expect(await safeguards.cancelLimit(customer, row?.pending?.id ?? '')).toMatchObject({ ok: true });
    await pass(25);
    expect(await inForce(customer, 'stake_option')).toMatchObject({ value: '10.000000', pending: null });
    await limit(customer, 'stake_option', null);
    await pass(25);
    expect(await inForce(customer, 'stake_option')).toMatchObject({ value: null, pending: null });
    expect(await buy(rooms[0], customer, '11')).toMatchObject({ ok: true });
  });

  it('is cancelled when the limit is lowered in the meantime', async () => {
    const customer = await newCustomer();
    await limit(customer, 'stake_day', '100');
    await limit(customer, 'stake_day', '1000');
    await limit(customer, 'stake_day', '30');
    await pass(25);
    expect(await inForce(customer, 'stake_day')).toMatchObject({ value: '30.000000', pending: null });
    expect(await limit(customer, 'stake_day', '30')).toMatchObject({ refusal: 'limit_unchanged' });
  });

  it('cannot be hastened with the role of the application', async () => {
    const customer = await newCustomer();
    await limit(customer, 'stake_day', '10');
    await test.asApp(
      `INSERT INTO safeguards.limit_change (id, customer, kind, value, asked_at, from_at) VALUES (gen_random_uuid(), $1, 'stake_day', 99, now() - interval '3 days', now() - interval '2 days')`,
      [customer],
    );
    await limit(customer, 'stake_day', '20');
    expect(await inForce(customer, 'stake_day')).toMatchObject({ value: '0.000099' });
    for (const statement of [
      `UPDATE safeguards.limit_change SET value = 1 WHERE customer = ${customer}`,
      `UPDATE safeguards.limit_change SET cancelled_at = now() WHERE customer = ${customer}`,
      `DELETE FROM safeguards.limit_change WHERE customer = ${customer}`,
    ])
      await expect(test.asApp(statement)).rejects.toThrow();
  });
});

describe('a break', () => {
  it('stops purchases until it ends, revokes resting orders, and cannot be ended by anybody', async () => {
    const customer = await newCustomer();
    expect(await safeguards.pause(customer, 'time_out', '24 hours', NOW)).toMatchObject({ ok: true });
    expect(revoked).toContain(customer);
    expect(notices).toContain('time_out_begun');
    expect(await buy(rooms[0], customer, '10')).toMatchObject({ refusal: 'time_out' });
    expect(await safeguards.pause(customer, 'time_out', '7 days', NOW)).toMatchObject({ refusal: 'time_out' });
    for (const statement of ['UPDATE safeguards.pause SET until = now()', 'DELETE FROM safeguards.pause'])
      for (const as of [test.asApp, test.asOwner]) await expect(as(statement)).rejects.toThrow();
    await expect(test.asOwner('TRUNCATE safeguards.pause')).rejects.toThrow('nobody lifts');
    await pass(25);
    expect(await buy(rooms[0], customer, '10')).toMatchObject({ ok: true });
  });

  it('becomes an exclusion, which nothing shortens', async () => {
    const customer = await newCustomer();
    await safeguards.pause(customer, 'time_out', '30 days', NOW);
    const excluded = await safeguards.pause(customer, 'self_exclusion', '6 months', NOW);
    expect(excluded).toMatchObject({ ok: true, effect: { pause: { kind: 'self_exclusion' } } });
    expect(await safeguards.pause(customer, 'self_exclusion', '5 years', NOW)).toMatchObject({
      refusal: 'self_excluded',
    });
    expect(await safeguards.refusalOf(customer)).toMatchObject({ refusal: 'self_excluded' });
    const decisions = await Promise.all(
      Array.from({ length: 100 }, (_, n) => buy(rooms[n % 2 === 0 ? 0 : 1], customer, '1')),
    );
    expect(new Set(decisions.map((decision) => (decision.ok ? 'passed' : decision.refusal)))).toEqual(
      new Set(['self_excluded']),
    );
    await expect(
      test.asApp(
        `INSERT INTO safeguards.pause (id, customer, kind, starts_at, until) VALUES (gen_random_uuid(), $1, 'self_exclusion', now(), now() + interval '1 month')`,
        [customer],
      ),
    ).rejects.toThrow('check constraint');
  });
});

it('counts a minute of use once, and stops orders when the day’s time is used up', async () => {
  const customer = await newCustomer();
  await limit(customer, 'time_day', '2');
  await safeguards.setReality(customer, 15);
  await Promise.all(Array.from({ length: 10 }, () => safeguards.countMinute(customer)));
  expect(await buy(rooms[0], customer, '1')).toMatchObject({ ok: true });
  expect(await inForce(customer, 'time_day')).toMatchObject({ value: '2', used: '1' });
  const later = (minutes: number) =>
    test.asOwner(
      `UPDATE safeguards.day_time SET minutes = ${minutes}, last_minute = last_minute - 1 WHERE customer = ${customer}; UPDATE safeguards.guard SET unseen_minutes = ${minutes} WHERE customer = ${customer}`,
    );
  await later(1);
  // The order itself counts as a minute of use.
  expect(await buy(rooms[1], customer, '1')).toMatchObject({ ok: true });
  expect(await inForce(customer, 'time_day')).toMatchObject({ used: '2' });
  await later(2);
  expect(await buy(rooms[1], customer, '1')).toMatchObject({ refusal: 'limit_time_day', params: { wait: '120' } });
  await later(20);
  const { check } = await safeguards.countMinute(customer);
  expect(check).toMatchObject({ minutes: 21, staked: '2.000000', result: '0.000000', open: 2 });
  await safeguards.answerCheck(customer);
  expect(await safeguards.countMinute(customer)).toEqual({ counts: true, check: null });
});

it.each([
  [
    'a break that was over when the order was bought',
    'SG1',
    `UPDATE safeguards.pause SET until = now() + interval '1 hour' WHERE kind = 'time_out'`,
  ],
  [
    'a smaller limit of one stake',
    'SG2',
    `UPDATE safeguards.limit_change SET value = 1, asked_at = asked_at - interval '1 hour', from_at = from_at - interval '1 hour' WHERE kind = 'stake_option'`,
  ],
  [
    'a smaller limit of losses',
    'SG2',
    `UPDATE safeguards.limit_change SET value = 90000000, asked_at = asked_at - interval '1 hour', from_at = from_at - interval '1 hour' WHERE kind = 'loss_day' AND value = 100000000`,
  ],
  [
    'a raise that did not wait',
    'SG3',
    `UPDATE safeguards.limit_change SET from_at = asked_at + interval '1 hour' WHERE from_at > asked_at`,
  ],
  [
    'an exclusion that was shortened',
    'SG4',
    `UPDATE safeguards.pause SET until = starts_at + interval '1 month' WHERE kind = 'self_exclusion'`,
  ],
])('the checker finds %s', async (_what, invariant, statement) => {
  const client = new pg.Client(test.test.owner);
  await client.connect();
  try {
    const copies = ['pause', 'limit_change'];
    await client.query('SET session_replication_role = replica');
    for (const table of copies)
      await client.query(
        `DROP TABLE IF EXISTS public.kept_${table}; CREATE TABLE public.kept_${table} AS TABLE safeguards.${table}`,
      );
    await client.query('ALTER TABLE safeguards.pause DROP CONSTRAINT IF EXISTS half_a_year');
    await client.query(statement);
    expect(await test.violations()).toEqual(expect.arrayContaining([expect.objectContaining({ invariant })]));
    for (const table of copies) {
      await client.query(
        `DELETE FROM safeguards.${table}; INSERT INTO safeguards.${table} OVERRIDING SYSTEM VALUE TABLE public.kept_${table}; DROP TABLE public.kept_${table}`,
      );
    }
  } finally {
    await client.end();
  }
});
