import { createHash, createSecretKey, randomUUID } from 'node:crypto';
import { rateOf } from '@sathorn/money';
import { writeOrdered } from '@sathorn/proof';
import { type Refusing, refuse } from '@sathorn/settlement';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { lockStanding, openStanding, type StandingOrders } from '../standing/index.ts';
import type { Earning } from './index.ts';
import { type EarningTest, openEarningTest, usdt } from './testing.ts';

const ORDER_KEY_HEX = '0b'.repeat(32);
const HOUR_MS = 3_600_000;

let room: EarningTest;
let earning: Earning;
let standing: StandingOrders;
let anan = 500n;
const mali = 499n;
let stop: Refusing<string> | null = null;
const notices: { customer: bigint; template: string; params: object; id: string | undefined }[] = [];
const faults: unknown[] = [];
let owner: pg.Pool;
let app: pg.Pool;

const openNew = (of: Pick<Earning, 'subscribeStanding' | 'lockupOf' | 'termsOf'>): StandingOrders =>
  openStanding({
    database: room.test.database,
    earning: of,
    clock: room.clock,
    timeZone: 'Asia/Bangkok',
    orderKey: createSecretKey(ORDER_KEY_HEX, 'hex'),
    messages: {
      send: async (customer, template, params, _now, id) =>
        void (notices.some((sent) => sent.id === id) || notices.push({ customer, template, params, id })),
    },
    isFrozen: async (_queries, customer) => room.frozen.has(customer),
    stopOf: async () => stop,
    onFault: (error) => faults.push(error),
  }).api;

/** Deposits here are rows without money, which the invariants of custody see. */
const violations = async () =>
  (await findViolations(room.test.checker, 'module', [], { order: ORDER_KEY_HEX })).filter(({ invariant }) =>
    /^(N|SO|RP|DK|K|L)/.test(invariant),
  );

beforeAll(async () => {
  room = await openEarningTest();
  earning = room.open({ lockStanding });
  standing = openNew(earning);
  owner = new pg.Pool({ ...room.test.owner, max: 1, options: '-c session_replication_role=replica' });
  app = new pg.Pool({ ...room.test.app, max: 1 });
  // Idle connections are closed while other tests run.
  for (const pool of [owner, app]) pool.on('error', () => undefined);
});
afterAll(async () => {
  expect(await violations()).toEqual([]);
  await Promise.all([owner.end(), app.end()]);
  await room.close();
});
beforeEach(async () => {
  anan += 1n;
  stop = null;
  notices.length = 0;
  faults.length = 0;
  // Deposits of earlier tests are too old now.
  room.clock.turnDays(30);
  await earning.accrueDue();
  await standing.takeDue();
  notices.length = 0;
  await room.fund(anan, '1000');
  return async () => {
    room.frozen.clear();
    for (const { id, status } of (await standing.list(anan, null)).items)
      if (status === 'active') await standing.revoke(anan, id, room.clock.now());
    expect(faults).toEqual([]);
  };
});

const ok = <Effect>(
  answer: { readonly ok: true; readonly effect: Effect } | { readonly ok: false; readonly refusal: string },
) => {
  if (!answer.ok) throw new Error(answer.refusal);
  return answer.effect;
};
const renew = async (id: string, rate = '0.0001', of = anan) =>
  ok(await standing.addRenewal(of, { id, rate_min: rateOf(rate) }, room.intent(), room.clock.now()));
const lock = (amount = '400') => room.subscribe(earning, anan, amount, 7);
const read = async (id: string) => ok(await standing.read(anan, id));
const runs = async (id: string) => ok(await standing.runs(anan, id, null)).items;
/** Pays the days up to the end of a lock-up of seven days that began today, and returns its principal. */
const mature = async () => {
  room.clock.turnDays(8, 31);
  await earning.accrueDue();
};
const orderOf = async (id: string | null) => {
  const answer = await earning.orders(anan, { type: 'regular', id, kind: null, page: null }, room.clock.now());
  return ok(answer).items[0];
};
/** Takes back what a test changed in rows that nothing may change. */
async function planted(
  table: 'standing.instruction' | 'standing.execution' | 'earning.lockup',
  change: string,
  id: string,
) {
  await owner.query(`CREATE TABLE public.was AS TABLE ${table}`);
  await owner.query(change, [id]);
  const found = (await violations()).map(({ invariant }) => invariant);
  await owner.query(
    `DELETE FROM ${table}; INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM public.was; DROP TABLE public.was`,
  );
  return found;
}

