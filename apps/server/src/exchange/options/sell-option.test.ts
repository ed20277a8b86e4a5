import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { formatMoney, parseMoney } from '@sathorn/money';
import { isOptionReceipt, priceOfSale, verifyOptionReceipt } from '@sathorn/proof';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { statement } from '../../platform/database/index.ts';
import { sealNextSegment } from '../market/index.ts';
import type { Options } from './index.ts';
import { type OptionsTest, openOptionsTest, usdt } from './testing.ts';

const PRICE = 64_000_000_000n;
const LOCK = statement('test.lock_option', 'SELECT FROM options.orders WHERE id = $1 FOR UPDATE');
const TERMS = { vol: 5_000, band: 2_000, spread: 200, closed: 5_000 };

describe('options that are sold before their end', () => {
  let test: OptionsTest;
  let options: Options;
  let customer = 300n;
  let price = PRICE;

  beforeAll(async () => {
    test = await openOptionsTest();
    await test.asOwner(
      `INSERT INTO options.sale_terms (coin, effective_from, offered, vol_bps, band_bps, spread_bps, closed_ms)
       VALUES ('BTC', 'epoch', true, ${TERMS.vol}, ${TERMS.band}, ${TERMS.spread}, ${TERMS.closed}), ('ETH', 'epoch', false, 5000, 2000, 200, 5000)`,
    );
    options = await test.open();
  });
  afterAll(async () => {
    expect(test.faults).toEqual([]);
    await test.close();
  });
  beforeEach(async () => {
    customer += 1n;
    price = PRICE;
    await test.fund(customer, '100');
    await advance(2);
  });
  afterEach(async () => {
    // Each case ends with books in which nothing is wrong.
    expect(await test.violations()).toEqual([]);
  });

  /** Publishes so many seconds at `price`; the clock is 123 ms after the last. */
  async function advance(seconds: number): Promise<void> {
    await test.publish('BTC', (Math.floor(test.clock.ms / 1_000) + seconds) * 1_000, () => price);
    test.clock.ms = Math.floor(test.clock.ms / 1_000) * 1_000 + 123;
  }
  async function bought({ direction = 'up' as 'up' | 'down', stake = '10', seconds = 60 } = {}): Promise<string> {
    const decision = await options.buy(
      { customer, coin: 'BTC', direction, stake: usdt(stake), seconds },
      test.intent(),
    );
    if (!decision.ok) throw new Error(decision.refusal);
    // The start tick comes after the acceptance, a second from now.
    await advance(3);
    return decision.effect.id;
  }
  const bidOf = async (id: string, owner = customer) => {
    const decision = await options.bid(owner, id);
    if (!decision.ok) throw new Error(decision.refusal);
    return decision.effect;
  };
  type Asked = { readonly id: string; readonly price: string; readonly tick: string };
  const sell = (of: Options, { id, price: text, tick }: Asked, intent = test.intent(), owner = customer) => {
    const amount = parseMoney('USDT', text);
    if (amount === undefined) throw new RangeError(text);
    return of.sell({ customer: owner, id, price: amount, sequence: BigInt(tick) }, test.clock.ms, intent);
  };
  /** Asks, and publishes the tick that takes the sale. */
  async function soldAt(asked: Asked, { intent = test.intent(), owner = customer, next = price } = {}) {
    const selling = sell(options, asked, intent, owner);
    price = next;
    await advance(1);
    return selling;
  }
  const receiptOf = async (id: string) => {
    const read = await options.read(customer, id);
    if (!read.ok) throw new Error(read.refusal);
    const sent: unknown = JSON.parse(JSON.stringify(read.effect.receipt));
    if (!isOptionReceipt(sent)) throw new Error('not a receipt');
    return sent;
  };
  const exposed = async () =>
    (await options.exposures()).filter(({ code }) => code === 'BTC').map(({ up, down }) => up + down)[0] ?? 0n;

  it.each([
    ['a profit', 5_000_000n],
    ['a loss', -5_000_000n],
    ['a small loss at the start price', 0n],
  ])('pay the price with %s, release the promise, and have a receipt that verifies', async (_, moved) => {
    const before = await exposed();
    const id = await bought();
    price += moved;
    await advance(10);
    const bid = await bidOf(id);
    const decision = await soldAt({ id, ...bid });
    if (!decision.ok) throw new Error(decision.refusal);
    expect(decision.effect).toMatchObject({
      status: 'sold',
      sell_price: bid.price,
      profit: bid.profit,
      fee: '0.000000',
    });
    const units = parseMoney('USDT', bid.price)?.units ?? 0n;
    expect(await test.spot(customer)).toEqual({ available: 90_000_000n + units, held: 0n });
    expect(await exposed()).toBe(before);

    const receipt = await receiptOf(id);
    const verdict = await verifyOptionReceipt(receipt, test.keys, { rulesHash: test.rulesHash });
    expect(verdict.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(verdict.checks.map(({ name }) => name)).toContain('sold_in_time');
    // A reviewer of a dispute gets the price from the stored ticks.
    expect((await options.evidence(customer, id))?.recomputed).toEqual({ status: 'sold', profit: bid.profit });
    // A unit less, in the result and in the transfers.
    const less = JSON.parse(JSON.stringify(receipt).replaceAll(`"${units}"`, `"${units - 1n}"`));
    expect((await verifyOptionReceipt(less, test.keys)).verified).toBe(false);
  });

  it('are sold once: the same request gets the first answer, another is refused', async () => {
    const id = await bought();
    await advance(5);
    const [bid, intent] = [await bidOf(id), test.intent()];
    const first = await soldAt({ id, ...bid }, { intent });
    expect(first).toMatchObject({ ok: true });
    expect(await sell(options, { id, ...bid }, intent)).toEqual(first);
    expect(await soldAt({ id, ...bid })).toMatchObject({ ok: false, refusal: 'order_settled' });
    expect(await options.bid(customer, id)).toMatchObject({ refusal: 'order_settled' });
    await advance(70);
    expect(await options.settleDue()).toBe(0);
  });

  it('are refused to strangers, without terms, early, late, at another price and after the index has turned', async () => {
    const id = await bought();
    await advance(5);
    const bid = await bidOf(id);
    const refusal = async (asked: Partial<Asked>, change: Parameters<typeof soldAt>[1] = {}) => {
      const decision = await soldAt({ id, ...bid, ...asked }, change);
      return decision.ok ? 'sold' : decision.refusal;
    };
    expect(await refusal({}, { owner: customer + 1_000n })).toBe('order_unknown');
    expect(await refusal({ id: randomUUID() })).toBe('order_unknown');
    expect(await refusal({ price: '9.999999' })).toBe('price_moved');
    expect(await refusal({ tick: '1' })).toBe('price_moved');
    expect(await refusal({ tick: '999999' })).toBe('price_moved');
    await advance(1);
    const next = await bidOf(id);
    // A price of three seconds ago, at which the index still is.
    expect(await refusal({ ...bid })).toBe('price_moved');
    expect(next.tick).not.toBe(bid.tick);
    // The index falls between the tap and the tick that takes the sale: the new price comes back.
    const held = await test.spot(customer);
    const asked = await bidOf(id);
    const moved = await soldAt({ id, ...asked }, { next: price - 3_000_000n });
    expect(moved).toMatchObject({ ok: false, refusal: 'price_moved' });
    expect(await test.spot(customer)).toEqual(held);
    const now = await bidOf(id);
    if (!moved.ok) expect(moved.params).toEqual({ price: now.price, tick: now.tick });
    // A worthless one, and the closed time.
    price = PRICE - 160_000_000n;
    await advance(1);
    expect(await options.bid(customer, id)).toMatchObject({ refusal: 'sale_worthless' });
    expect(await refusal({})).toBe('sale_worthless');
    price = PRICE;
    await advance(41);
    const late = await options.bid(customer, id);
    expect(late).toMatchObject({ refusal: 'sale_closed' });
    expect(await refusal({})).toBe('sale_closed');
    await advance(10);
    await options.settleDue();
    expect(await refusal({})).toBe('order_settled');
    expect((await receiptOf(id)).result.status).toBe('tie');
  });

  it('are not sold where no tick takes the sale, and before their start', async () => {
    const decision = await options.buy(
      { customer, coin: 'BTC', direction: 'up', stake: usdt('10'), seconds: 60 },
      test.intent(),
    );
    if (!decision.ok) throw new Error(decision.refusal);
    const { id } = decision.effect;
    expect(await options.bid(customer, id)).toMatchObject({ refusal: 'sale_too_early' });
    await advance(3);
    const bid = await bidOf(id);
    // Nothing is published: after some seconds the index counts as stale.
    expect(await sell(options, { id, ...bid })).toMatchObject({ ok: false, refusal: 'index_stale' });
    await advance(1);
    await test.publish('ETH', test.clock.ms + 2_000, () => 3_000_000_000n);
    await test.publish('BTC', test.clock.ms, () => price);
    const other = await options.buy(
      { customer, coin: 'ETH', direction: 'up', stake: usdt('10'), seconds: 60 },
      test.intent(),
    );
    if (!other.ok) throw new Error(other.refusal);
    expect(other.effect).not.toHaveProperty('sale');
    expect(await options.bid(customer, other.effect.id)).toMatchObject({ refusal: 'sale_not_offered' });
    await advance(80);
    await test.publish('ETH', test.clock.ms, () => 3_000_000_000n);
    await options.settleDue();
  });

  it('have exactly one of a sale and a settlement, also when both are under way at once', async () => {
    const others = await Promise.all([test.open(), test.open()]);
    const outcomes = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      price = PRICE + 4_000_000n;
      const ids = [await bought(), await bought({ direction: 'down' })];
      await advance(44);
      const bids = await Promise.all(ids.map((id) => bidOf(id)));
      const before = await test.spot(customer);
      // Both servers sell each option twice, while the clock runs over the end and two settlers settle.
      const selling = ids.flatMap((id, n) =>
        [options, ...others].map((of) => sell(of, { id, ...(bids[n] as (typeof bids)[number]) })),
      );
      await advance(1);
      const settling = pause(round * 20)
        .then(() => advance(20))
        .then(() => Promise.all(others.map((of) => of.settleDue())));
      const decided = await Promise.allSettled(selling);
      await settling;
      await advance(20);
      await Promise.all(others.map((of) => of.settleDue()));
      const sold = decided.filter((one) => one.status === 'fulfilled' && one.value.ok).length;
      // Twenty seconds between a decision and its rows, which only this test has: the database refuses the sale.
      for (const one of decided)
        if (one.status === 'rejected') expect(String(one.reason)).toContain('price of its tick');
      const rows = await test.asApp<{ status: string; credited: string }>(
        'SELECT status, credited FROM options.orders WHERE id = ANY ($1::uuid[])',
        [ids],
      );
      expect(rows.filter(({ status }) => status === 'sold')).toHaveLength(sold);
      expect(rows.every(({ status }) => status !== 'holding')).toBe(true);
      const credited = rows.reduce((sum, row) => sum + BigInt(row.credited), 0n);
      expect((await test.spot(customer)).available).toBe(before.available + credited);
      for (const { status } of rows) outcomes.add(status);
      await test.fund(customer, '20');
    }
    // Whichever came first: the two sides of the moment are both seen.
    expect([...outcomes].sort()).toEqual(['sold', 'tie']);
  });

  it('leave an order that a settlement has locked, and a settlement leaves one that is sold', async () => {
    const id = await bought();
    await advance(10);
    const bid = await bidOf(id);
    const lock = await test.test.database.transaction(async (transaction) => {
      await transaction.query(LOCK, [id]);
      return soldAt({ id, ...bid });
    });
    expect(lock).toMatchObject({ ok: false, refusal: 'order_settled' });
    expect(await soldAt({ id, ...(await bidOf(id)) })).toMatchObject({ ok: true });
  });

  it('are sold by the database only at the price of the formula, at a tick that is new, before the end', async () => {
    const id = await bought();
    await advance(10);
    const bid = await bidOf(id);
    const [row] = await test.asOwner<{ start: string; start_price: string }>(
      `SELECT t.sequence AS start, t.price AS start_price FROM options.orders o JOIN LATERAL (SELECT sequence, price FROM market.tick
       WHERE coin = 'BTC' AND at > options.at(o.accepted_ms) ORDER BY at LIMIT 1) t ON true WHERE o.id = $1`,
      [id],
    );
    const units = parseMoney('USDT', bid.price)?.units ?? 0n;
    const forge = (credited: bigint, tick = BigInt(bid.tick), of = price) =>
      test.asApp(
        `SELECT options.sell_orders(ARRAY[$1]::uuid[], ARRAY[$2]::bigint[], ARRAY[$3]::bigint[], ARRAY[0], ARRAY[$4]::bigint[], ARRAY[$5]::bigint[], ARRAY[0],
           ARRAY[$6]::bigint[], $7, ARRAY[gen_random_uuid()])`,
        [id, row?.start, row?.start_price, tick, of, credited, test.clock.ms],
      );
    for (const credited of [units + 1n, units - 1n, 17_000_000n, 0n, -1n])
      await expect(forge(credited)).rejects.toThrow();
    await expect(forge(units, BigInt(bid.tick), price + 1n)).rejects.toThrow('price of its tick');
    // The price of an older tick, when the newest is more than ten seconds later.
    await advance(12);
    await expect(forge(units)).rejects.toThrow('price of its tick');
    await expect(test.asApp(`UPDATE options.orders SET sell_vol_bps = 1 WHERE id = $1`, [id])).rejects.toThrow(
      'permission denied',
    );
    await soldAt({ id, ...(await bidOf(id)) });
    await expect(forge(units)).rejects.toThrow();
  });

  it('are found by the checker when their price is not the formula’s', async () => {
    const id = await bought();
    await advance(10);
    await soldAt({ id, ...(await bidOf(id)) });
    // Another tick of the same price: only its time differs, and with it the price of the formula.
    const change = (by: number) =>
      test.asOwner(
        `ALTER TABLE options.orders DISABLE TRIGGER ALL; UPDATE options.orders SET end_sequence = end_sequence + (${by}) WHERE id = '${id}';
         ALTER TABLE options.orders ENABLE TRIGGER ALL`,
      );
    await change(-2);
    const found = await test.violations();
    await change(2);
    expect(found).toEqual([expect.objectContaining({ invariant: 'I7f', subjects: [id] })]);
  });

  it('keep the signature of their tick when ticks are packed', async () => {
    const id = await bought({ seconds: 300 });
    price += 2_000_000n;
    await advance(10);
    await soldAt({ id, ...(await bidOf(id)) });
    await advance(400);
    while (await sealNextSegment(test.test.index, 'BTC', { ticks: 50, ageSeconds: 60 })) void 0;
    const verdict = await verifyOptionReceipt(await receiptOf(id), test.keys);
    expect(verdict.checks.filter(({ ok }) => !ok)).toEqual([]);
  });

  it('have the price that three independent copies of the formula give', async () => {
    const id = await bought({ direction: 'down', stake: '7.000001' });
    price -= 1_230_000n;
    await advance(7);
    const bid = await bidOf(id);
    const receipt = await receiptOf(id);
    const [row] = await test.asOwner<{ bid: string; left: string }>(
      `SELECT options.bid(false, stake, promised - (promised * fee_bps + 9999) / 10000, $2, $3, 10000, ends_ms - $4::bigint, 5000, 2000, 200) AS bid,
         ends_ms - $4::bigint AS left FROM options.orders WHERE id = $1`,
      [id, PRICE, price, Math.floor(test.clock.ms / 1_000) * 1_000],
    );
    const stake = 7_000_001n;
    const profit = (stake * 7_800n) / 10_000n;
    const other = priceOfSale({
      sale: { volatilityBasisPoints: 5_000n, bandBasisPoints: 2_000n, spreadBasisPoints: 200n, closedMs: 5_000 },
      isUp: false,
      stake,
      gain: profit - (profit * 200n + 9_999n) / 10_000n,
      startPrice: PRICE,
      price,
      step: 10_000n,
      leftMs: Number(row?.left),
    });
    expect(receipt.terms.body).toContain('"sell_vol_bps":"5000"');
    expect(row?.bid).toBe(String(other));
    expect(bid.price).toBe(formatMoney({ asset: 'USDT', units: other as never }));
    await soldAt({ id, ...(await bidOf(id)) });
  });
});
