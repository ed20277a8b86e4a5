import { randomUUID } from 'node:crypto';
import type { addRecurring, ParsedRequestOf } from '@sathorn/api';
import { money, type Price, parsePrice } from '@sathorn/money';
import { writeOrdered } from '@sathorn/proof';
import { type Refusing, refuse } from '@sathorn/settlement';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOfName } from '../../ledger/index.ts';
import { lockRecurring, openRecurring, type Recurrings } from '../recurring/index.ts';
import { type ContractsTest, ORDER_KEY, openContractsTest, type RunningContracts } from './testing-contracts.ts';

type Request = ParsedRequestOf<typeof addRecurring>;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const price = (text: string): Price => parsePrice(text) as Price;
/** Nine in the evening in Bangkok, fourteen o'clock in UTC. */
const daily: Request = { code: 'BTC', amount: money('USDT', 50_000_000n), every: 'day', hour: 21 } as Request;

describe('regular purchases', () => {
  let room: ContractsTest;
  let contracts: RunningContracts;
  let recurring: Recurrings;
  let anan = 500n;
  const mali = 499n;
  let stop: Refusing<string> | null = null;
  const notices: { customer: bigint; template: string; id: string | undefined }[] = [];

  const openNew = (of: Pick<RunningContracts, 'buyRecurring' | 'recurringTotals' | 'orders' | 'terms'>): Recurrings =>
    openRecurring({
      database: room.test.database,
      contracts: of,
      index: room.market,
      clock: room.clock,
      timeZone: 'Asia/Bangkok',
      orderKey: ORDER_KEY,
      messages: {
        send: async (customer, template, _params, _now, id) =>
          void (notices.some((sent) => sent.id === id) || notices.push({ customer, template, id })),
      },
      isFrozen: async (_queries, customer) => room.frozen.has(customer),
      stopOf: async () => stop,
      onFault: (error) => room.faults.push(error),
    }).api;

  beforeAll(async () => {
    room = await openContractsTest();
    contracts = await room.open({ lockRecurring });
    recurring = openNew(contracts);
    await room.tick('BTC', '60000');
    await room.fund(mali, 'BTC', '10');
  });
  afterAll(async () => {
    expect(await room.violations()).toEqual([]);
    await room.close();
  });
  beforeEach(async () => {
    anan += 1n;
    stop = null;
    notices.length = 0;
    room.faults.length = 0;
    await room.fund(anan, 'USDT', '1000');
    await contracts.order(mali, { side: 'sell', type: 'limit', price: '60000', quantity: '1' });
    return async () => {
      for (const { id } of (await recurring.list(anan)).items) await recurring.revoke(anan, id, room.clock.now());
      await contracts.revokeAll(mali, null, intent());
      room.index.set('BTC', price('60000'));
      expect(room.faults).toEqual([]);
      expect(await room.funds(anan, 'USDT')).toMatch(/\+0$/);
    };
  });

  const intent = () => ({ id: randomUUID(), digest: randomUUID() });
  const add = async (change: Partial<Request> = {}) => {
    const added = await recurring.add(anan, { ...daily, ...change } as Request, intent(), room.clock.now());
    if (!added.ok) throw new Error(added.refusal);
    return added.effect;
  };
  const read = async (id: string) => {
    const answer = await recurring.read(anan, id);
    if (!answer.ok) throw new Error(answer.refusal);
    return answer.effect;
  };
  const runs = async (id: string) => {
    const answer = await recurring.executions(anan, id, null);
    if (!answer.ok) throw new Error(answer.refusal);
    return answer.effect.items;
  };
  /** Moves the clock to a moment of the instruction's next time, and does what is due. */
  const pass = async (id: string, laterMs = 0, of: Recurrings = recurring) => {
    const { next_at: next } = await read(id);
    room.clock.ms = Date.parse(next ?? '') + laterMs;
    await of.takeDue();
  };

  it('buy at their time for their amount, as an ordinary order that names them, and go on', async () => {
    const made = await add();
    expect(made).toMatchObject({ status: 'active', amount: '50.000000', every: 'day', day: null, hour: 21, bought: 0 });
    expect(made.next_at).toMatch(/T14:00:00.000Z$/);
    await recurring.takeDue();
    expect(await runs(made.id)).toEqual([]);

    await pass(made.id);
    await recurring.takeDue();
    const [run, ...others] = await runs(made.id);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ number: 1, due_at: made.next_at, refusal: null, price: '60000.00' });
    const order = await contracts.read(anan, run?.order ?? '');
    expect(order).toMatchObject({
      effect: { side: 'buy', type: 'market', amount: '50.000000', recurring: made.id, waiting: null, status: 'filled' },
    });
    const after = await read(made.id);
    expect(after).toMatchObject({ status: 'active', bought: 1, skipped: 0, average_price: '60000.00' });
    expect(after.spent).toBe(run?.spent);
    expect(after.received).toBe(run?.received);
    expect(Date.parse(after.next_at ?? '') - Date.parse(made.next_at ?? '')).toBe(DAY_MS);
    expect(notices).toEqual([]);
  });

  it('end after their number of purchases, which skipped ones do not count to', async () => {
    const { id } = await add({ times: 2 });
    await pass(id);
    stop = refuse('paused');
    await pass(id);
    stop = null;
    await pass(id);
    expect(await read(id)).toMatchObject({ status: 'ended', bought: 2, skipped: 1, next_at: null });
    room.clock.ms += 3 * DAY_MS;
    await recurring.takeDue();
    expect(await runs(id)).toHaveLength(3);
    expect(await recurring.switch(anan, id, true, room.clock.now())).toMatchObject({ refusal: 'recurring_ended' });
    expect(await recurring.revoke(anan, id, room.clock.now())).toMatchObject({ refusal: 'recurring_ended' });
  });

  const happen: Readonly<Record<string, () => unknown>> = {
    account_frozen: () => room.frozen.add(anan),
    paused: () => {
      stop = refuse('paused');
    },
    index_stale: () => room.index.delete('BTC'),
    beyond_price_band: () => room.index.set('BTC', price('59000')),
  };
  it.each<[string, object, string]>([
    ['money is missing', { amount: money('USDT', 5_000_000_000n) }, 'exceeds_balance'],
    ['the customer is frozen', {}, 'account_frozen'],
    ['the platform has paused it', {}, 'paused'],
    ['the index has stopped', {}, 'index_stale'],
    ['the index is above the highest price', { price_max: price('59999.99') }, 'above_price_max'],
    ['nobody sells at the highest price', { price_max: price('59999.99') }, 'beyond_price_band'],
  ])('skip a purchase once and say why, if %s', async (_when, change, refusal) => {
    const { id } = await add(change);
    happen[refusal]?.();
    await pass(id);
    await recurring.takeDue();
    room.frozen.clear();
    expect(await runs(id)).toMatchObject([{ number: 1, order: null, refusal, spent: null }]);
    expect(await read(id)).toMatchObject({ status: 'active', bought: 0, skipped: 1 });
    expect(notices).toEqual([{ customer: anan, template: 'recurring_skipped', id: `recurring ${id} 1` }]);
    expect(await room.funds(anan, 'USDT')).toBe('1000000000+0');
  });

  it('never pay more than the highest price, and leave the rest', async () => {
    await contracts.revokeAll(mali, null, intent());
    await contracts.order(mali, { side: 'sell', type: 'limit', price: '60000', quantity: '0.0005' });
    await contracts.order(mali, { side: 'sell', type: 'limit', price: '60000.01', quantity: '1' });
    const { id } = await add({ price_max: price('60000') });
    await pass(id);
    expect(await runs(id)).toMatchObject([{ spent: '30.000000', price: '60000.00' }]);
  });

  it('make up for the newest missed time only, and not after six hours', async () => {
    const [recent, old] = [await add(), await add({ hour: 10 })];
    room.clock.ms = Date.parse(recent.next_at ?? '') + 9 * DAY_MS + 5 * HOUR_MS;
    await recurring.takeDue();
    await recurring.takeDue();
    expect(await runs(recent.id)).toMatchObject([{ number: 1, refusal: null }]);
    expect(await runs(old.id)).toMatchObject([{ number: 1, refusal: 'missed' }]);
    expect(notices).toHaveLength(1);
    expect(Date.parse((await read(recent.id)).next_at ?? '')).toBeGreaterThan(room.clock.ms);
  });

  it('do not buy while they are paused, nor at once when they go on', async () => {
    const { id } = await add();
    const paused = await recurring.switch(anan, id, false, room.clock.now());
    expect(paused).toMatchObject({ effect: { status: 'paused', next_at: null } });
    room.clock.ms += 2 * DAY_MS;
    await recurring.takeDue();
    const resumed = await recurring.switch(anan, id, true, room.clock.now());
    expect(resumed).toMatchObject({ effect: { status: 'active' } });
    await recurring.takeDue();
    expect(await runs(id)).toEqual([]);
    await pass(id);
    expect(await runs(id)).toHaveLength(1);
  });

  it('are made once per intent, refused with another request, and ten at a time', async () => {
    const same = intent();
    const first = await recurring.add(anan, daily, same, room.clock.now());
    expect(await recurring.add(anan, daily, same, room.clock.now())).toEqual(first);
    const other = { id: same.id, digest: 'other' };
    expect(await recurring.add(anan, daily, other, room.clock.now())).toMatchObject({
      refusal: 'idempotency_key_reused',
    });
    const added = await Promise.all(
      Array.from({ length: 12 }, () => recurring.add(anan, daily, intent(), room.clock.now())),
    );
    expect(added.filter(({ ok }) => ok)).toHaveLength(9);
    expect(added.find(({ ok }) => !ok)).toMatchObject({ refusal: 'too_many_recurring', params: { max: '10' } });
  });

  it('belong to their customer', async () => {
    const { id } = await add();
    for (const answer of [
      await recurring.read(mali, id),
      await recurring.executions(mali, id, null),
      await recurring.switch(mali, id, false, room.clock.now()),
      await recurring.revoke(mali, id, room.clock.now()),
    ])
      expect(answer).toMatchObject({ ok: false, refusal: 'recurring_unknown' });
    expect((await recurring.list(mali)).items).toEqual([]);
  });

  describe('under attack', () => {
    const buy = (run: { id: string; number: number; day: number }, change = {}, customer = anan) =>
      contracts.buyRecurring(
        customer,
        { coin: 'BTC', amount: money('USDT', 50_000_000n), priceMax: null, ...change },
        run,
        intent(),
      );
    const dayOf = (iso: string | null): number => Math.floor((Date.parse(iso ?? '') + 7 * HOUR_MS) / DAY_MS);

    it('an execution beyond its instruction is refused, and another customer cannot use it', async () => {
      const { id, next_at: next } = await add();
      room.clock.ms = Date.parse(next ?? '');
      const run = { id, number: 1, day: dayOf(next) };
      const none = { ok: false, refusal: 'recurring_not_due' };
      expect(await buy({ ...run, id: randomUUID() })).toMatchObject(none);
      expect(await buy(run, { amount: money('USDT', 50_000_001n) })).toMatchObject(none);
      expect(await buy(run, { coin: 'ETH' })).toMatchObject(none);
      expect(await buy(run, { priceMax: price('61000') })).toMatchObject(none);
      expect(await buy({ ...run, number: 2 })).toMatchObject(none);
      await room.fund(mali, 'USDT', '100');
      expect(await buy(run, {}, mali)).toMatchObject(none);
      expect(await buy(run)).toMatchObject({ ok: true });
      // Twice for one number, and once more for the same day.
      expect(await buy(run)).toMatchObject(none);
      expect(await buy({ ...run, number: 2 })).toMatchObject(none);
      expect(await runs(id)).toHaveLength(1);
    });

    it('a revocation wins or loses against an execution, and nothing is bought after it', async () => {
      for (let n = 0; n < 8; n++) {
        const { id, next_at: next } = await add({ amount: money('USDT', 5_000_000n) });
        room.clock.ms = Date.parse(next ?? '');
        const run = { id, number: 1, day: dayOf(next) };
        const change = { amount: money('USDT', 5_000_000n) };
        const [bought, revoked] = await Promise.all([buy(run, change), recurring.revoke(anan, id, room.clock.now())]);
        expect(revoked.ok).toBe(true);
        expect(await runs(id)).toHaveLength(bought.ok ? 1 : 0);
        expect(await buy({ ...run, number: bought.ok ? 2 : 1 }, change)).toMatchObject({ ok: false });
      }
    });

    it('a kill between the order and what follows it buys once, and notices are sent once', async () => {
      const { id } = await add();
      let isKilled = true;
      const dying = openNew({
        ...contracts,
        buyRecurring: async (...purchase) => {
          const answer = await contracts.buyRecurring(...purchase);
          if (isKilled) throw new Error('killed');
          return answer;
        },
      });
      await pass(id, 0, dying);
      expect(room.faults.splice(0)).toHaveLength(1);
      isKilled = false;
      const successor = openNew(contracts);
      await successor.takeDue();
      await successor.takeDue();
      expect(await runs(id)).toHaveLength(1);
      expect(await read(id)).toMatchObject({ bought: 1 });
      // Two leaders at once, of which one does not know that it was replaced.
      await pass(id);
      await Promise.all([successor.takeDue(), recurring.takeDue(), dying.takeDue()]);
      expect(await runs(id)).toHaveLength(2);
    });

    it('an answer that is lost is given again by the same id', async () => {
      const { id, next_at: next } = await add();
      await pass(id);
      const again = await contracts.buyRecurring(
        anan,
        { coin: 'BTC', amount: money('USDT', 50_000_000n), priceMax: null },
        { id, number: 1, day: dayOf(next) },
        { id: uuidOfName(`recurring ${id} 1`), digest: `recurring ${id} 1` },
      );
      expect(again).toMatchObject({ ok: true, effect: { recurring: id } });
      expect(await runs(id)).toHaveLength(1);
    });

    it('the application’s login cannot change what was ordered, invent an execution or go back', async () => {
      const { id } = await add();
      await pass(id);
      const app = new pg.Client(room.test.app);
      await app.connect();
      const denied = (text: string) => expect(app.query(text, [id])).rejects.toThrow();
      await denied('UPDATE recurring.instruction SET amount = amount * 2 WHERE id = $1');
      await denied('UPDATE recurring.instruction SET bought = 0 WHERE id = $1');
      await denied('UPDATE recurring.instruction SET last_day = last_day - 1 WHERE id = $1');
      await denied('UPDATE recurring.instruction SET attempts = 0 WHERE id = $1');
      await denied('DELETE FROM recurring.execution WHERE instruction = $1');
      await denied(
        'INSERT INTO recurring.execution (instruction, number, day, at_ms, order_sequence) VALUES ($1, 9, 99999, 1, 1)',
      );
      await denied(
        `INSERT INTO contracts.orders (coin, sequence, customer_id, journal, side, type, time_in_force, post_only, quantity, amount, maker_bps, taker_bps,
           accepted_ms, dealt_quantity, dealt_amount, dealt_value, fee, held, is_live, reason, updated_ms, recurring, recurring_number, recurring_day, seal)
         SELECT coin, sequence + 1000, customer_id, gen_random_uuid(), side, type, time_in_force, post_only, quantity, amount, maker_bps, taker_bps,
           accepted_ms, dealt_quantity, dealt_amount, dealt_value, fee, held, is_live, reason, updated_ms, recurring, recurring_number + 1, recurring_day, seal
         FROM contracts.orders WHERE recurring = $1`,
      );
      await recurring.revoke(anan, id, room.clock.now());
      await denied(`UPDATE recurring.instruction SET state = 'active' WHERE id = $1`);
      await app.end();
    });

    it.each([
      [
        'an instruction with a larger amount',
        'UPDATE recurring.instruction SET amount = amount * 2 WHERE id = $1',
        'RP1',
      ],
      [
        'an instruction that ended before its purchase',
        `UPDATE recurring.instruction SET state = 'revoked', next_ms = NULL, changed_ms = created_ms WHERE id = $1`,
        'RP2',
      ],
      ['a purchase that is not counted', 'UPDATE recurring.instruction SET bought = 0 WHERE id = $1', 'RP2'],
      ['an execution that is gone', 'DELETE FROM recurring.execution WHERE instruction = $1', 'C15'],
      ['an execution on another day', 'UPDATE recurring.execution SET day = day + 1 WHERE instruction = $1', 'C15'],
    ])('the checker sees %s, made by somebody who owns the database', async (_what, change, invariant) => {
      const { id } = await add();
      await pass(id);
      const owner = new pg.Client(room.test.owner);
      await owner.connect();
      const sql = (text: string, values: unknown[] = []) => owner.query(text, values);
      const before = await sql('SELECT * FROM recurring.instruction WHERE id = $1', [id]);
      const runsBefore = await sql('SELECT * FROM recurring.execution WHERE instruction = $1', [id]);
      await sql('SET session_replication_role = replica');
      await sql(change, [id]);
      const found = await room.violations();
      expect(found.map(({ invariant: name }) => name)).toContain(invariant);
      const [was] = before.rows;
      await sql(
        'UPDATE recurring.instruction SET amount = $2, state = $3, next_ms = $4, changed_ms = $5, bought = $6 WHERE id = $1',
        [id, was.amount, was.state, was.next_ms, was.changed_ms, was.bought],
      );
      const [run] = runsBefore.rows;
      await sql('DELETE FROM recurring.execution WHERE instruction = $1', [id]);
      await sql('INSERT INTO recurring.execution VALUES ($1, $2, $3, $4, $5, $6)', Object.values(run));
      await owner.end();
    });

    it.each([
      ['another amount', { amount: '49.999999' }],
      ['another coin', { code: 'ETH' }],
      ['another hour', { hour: '20' }],
      ['a highest price that is stored as none', { price_max: '70000' }],
      ['a number of times that is stored as none', { times: '3' }],
    ])('the checker sees a purchase of which the device signed %s', async (_what, change) => {
      const same = { id: randomUUID(), digest: '5'.repeat(64) };
      await recurring.add(anan, daily, same, room.clock.now());
      const owner = new pg.Client(room.test.owner);
      await owner.connect();
      await owner.query('SET session_replication_role = replica');
      /** The invariants that are broken where the device signed these fields. Its signature is forged here. */
      const found = async (fields: Readonly<Record<string, string>>) => {
        const key = '0'.repeat(32);
        const call = 'POST /coin/recur/add';
        const body = writeOrdered({ key, call, intent: 'intent-of-device', fields, atMs: room.clock.ms });
        await owner.query(
          `INSERT INTO customers.ordered (intent, digest, customer, key, body, signature, at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          [same.id, same.digest, anan, key, body, Buffer.alloc(64), room.clock.now()],
        );
        const violations = await room.violations();
        await owner.query('DELETE FROM customers.ordered WHERE intent = $1', [same.id]);
        return violations.filter(({ subjects }) => subjects.includes(same.id)).map(({ invariant }) => invariant);
      };
      const signed = { code: 'BTC', amount: '50', every: 'day', hour: '21' };
      expect(await found(signed)).not.toContain('RP3');
      expect(await found({ ...signed, ...change })).toContain('RP3');
      await owner.end();
    });
  });
});