describe('a lock-up that renews', () => {
  it('is locked again for the same principal under the terms of that day, and again, until it is revoked', async () => {
    const first = await lock();
    const { id } = await renew(first);
    await standing.takeDue();
    expect(await read(id)).toMatchObject({ status: 'active', done: 0, order: first, current: first, product: '7' });
    await mature();
    await standing.takeDue();
    const once = await read(id);
    expect(once).toMatchObject({ status: 'active', done: 1, skipped: 0, reason: null, order: first });
    expect(await runs(id)).toMatchObject([{ number: 1, source: first, order: once.current, amount: '400.000000' }]);
    expect(await orderOf(once.current)).toMatchObject({
      amount: '400.000000',
      standing: { id, kind: 'renewal', source: first },
      renewed_by: null,
    });
    expect(await orderOf(first)).toMatchObject({ standing: null, renewed_by: once.current, status: 'complete' });
    // The income was paid out, and stays out.
    expect(await room.units(anan, 'spot')).toBe(usdt('600.28').units);
    expect(notices).toMatchObject([
      { customer: anan, template: 'lockup_renewed', params: { subject: '7', amount: '400.000000 USDT' } },
    ]);

    await mature();
    await standing.takeDue();
    expect(await read(id)).toMatchObject({ done: 2 });
    expect(ok(await standing.revoke(anan, id, room.clock.now()))).toMatchObject({ status: 'revoked' });
    await mature();
    await standing.takeDue();
    expect(await runs(id)).toHaveLength(2);
    expect(await room.units(anan, 'lockup')).toBe(0n);
    expect(await standing.revoke(anan, id, room.clock.now())).toMatchObject({ refusal: 'standing_ended' });
  });

  const ends: readonly (readonly [what: string, refusal: string, happen: () => Promise<unknown> | unknown])[] = [
    ['the rate has fallen', 'below_rate_min', () => undefined],
    ['the money was spent', 'exceeds_balance', () => room.subscribe(earning, anan, '900')],
    ['the account is frozen', 'account_frozen', () => room.frozen.add(anan)],
    [
      'the consent is gone',
      'consent_required',
      () => {
        stop = refuse('consent_required');
      },
    ],
    ['it is more than a day late', 'missed', () => room.clock.turnDays(2)],
  ];
  it.each(ends)(
    'ends once with its reason and one notice if %s, and leaves the money',
    async (what, refusal, happen) => {
      const order = await lock();
      const { id } = await renew(order, what.includes('rate') ? '0.00011' : '0');
      await mature();
      await happen();
      await standing.takeDue();
      await standing.takeDue();
      expect(await read(id)).toMatchObject({ status: 'ended', done: 0, skipped: 1, reason: refusal });
      expect(await runs(id)).toMatchObject([{ number: 1, order: null, source: order, refusal }]);
      expect(await room.units(anan, 'lockup')).toBe(0n);
      expect(notices.filter(({ template }) => template === 'lockup_not_renewed')).toHaveLength(1);
    },
  );

  it('waits for a pause to end, up to a day', async () => {
    const [short, long] = [await renew(await lock()), await renew(await lock('100'))];
    await mature();
    stop = refuse('paused');
    await standing.takeDue();
    expect(await read(short.id)).toMatchObject({ status: 'active', done: 0 });
    stop = null;
    room.clock.turnDays(1);
    const other = openNew({ ...earning, subscribeStanding: async () => refuse('money_halted') });
    await other.takeDue();
    expect(await read(short.id)).toMatchObject({ status: 'active', done: 0 });
    stop = refuse('paused');
    room.clock.turnDays(1);
    await standing.takeDue();
    expect(await read(long.id)).toMatchObject({ status: 'ended', reason: 'paused' });
  });

  it('is ordered once per intent and once per lock-up, and only for an open one of the customer', async () => {
    const order = await lock();
    const request = { id: order, rate_min: rateOf('0') };
    const same = room.intent();
    const first = await standing.addRenewal(anan, request, same, room.clock.now());
    expect(await standing.addRenewal(anan, request, same, room.clock.now())).toEqual(first);
    const reused = { ...same, digest: 'other' };
    expect(await standing.addRenewal(anan, request, reused, room.clock.now())).toMatchObject({
      refusal: 'idempotency_key_reused',
    });
    const again = () => standing.addRenewal(anan, request, room.intent(), room.clock.now());
    expect(await again()).toMatchObject({ refusal: 'already_renewed', field: 'id' });
    expect(await standing.addRenewal(mali, request, room.intent(), room.clock.now())).toMatchObject({
      refusal: 'order_unknown',
    });
    await standing.revoke(anan, ok(first).id, room.clock.now());
    const answers = await Promise.all(Array.from({ length: 6 }, again));
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    room.frozen.add(anan);
    expect(await again()).toMatchObject({ refusal: 'account_frozen' });
    room.frozen.clear();
    for (const { id } of (await standing.list(anan, 'renewal')).items)
      await standing.revoke(anan, id, room.clock.now());
    await mature();
    expect(await again()).toMatchObject({ refusal: 'lockup_ended' });
  });

  it('belongs to its customer', async () => {
    const { id } = await renew(await lock());
    for (const answer of [
      await standing.read(mali, id),
      await standing.runs(mali, id, null),
      await standing.revoke(mali, id, room.clock.now()),
    ])
      expect(answer).toMatchObject({ ok: false, refusal: 'standing_unknown' });
    expect((await standing.list(mali, null)).items).toEqual([]);
  });

  it('is renewed once if the process is killed after the order, and by two leaders at once', async () => {
    const { id } = await renew(await lock());
    await mature();
    const dying = openNew({
      ...earning,
      subscribeStanding: async (...given) => {
        await earning.subscribeStanding(...given);
        throw new Error('killed');
      },
    });
    await dying.takeDue();
    expect(faults.splice(0)).toHaveLength(1);
    await Promise.all([standing.takeDue(), openNew(earning).takeDue(), openNew(earning).takeDue()]);
    expect(await read(id)).toMatchObject({ done: 1 });
    await mature();
    await Promise.all([standing.takeDue(), openNew(earning).takeDue(), openNew(earning).takeDue()]);
    await standing.takeDue();
    expect(await read(id)).toMatchObject({ done: 2, skipped: 0 });
    expect(await room.units(anan, 'lockup')).toBe(usdt('400').units);
    expect(notices).toHaveLength(2);
  });

  it('is revoked before a renewal or after it, never between', async () => {
    for (let n = 0; n < 6; n++) {
      const { id } = await renew(await lock('50'));
      await mature();
      const [revoked] = await Promise.all([standing.revoke(anan, id, room.clock.now()), standing.takeDue()]);
      expect(revoked.ok).toBe(true);
      await standing.takeDue();
      const { status, done, skipped } = await read(id);
      expect({ status, skipped }).toEqual({ status: 'revoked', skipped: 0 });
      expect(await room.units(anan, 'lockup')).toBe(usdt('50').units * BigInt(done));
      await mature();
      await standing.takeDue();
      expect(await read(id)).toMatchObject({ done });
    }
  });
});

