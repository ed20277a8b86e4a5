import { isOptionReceipt, verifyOptionReceipt } from '@sathorn/proof';
import { LATE_VOID_WITHIN_MS } from '@sathorn/settlement';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sealNextSegment } from '../market/index.ts';
import type { Options } from './index.ts';
import { type OptionsTest, openOptionsTest, usdt } from './testing.ts';

const PRICE = 64_000_000_000n;

describe('options that late prices settled', () => {
  let test: OptionsTest;
  let options: Options;
  let customer = 200n;

  beforeAll(async () => {
    test = await openOptionsTest();
    options = await test.open();
  });
  afterAll(async () => {
    expect(test.faults).toEqual([]);
    expect(await test.violations()).toEqual([]);
    await test.close();
  });
  beforeEach(async () => {
    customer += 1n;
    await test.fund(customer, '100');
    await test.publish('BTC', (Math.ceil(test.clock.ms / 1_000) + 2) * 1_000, () => PRICE);
    test.clock.ms += 123;
  });

  /** Buys up, and settles at a price that moved by `moved`, with a start and an end tick of this lateness. */
  const settled = async ({ moved = -10_000n, start = 0, end = 0, owner = customer } = {}): Promise<string> => {
    const decision = await options.buy(
      { customer: owner, coin: 'BTC', direction: 'up', stake: usdt('10'), seconds: 30 },
      test.intent(),
    );
    if (!decision.ok) throw new Error(decision.refusal);
    const { id, start_time, end_time } = decision.effect;
    const startMs = Math.floor(Date.parse(start_time) / 1_000) * 1_000 + 1_000;
    const endMs = Math.floor(Date.parse(end_time) / 1_000) * 1_000;
    await test.publish(
      'BTC',
      endMs + 2_000,
      (atMs) => (atMs >= endMs ? PRICE + moved : PRICE),
      (atMs) => (atMs === startMs ? start : atMs === endMs ? end : 0),
    );
    await options.settleDue();
    return id;
  };
  const haveVoid = (id: string, owner = customer) => options.haveVoid(owner, id, test.intent());
  const receiptOf = async (id: string) => {
    const read = await options.read(customer, id);
    if (!read.ok) throw new Error(read.refusal);
    const sent: unknown = JSON.parse(JSON.stringify(read.effect.receipt));
    if (!isOptionReceipt(sent)) throw new Error('not a receipt');
    return sent;
  };

  it('say how late they were, and are counted by coin, for whom they decided, and by reason', async () => {
    const [before] = await options.coinFigures(0);
    const ids = [
      await settled({ end: 6_000 }),
      await settled({ start: 700, moved: 10_000n }),
      await settled({ start: 5_001, moved: 0n }),
      await settled(),
    ];
    const late = await test.asApp(
      `SELECT status, start_late_ms, end_late_ms FROM options.orders WHERE id = ANY ($1::uuid[]) ORDER BY accepted_ms`,
      [ids],
    );
    expect(late).toEqual([
      { status: 'lost', start_late_ms: 0, end_late_ms: 6_000 },
      { status: 'won', start_late_ms: 700, end_late_ms: 0 },
      { status: 'tie', start_late_ms: 5_001, end_late_ms: 0 },
      { status: 'lost', start_late_ms: 0, end_late_ms: 0 },
    ]);
    expect(before).toBeUndefined();
    expect(await options.coinFigures(0)).toEqual([
      {
        coin: 'BTC',
        orders: 4,
        late: { orders: 3, won: 1, lost: 1 },
        veryLate: { orders: 2, won: 0, lost: 1 },
        noStartTick: 0,
        noEndTick: 0,
        hadVoid: 0,
      },
    ]);
  });

  it('are counted with how long each had waited, the customers with the shortest and longest waits too', async () => {
    const beganMs = test.clock.ms;
    const waited = async (ms: number, owner: bigint) => {
      const now = test.clock.ms;
      const command = { customer: owner, coin: 'BTC', direction: 'up', stake: usdt('10'), seconds: 30 } as const;
      expect((await options.buy({ ...command, arrivedMs: now - ms }, test.intent())).ok).toBe(true);
    };
    await waited(0, customer);
    const base = (await options.waitFigures(beganMs))?.median ?? -1;
    expect(base).toBeGreaterThanOrEqual(0);
    const slow = customer + 50n;
    await test.fund(slow, '100');
    await waited(3_000, slow);
    const found = await options.waitFigures(beganMs);
    expect(found).toEqual({ orders: 2, median: base, p99: base + 3_000, quickTenth: base, slowTenth: base + 3_000 });
    expect(await options.waitFigures(beganMs + 86_400_000)).toBeNull();
  });

  it('are had void once by who lost: the stake goes back, and the receipt verifies with it', async () => {
    const id = await settled({ end: 5_001 });
    expect((await test.spot(customer)).available).toBe(usdt('90').units);
    const notices = await test.asApp('SELECT template FROM messages.message WHERE owner = $1', [customer]);
    expect(notices).toEqual([{ template: 'option_late' }]);
    const read = await options.read(customer, id);
    expect(read).toMatchObject({ ok: true, effect: { late: { start_ms: 0, end_ms: 5_001, voided_at: null } } });
    const intent = test.intent();
    const [first, again] = await Promise.all([options.haveVoid(customer, id, intent), haveVoid(id)]);
    expect([first.ok, again.ok].filter(Boolean)).toHaveLength(1);
    expect(first.ok ? again : first).toMatchObject({ refusal: 'already_void' });
    expect(await haveVoid(id)).toMatchObject({ refusal: 'already_void' });
    if (first.ok) {
      expect(await options.haveVoid(customer, id, intent)).toMatchObject({
        ok: true,
        effect: { status: 'lost', late: { void_until: null, voided_at: expect.any(String) } },
      });
    }
    expect((await test.spot(customer)).available).toBe(usdt('100').units);
    expect(await options.totals(customer, test.clock.now())).toMatchObject({ lost: 1, profit: '0.000000' });
    const receipt = await receiptOf(id);
    expect(receipt.result).toMatchObject({ status: 'lost', credited: '0' });
    expect(receipt.transfers).toHaveLength(5);
    expect(receipt.transfers[4]).toMatchObject({
      kind: 'single',
      from: 'house:options_pool',
      to: 'customer:spot',
      amount: '10000000',
    });
    expect((await verifyOptionReceipt(receipt, test.keys, { rulesHash: test.rulesHash })).verified).toBe(true);
    expect((await options.coinFigures(0))[0]?.hadVoid).toBe(1);
  });

  it('are refused to others, to winners, on time and after seven days', async () => {
    const won = await settled({ end: 9_000, moved: 10_000n });
    const onTime = await settled({ start: 5_000, end: 5_000 });
    const lost = await settled({ start: 5_001 });
    expect(await haveVoid(won)).toMatchObject({ refusal: 'order_not_lost' });
    expect(await haveVoid(onTime)).toMatchObject({ refusal: 'prices_not_late' });
    expect(await haveVoid(lost, customer - 1n)).toMatchObject({ refusal: 'order_unknown' });
    expect(await haveVoid('no id')).toMatchObject({ refusal: 'order_unknown' });
    const now = test.clock.ms;
    test.clock.ms += LATE_VOID_WITHIN_MS + 1;
    expect(await haveVoid(lost)).toMatchObject({ refusal: 'void_too_late' });
    test.clock.ms = now;
    expect(await haveVoid(lost)).toMatchObject({ ok: true });
  });

  it('can’t be voided or told on time by writing to the tables', async () => {
    const onTime = await settled();
    const write = (id: string, owner = customer, units = 10_000_000) =>
      test.asApp(
        `INSERT INTO options.voiding (order_id, customer_id, units, journal, transfer) VALUES ($1, $2, $3, gen_random_uuid(), 1)`,
        [id, owner, units],
      );
    await expect(write(onTime)).rejects.toMatchObject({ code: 'OP011' });
    const lost = await settled({ end: 8_000 });
    await expect(write(lost, customer + 1n)).rejects.toMatchObject({ code: 'OP011' });
    await expect(write(lost, customer, 10_000_001)).rejects.toMatchObject({ code: 'OP011' });
    await expect(test.asApp(`UPDATE options.orders SET end_late_ms = 0 WHERE id = $1`, [lost])).rejects.toThrow();
    expect(await haveVoid(lost)).toMatchObject({ ok: true });
    await expect(write(lost)).rejects.toThrow(/voiding_pkey/);
    for (const text of ['DELETE FROM options.voiding', 'UPDATE options.voiding SET units = 1'])
      await expect(test.asOwner(text)).rejects.toThrow('kept for ever');
  });

  it('stay so after their ticks were sealed', async () => {
    const id = await settled({ end: 7_500 });
    await test.publish('BTC', test.clock.ms + 150_000, () => PRICE);
    while (await sealNextSegment(test.test.index, 'BTC', { ticks: 50, ageSeconds: 60 }));
    const kept = await test.asOwner(
      `SELECT t.late_ms, EXISTS (SELECT FROM market.tick m WHERE m.coin = o.coin AND m.sequence = o.end_sequence) AS is_hot
       FROM options.orders o CROSS JOIN LATERAL market.kept_tick(o.coin, o.end_sequence) t WHERE o.id = $1`,
      [id],
    );
    expect(kept).toEqual([{ late_ms: 7_500, is_hot: false }]);
    expect(await test.violations()).toEqual([]);
    const change = (lateMs: number) =>
      test.asOwner(
        `SET session_replication_role = replica; UPDATE options.orders SET end_late_ms = ${lateMs} WHERE id = '${id}';
         SET session_replication_role = DEFAULT`,
      );
    await change(0);
    expect(await test.violations()).toMatchObject([{ invariant: 'I7b' }]);
    await change(7_500);
    expect(await haveVoid(id)).toMatchObject({ ok: true });
  });

  it.each([
    ['a lateness that the ticks don’t say', 'I7b', `UPDATE options.orders SET end_late_ms = 0 WHERE id = $1`],
    ['a void of what was on time', 'I7e', `UPDATE options.orders SET end_late_ms = 1 WHERE id = $1`],
    ['a void without its repayment', 'I7e', `UPDATE options.voiding SET transfer = 1 WHERE order_id = $1`],
    ['a repayment without its void', 'K2', `DELETE FROM options.voiding WHERE order_id = $1`],
  ])('the checker finds %s', async (_what, id, text) => {
    const order = await settled({ end: 7_000 });
    expect(await haveVoid(order)).toMatchObject({ ok: true });
    const change = (statement: string, values: unknown[] = []) => test.asOwner(statement, values);
    await change('SET session_replication_role = replica');
    const kept = await change('SELECT end_late_ms FROM options.orders WHERE id = $1', [order]);
    const voiding = await change('SELECT * FROM options.voiding WHERE order_id = $1', [order]);
    await change(text, [order]);
    // K2 is asked only where all modules are.
    const found = (await test.violations(id === 'K2' ? 'platform' : 'module')) as { invariant: string }[];
    await change('UPDATE options.orders SET end_late_ms = $2 WHERE id = $1', [order, Object.values(kept[0] ?? {})[0]]);
    await change('DELETE FROM options.voiding WHERE order_id = $1', [order]);
    await change('INSERT INTO options.voiding SELECT * FROM json_populate_record(NULL::options.voiding, $1)', [
      JSON.stringify(voiding[0]),
    ]);
    await change('SET session_replication_role = DEFAULT');
    expect(found.map(({ invariant }) => invariant)).toContain(id);
    expect(await test.violations()).toEqual([]);
  });
});