describe('deposits that are subscribed', () => {
  /** A deposit as it is after its credit, and the money. */
  const deposit = async (
    amount: string,
    { of = anan, at = room.clock.now(), step = 'credited' } = {},
  ): Promise<string> => {
    const id = randomUUID();
    await room.fund(of, amount);
    const hash = `0x${createHash('sha256').update(id).digest('hex')}`;
    await owner.query(
      `INSERT INTO deposits.deposit (id, order_number, customer_id, channel, kind, step, amount, created_at, finished_at, journal, chain, hash, output, token, sender, address,
         block_height, block_hash, in_block_at)
       VALUES ($1, $2, $3, 'TEST', 'crypto', $4, $5, $6, $6, CASE WHEN $4 = 'credited' THEN $1::uuid END, 'test', $7, 0, '0x1', '0x2', '0x3', 1, $7, $6)`,
      [id, `D-${id}`, of, step, usdt(amount).units, at, hash],
    );
    return id;
  };
  const order = (change: object = {}) =>
    standing.addFromDeposits(
      anan,
      {
        type: 'regular',
        product: '7',
        amount_min: usdt('50'),
        amount_max: usdt('300'),
        rate_min: rateOf('0.0001'),
        ...change,
      } as never,
      room.intent(),
      room.clock.now(),
    );
  const toLiquidity = { type: 'liquidity', product: undefined, rate_min: undefined };

  it('are subscribed once each, up to the most per deposit, and a replayed job does nothing', async () => {
    await deposit('70');
    room.clock.turnTo(new Date(room.clock.now().getTime() + 1_000));
    const { id } = ok(await order());
    const [large, exact] = [await deposit('500'), await deposit('50')];
    const foreign = await deposit('200', { of: mali });
    const onItsWay = await deposit('100', { step: 'reversed' });
    await Promise.all([standing.takeDue(), openNew(earning).takeDue()]);
    await openNew(earning).takeDue();
    const done = await runs(id);
    expect(done).toHaveLength(2);
    expect(new Set(done.map(({ source }) => source))).toEqual(new Set([large, exact]));
    expect(done.map(({ refusal }) => refusal)).toEqual([null, null]);
    expect(await room.units(anan, 'lockup')).toBe(usdt('350').units);
    expect(await read(id)).toMatchObject({ kind: 'deposits', status: 'active', done: 2, skipped: 0 });
    expect(notices.map(({ params }) => params)).toEqual(
      expect.arrayContaining([{ amount: '300.000000 USDT' }, { amount: '50.000000 USDT' }]),
    );
    expect(done.map(({ source }) => source)).not.toContain(foreign);
    expect(done.map(({ source }) => source)).not.toContain(onItsWay);
    const made = done.find(({ source }) => source === large)?.order ?? null;
    expect(await orderOf(made)).toMatchObject({
      amount: '300.000000',
      standing: { id, kind: 'deposits', source: large },
    });
  });

  it('go to liquidity too', async () => {
    const { id } = ok(await order(toLiquidity));
    expect(await read(id)).toMatchObject({ type: 'liquidity', product: null, rate_min: null });
    const source = await deposit('120');
    await standing.takeDue();
    const [run] = await runs(id);
    expect(run).toMatchObject({ source, refusal: null, amount: '120.000000' });
    expect(await room.units(anan, 'liquidity')).toBe(usdt('120').units);
    const list = await earning.orders(
      anan,
      { type: 'liquidity', id: run?.order ?? null, kind: null, page: null },
      room.clock.now(),
    );
    expect(list).toMatchObject({ effect: { items: [{ standing: { id, kind: 'deposits', source } }] } });
  });

  const skips: readonly (readonly [what: string, refusal: string, change: object, happen: () => unknown])[] = [
    ['it is too small', 'deposit_too_small', { amount_min: usdt('100.000001') }, () => undefined],
    ['the rate is too low', 'below_rate_min', { rate_min: rateOf('0.00011') }, () => undefined],
    ['the account is frozen', 'account_frozen', {}, () => room.frozen.add(anan)],
    [
      'the consent is gone',
      'consent_required',
      {},
      () => {
        stop = refuse('consent_required');
      },
    ],
    [
      'it is older than six hours',
      'missed',
      {},
      () => room.clock.turnTo(new Date(room.clock.now().getTime() + 6 * HOUR_MS + 1)),
    ],
  ];
  it.each(skips)('are skipped with a reason if %s, and later ones are not', async (_what, refusal, change, happen) => {
    const { id } = ok(await order(change));
    const source = await deposit('100');
    await happen();
    await standing.takeDue();
    await standing.takeDue();
    room.frozen.clear();
    stop = null;
    expect(await runs(id)).toMatchObject([{ number: 1, source, order: null, refusal }]);
    expect(await room.units(anan, 'lockup')).toBe(0n);
    expect(notices.map(({ template }) => template)).toEqual(
      refusal === 'deposit_too_small' ? [] : ['deposit_not_subscribed'],
    );
    expect(await read(id)).toMatchObject({ status: 'active', skipped: 1, reason: refusal });
    const next = await deposit('250');
    await standing.takeDue();
    if (refusal !== 'below_rate_min')
      expect(await runs(id)).toMatchObject([{ source: next, refusal: null }, { source }]);
  });

  it('are subscribed up to six hours later, after a pause, and not after the order was stopped', async () => {
    const { id } = ok(await order());
    await deposit('60');
    stop = refuse('paused');
    await standing.takeDue();
    expect(await runs(id)).toEqual([]);
    stop = null;
    room.clock.turnTo(new Date(room.clock.now().getTime() + 6 * HOUR_MS));
    await standing.takeDue();
    expect(await runs(id)).toMatchObject([{ refusal: null }]);
    await standing.revoke(anan, id, room.clock.now());
    await deposit('60');
    await standing.takeDue();
    expect(await runs(id)).toHaveLength(1);
  });

  it.each([
    ['an unknown product', { product: '8' }, 'product_unknown', 'product'],
    ['a lock-up without a rate', { rate_min: undefined }, 'rate_min_missing', 'rate_min'],
    ['liquidity with a rate', { type: 'liquidity' }, 'rate_min_missing', 'rate_min'],
    ['less than the product takes', { amount_min: usdt('9.999999') }, 'below_minimum', 'amount_min'],
    ['more than the product takes', { amount_max: usdt('50000.000001') }, 'above_maximum', 'amount_max'],
    ['a most below the least', { amount_max: usdt('49') }, 'amounts_crossed', 'amount_max'],
  ])('are not ordered with %s', async (_what, change, refusal, field) => {
    expect(await order(change)).toMatchObject({ ok: false, refusal, field });
  });

  it('are ordered by one instruction at a time', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => order()));
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    expect(answers.find((answer) => !answer.ok)).toMatchObject({ refusal: 'too_many_standing', params: { max: '1' } });
  });

  it('keep their record when their block leaves the chain', async () => {
    const { id } = ok(await order());
    const source = await deposit('80');
    await standing.takeDue();
    expect(await runs(id)).toHaveLength(1);
    await owner.query(`UPDATE deposits.deposit SET step = 'reversed', journal = NULL WHERE id = $1`, [source]);
    expect(await violations()).toEqual([]);
  });
});

describe('under attack', () => {
  it('a subscription beyond its instruction is refused under the lock', async () => {
    const source = await lock();
    const { id } = await renew(source);
    const to = (change: object = {}, named: object = {}) =>
      earning.subscribeStanding(
        {
          customer: anan,
          product: 7,
          amount: usdt('400'),
          ...change,
          standing: { instruction: id, source, kind: 'renewal', ...named },
        },
        room.intent(),
      );
    const none = { ok: false, refusal: 'standing_not_due' };
    // Its end has not come.
    expect(await to()).toMatchObject(none);
    await mature();
    await room.fund(mali, '1000');
    expect(await to({ customer: mali })).toMatchObject(none);
    expect(await to({ amount: usdt('400.000001') })).toMatchObject(none);
    expect(await to({ amount: usdt('399.999999') })).toMatchObject(none);
    expect(await to({ product: 15 })).toMatchObject(none);
    expect(await to({ product: null })).toMatchObject(none);
    expect(await to({}, { instruction: randomUUID() })).toMatchObject(none);
    expect(await to({}, { source: randomUUID() })).toMatchObject(none);
    expect(await to()).toMatchObject({ ok: true });
    expect(await to()).toMatchObject(none);
    expect(await runs(id)).toHaveLength(1);
  });

  it('the application’s login cannot invent, widen or repeat anything', async () => {
    const source = await lock();
    const { id } = await renew(source);
    await mature();
    await standing.takeDue();
    const { current } = await read(id);
    const denied = (text: string, values: unknown[] = [id], code?: string) =>
      expect(app.query(text, values)).rejects.toMatchObject(code === undefined ? {} : { code });
    await denied(`UPDATE standing.instruction SET rate_min = 0 WHERE id = $1`);
    await denied(`UPDATE standing.instruction SET current = lockup WHERE id = $1`);
    await denied(`UPDATE standing.instruction SET state = 'ended' WHERE id = $1`, [id], 'ST002');
    await denied(`DELETE FROM standing.execution WHERE instruction = $1`);
    await denied(`UPDATE standing.execution SET is_told = false WHERE instruction = $1`, [id], 'ST003');
    await denied(
      `INSERT INTO standing.execution (instruction, number, source, units, at_ms, made) VALUES ($1, 2, $2, 400000000, 1, gen_random_uuid())`,
      [id, current],
    );
    // A skip of a source that is not due, and a second use of one.
    const skip = `INSERT INTO standing.execution (instruction, number, source, units, at_ms, refusal) VALUES ($1, 2, $2, 400000000, 1, 'missed')`;
    await denied(skip, [id, current], 'ST005');
    await denied(skip, [id, source], 'ST005');
    const insert = (seal: string | null, of: bigint, lockup: string | null) =>
      app.query(
        `INSERT INTO standing.instruction (id, customer_id, digest, kind, lockup, product, rate_min, created_ms, seal, changed_ms)
         VALUES (gen_random_uuid(), $1, '', 'renewal', $2, 7, 0, 1, $3, 1)`,
        [of, lockup, seal],
      );
    await expect(insert(null, anan, current)).rejects.toMatchObject({ code: 'ST006' });
    await expect(insert(randomUUID(), mali, current)).rejects.toMatchObject({ code: 'ST004' });
    await expect(insert(randomUUID(), anan, source)).rejects.toMatchObject({ code: 'ST004' });
    // Already renewed by the first.
    await expect(insert(randomUUID(), anan, current)).rejects.toMatchObject({ code: '23505' });

    // Orders that name an instruction: of another customer, of an amount, a rate and a day of their own, and a second.
    await mature();
    const forge = (values: Record<string, unknown>) => {
      const { rows } = {
        rows: { customer_id: anan, principal: 400_000_000n, daily_rate: 10_000n, late: 0, source: current, ...values },
      };
      return app.query(
        `INSERT INTO earning.lockup (id, customer_id, product, version, principal, daily_rate, days, yield, start_day, end_day, subscribed_at, standing, source)
         SELECT gen_random_uuid(), $1, 7, 1, $2::bigint, $3::bigint, 7, floor($2::numeric * $3 * 7 / 100000000), s.end_day + 1 + $4::integer, s.end_day + 8 + $4::integer, $7, $5, $6
         FROM earning.lockup s WHERE s.id = $8`,
        [rows.customer_id, rows.principal, rows.daily_rate, rows.late, id, rows.source, room.clock.now(), current],
      );
    };
    for (const values of [
      { customer_id: mali },
      { principal: 400_000_001n },
      { principal: 1n },
      { daily_rate: 9_999n },
      { late: 2 },
      { late: -1 },
    ])
      await expect(forge(values)).rejects.toMatchObject({ code: 'ST005' });
    await expect(app.query('UPDATE earning.lockup SET source = $2 WHERE id = $1', [current, id])).rejects.toThrow();
    await expect(forge({ source })).rejects.toMatchObject({ code: '23505' });
    await standing.takeDue();
    expect(await read(id)).toMatchObject({ done: 2 });
    await expect(forge({})).rejects.toMatchObject({ code: '23505' });
  });

  it.each<[string, Parameters<typeof planted>[0], string, string]>([
    ['a lower rate', 'standing.instruction', 'UPDATE standing.instruction SET rate_min = 0 WHERE id = $1', 'SO1'],
    [
      'a renewal after the revocation',
      'standing.instruction',
      `UPDATE standing.instruction SET state = 'revoked', changed_ms = created_ms WHERE id = $1`,
      'SO2',
    ],
    [
      'a renewal that is not counted',
      'standing.instruction',
      'UPDATE standing.instruction SET done = 0 WHERE id = $1',
      'SO2',
    ],
    [
      'another lock-up in line',
      'standing.instruction',
      'UPDATE standing.instruction SET current = lockup WHERE id = $1',
      'SO2',
    ],
    ['an execution that is gone', 'standing.execution', 'DELETE FROM standing.execution WHERE instruction = $1', 'N8'],
    [
      'another source',
      'standing.execution',
      'UPDATE standing.execution SET source = instruction WHERE instruction = $1',
      'SO2',
    ],
    [
      'another principal',
      'standing.execution',
      'UPDATE standing.execution SET units = units + 1 WHERE instruction = $1',
      'SO2',
    ],
    [
      'an order that does not say that it was renewed',
      'earning.lockup',
      'UPDATE earning.lockup SET standing = NULL, source = NULL WHERE standing = $1',
      'SO2',
    ],
    [
      'an order renewed late',
      'earning.lockup',
      'UPDATE earning.lockup SET start_day = start_day + 2, end_day = end_day + 2 WHERE standing = $1',
      'SO2',
    ],
  ])('the checker sees %s, made by somebody who owns the database', async (_what, table, change, invariant) => {
    const { id } = await renew(await lock());
    await mature();
    await standing.takeDue();
    expect(await read(id)).toMatchObject({ done: 1 });
    expect(await planted(table, change, id)).toContain(invariant);
  });

  it('the checker sees a movement of liquidity that names an instruction without an execution', async () => {
    await room.subscribe(earning, anan, '100');
    await owner.query('UPDATE earning.movement SET standing = $1, source = $1 WHERE customer_id = $2', [
      randomUUID(),
      anan,
    ]);
    expect((await violations()).map(({ invariant }) => invariant)).toContain('N9');
    await owner.query('UPDATE earning.movement SET standing = NULL, source = NULL WHERE customer_id = $1', [anan]);
  });

  it.each([
    ['another lowest rate', { rate_min: '0.00011' }],
    ['another lock-up', { id: randomUUID() }],
  ])('the checker sees a renewal of which the device signed %s', async (_what, change) => {
    const order = await lock();
    const same = { id: randomUUID(), digest: '5'.repeat(64) };
    ok(await standing.addRenewal(anan, { id: order, rate_min: rateOf('0.0001') }, same, room.clock.now()));
    /** The invariants that are broken where the device signed these fields. Its signature is forged here. */
    const found = async (fields: Readonly<Record<string, string>>) => {
      const key = '0'.repeat(32);
      const call = 'POST /yuebao/standing/renew';
      const atMs = room.clock.now().getTime();
      const body = writeOrdered({ key, call, intent: 'intent-of-device', fields, atMs });
      await owner.query(
        'INSERT INTO customers.ordered (intent, digest, customer, key, body, signature, at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
        [same.id, same.digest, anan, key, body, Buffer.alloc(64), room.clock.now()],
      );
      const all = await violations();
      await owner.query('DELETE FROM customers.ordered WHERE intent = $1', [same.id]);
      return all.filter(({ subjects }) => subjects.includes(same.id)).map(({ invariant }) => invariant);
    };
    const signed = { id: order, rate_min: '0.00010' };
    expect(await found(signed)).not.toContain('SO3');
    expect(await found({ ...signed, ...change })).toContain('SO3');
  });
});
