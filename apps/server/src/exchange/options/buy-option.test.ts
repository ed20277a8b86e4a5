import { money } from '@sathorn/money';
import { readOptionTerms, verifyTreeSignedText } from '@sathorn/proof';
import { ACCEPTED_AFTER_MS } from '@sathorn/settlement';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../ledger/index.ts';
import type { Options } from './index.ts';
import { type OptionsTest, openOptionsTest, usdt } from './testing.ts';

const up = (customer: bigint, stake: string, seconds = 30) =>
  ({ customer, coin: 'BTC', direction: 'up', stake: usdt(stake), seconds }) as const;

describe('buying an option', () => {
  let test: OptionsTest;
  let options: Options;

  beforeAll(async () => {
    test = await openOptionsTest();
    options = await test.open();
    await test.publish('BTC', test.clock.ms + 5_000, () => 64_000_000_000n);
    await Promise.all([11n, 12n, 13n].map((customer) => test.fund(customer, '20000')));
  });
  afterAll(async () => {
    expect(test.faults).toEqual([]);
    expect(await test.violations()).toEqual([]);
    await test.close();
  });

  it('holds the stake, and in the pool the amount that a win would add', async () => {
    const pool = async () => (await test.ledger.balances(0n)).find(({ account }) => account.name === 'options_pool');
    const before = await pool();
    const decision = await options.buy(up(11n, '100'), test.intent());
    expect(decision).toMatchObject({
      ok: true,
      effect: {
        name: 'BTC',
        direction: 'up',
        quantity: '100.000000',
        buy_price: '100.000000',
        sell_price: null,
        start_price: null,
        end_price: null,
        duration: 30,
        payout: '0.75',
        fee_rate: '0.02',
        win_credit: '173.500000',
        status: 'holding',
        reason: null,
        disputed: false,
        origin: 'sim',
        start_time: new Date(test.clock.ms + ACCEPTED_AFTER_MS).toISOString(),
        end_time: new Date(test.clock.ms + ACCEPTED_AFTER_MS + 30_000).toISOString(),
      },
    });
    expect(await test.spot(11n)).toEqual({ available: usdt('19900').units, held: usdt('100').units });
    expect((await pool())?.held).toBe((before?.held ?? 0n) + usdt('75').units);
  });

  it('repeats the first answer to the same intent, and moves nothing', async () => {
    const intent = test.intent();
    const first = await options.buy(up(12n, '50'), intent);
    const held = (await test.spot(12n)).held;
    const again = await Promise.all(Array.from({ length: 8 }, () => options.buy(up(12n, '50'), intent)));
    for (const answer of again) expect(answer).toEqual(first);
    expect((await test.spot(12n)).held).toBe(held);
    expect(await options.buy(up(12n, '51'), { ...intent, digest: 'other' })).toMatchObject({
      refusal: 'idempotency_key_reused',
    });
  });

  it('answers each order of a batch with its own signed terms, which name the arrival and the nonce', async () => {
    const arrivedMs = test.clock.ms - 250;
    const publicKey = test.keys.find(({ use }) => use === 'receipt')?.public_key ?? '';
    const asked = Array.from({ length: 70 }, (_, n) => ({
      intent: test.intent(),
      nonce: `nonce-${String(n).padStart(2, '0')}-0123456789abcdef`,
    }));
    const buy = ({ intent, nonce }: (typeof asked)[number]) =>
      options.buy({ ...up(12n, '1'), arrivedMs, nonce }, intent);
    const first = await Promise.all(asked.map(buy));
    for (const [n, answer] of first.entries()) {
      if (!answer.ok || answer.effect.terms === undefined) throw new Error('not bought with terms');
      const { id, terms, start_time } = answer.effect;
      expect(await verifyTreeSignedText(terms, publicKey)).toBeNull();
      expect(readOptionTerms(terms.body)).toMatchObject({
        order: id,
        direction: 'up',
        stake: usdt('1').units,
        acceptedMs: Date.parse(start_time),
        rules: test.rulesHash,
        arrival: { atMs: arrivedMs, nonce: asked[n]?.nonce },
      });
      const read = await options.read(12n, id);
      const receipt = read.ok ? read.effect.receipt : null;
      expect(receipt?.terms).toEqual(terms);
      // The terms name the order's own hold, so no receipt can show another order's transfers.
      expect(receipt?.transfers[0]?.seq).toBe(String(readOptionTerms(terms.body)?.hold));
    }
    // There are more orders than one tree holds, and some share a tree.
    const trees = new Set(first.map((answer) => answer.ok && answer.effect.terms?.tree.hash));
    expect(trees.size).toBeGreaterThan(1);
    expect(trees.size).toBeLessThan(asked.length);
    // A later process, which did not sign the terms, reads them from the database.
    const later = await test.open({
      ledger: openLedger({
        eligibility: test.eligibility,
        database: test.test.database,
        clock: test.clock,
        bus: test.bus,
      }).api,
    });
    for (const [n, one] of asked.slice(0, 3).entries())
      expect(await later.buy({ ...up(12n, '1'), nonce: one.nonce }, one.intent)).toEqual(first[n]);
  });

  it('signs an empty nonce for an app that sends none', async () => {
    const answer = await options.buy(up(12n, '1'), test.intent());
    if (!answer.ok || answer.effect.terms === undefined) throw new Error('not bought with terms');
    expect(readOptionTerms(answer.effect.terms.body)?.arrival).toEqual({ atMs: test.clock.ms, nonce: '' });
  });

  it.each([
    ['below the minimum', '0.999999', 30, 'below_minimum', { min: '1.000000' }],
    ['nothing at all', '0', 30, 'below_minimum', { min: '1.000000' }],
    ['above the maximum', '10000.000001', 30, 'above_maximum', { max: '10000.000000' }],
    ['a duration that is not offered', '10', 31, 'duration_not_offered', undefined],
  ])('refuses %s', async (_, stake, seconds, refusal, params) => {
    const before = await test.spot(13n);
    const decision = await options.buy(up(13n, stake, seconds), test.intent());
    expect(decision).toMatchObject({ ok: false, refusal });
    expect(decision.ok ? undefined : decision.params).toEqual(params);
    expect(await test.spot(13n)).toEqual(before);
  });

  it('refuses a stake above the balance, also for a customer without any account', async () => {
    await test.fund(14n, '10');
    expect(await options.buy(up(14n, '10.000001'), test.intent())).toMatchObject({
      refusal: 'exceeds_balance',
      field: 'quantity',
      params: { available: '10.000000' },
    });
    expect(await options.buy(up(9_999n, '1'), test.intent())).toMatchObject({ refusal: 'exceeds_balance' });
    expect(await options.buy(up(14n, '10'), test.intent())).toMatchObject({ ok: true });
  });

  it('refuses a frozen account, and accepts its purchases again when it is unfrozen', async () => {
    test.frozen.add(13n);
    expect(await options.buy(up(13n, '10'), test.intent())).toMatchObject({ refusal: 'account_frozen' });
    test.frozen.delete(13n);
    expect(await options.buy(up(13n, '10'), test.intent())).toMatchObject({ ok: true });
  });

  it('sells nothing if the product is switched off, and still shows earlier orders', async () => {
    const intent = test.intent();
    const bought = await options.buy(up(13n, '10'), intent);
    if (!bought.ok) throw new Error(bought.refusal);
    const closed = await test.open({ isSelling: () => false });
    expect(closed.optionTerms('BTC')).toEqual([]);
    const before = await test.spot(13n);
    expect(await closed.buy(up(13n, '10'), test.intent())).toEqual({
      ok: false,
      refusal: 'coin_not_offered',
      field: 'code',
    });
    // A customer who lost the answer and repeats the request gets the original answer and not a refusal.
    expect(await closed.buy(up(13n, '10'), intent)).toEqual(bought);
    expect(await test.spot(13n)).toEqual(before);
    expect(await closed.read(13n, bought.effect.id)).toMatchObject({ ok: true, effect: { status: 'holding' } });
  });

  it('refuses while the index is stale, and after a jump', async () => {
    expect(await options.buy({ ...up(13n, '10'), coin: 'ETH' }, test.intent())).toMatchObject({
      refusal: 'index_stale',
    });
    const at = test.clock.ms;
    test.clock.ms = at + 3_001;
    expect(await options.buy(up(13n, '10'), test.intent())).toMatchObject({ refusal: 'index_stale' });
    test.clock.ms = at;
    await test.publish('ETH', at + 1_000, () => 3_000_000_000n);
    await test.publish('ETH', at + 2_000, () => 4_000_000_000n);
    expect(await options.buy({ ...up(13n, '10'), coin: 'ETH' }, test.intent())).toMatchObject({
      refusal: 'index_stale',
    });
  });

  it('never dates an order before a tick that somebody may have seen', async () => {
    await test.publish('BTC', (Math.ceil(test.clock.ms / 1_000) + 2) * 1_000, () => 64_000_000_000n);
    const newest = test.clock.ms;
    test.clock.ms = newest - 700;
    const lagging = await options.buy(up(13n, '10'), test.intent());
    expect(lagging).toMatchObject({
      ok: true,
      effect: { start_time: new Date(newest + ACCEPTED_AFTER_MS).toISOString() },
    });
    // Another process has published the tick, and this one has not received it yet.
    const follower = await test.open({ market: { ...test.market, newestTickMs: () => newest - 2_000 } });
    expect(await follower.buy(up(13n, '10'), test.intent())).toMatchObject({
      ok: true,
      effect: { start_time: new Date(newest + ACCEPTED_AFTER_MS).toISOString() },
    });
    test.clock.ms = newest - 2_001;
    expect(await options.buy(up(13n, '10'), test.intent())).toMatchObject({ refusal: 'index_stale' });
    test.clock.ms = newest;
    // The database rejects such an order too, if the application tries to write it.
    const insert = `INSERT INTO options.orders (id, customer_id, coin, direction, stake, payout_bps, fee_bps, promised, accepted_ms, duration_ms, ends_ms, origin, stake_hold, promised_hold, terms_tree, terms_index)
      VALUES (gen_random_uuid(), 13, 'BTC', 'up', 1000000, 7500, 200, 750000, $1::bigint, 30000, $1::bigint + 30000, 'sim', 1, 2, gen_random_uuid(), 0)`;
    await expect(test.asApp(insert, [newest - 2_001])).rejects.toThrow('older than a tick that is kept');
  });

  it('spends the last unit once, however many requests try', async () => {
    await test.fund(15n, '1');
    const answers = await Promise.all(Array.from({ length: 500 }, () => options.buy(up(15n, '1'), test.intent())));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.filter((answer) => !answer.ok && answer.refusal === 'exceeds_balance')).toHaveLength(499);
    expect(await test.spot(15n)).toEqual({ available: 0n, held: usdt('1').units });
  });

  it('keeps possible payouts within the limits, also when many buy at once in two processes', async () => {
    await test.asOwner(
      `INSERT INTO options.terms (coin, seconds, effective_from, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max)
       VALUES ('SOL', 60, timestamptz '2036-11-30', 8000, 200, 1000000, 100000000, 100000000, 150000000)`,
    );
    await test.publish('SOL', Math.ceil(test.clock.ms / 60_000) * 60_000 + 1_000, () => 150_000_000n);
    await test.fund(16n, '10000');
    // Simulates another process with its own ledger and memory on the same database.
    const other = await test.open({
      ledger: openLedger({
        eligibility: test.eligibility,
        database: test.test.database,
        clock: test.clock,
        bus: test.bus,
      }).api,
    });
    const buy = (room: Options, direction: 'up' | 'down') =>
      room.buy({ ...up(16n, '10', 60), coin: 'SOL', direction }, test.intent());
    const promised = async () => {
      const rows = await test.asApp<{ direction: string; promised: string }>(
        `SELECT direction, sum(promised)::text AS promised FROM options.orders WHERE coin = 'SOL' AND status = 'holding' GROUP BY 1`,
      );
      return Object.fromEntries(rows.map((row) => [row.direction, row.promised]));
    };
    const many = await Promise.all(Array.from({ length: 60 }, (_, n) => buy(n % 2 ? options : other, 'up')));
    // Twelve payouts of 8 USDT are 96; a 13th would exceed the window's 100.
    expect(many.filter(({ ok }) => ok)).toHaveLength(12);
    expect(many.find(({ ok }) => !ok)).toMatchObject({ refusal: 'exposure_reached', params: { left: '5.000001' } });
    const others = await Promise.all(Array.from({ length: 60 }, (_, n) => buy(n % 2 ? options : other, 'down')));
    // 96 plus six payouts of 8 is 144; a 7th would exceed the coin's 150.
    expect(others.filter(({ ok }) => ok)).toHaveLength(6);
    expect(await promised()).toEqual({ up: '96000000', down: '48000000' });
    const exposure = await test.asApp(
      `SELECT direction, promised::text FROM options.exposure WHERE coin = 'SOL' ORDER BY 1`,
    );
    expect(exposure).toEqual([
      { direction: 'down', promised: '48000000' },
      { direction: 'up', promised: '96000000' },
    ]);
  });

  it('refuses what the house could not pay', async () => {
    await test.asOwner(
      `INSERT INTO options.terms (coin, seconds, effective_from, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max)
       VALUES ('XRP', 60, timestamptz '2036-11-30', 10000, 200, 1000000, 9000000000000000, 9000000000000000, 9000000000000000)`,
    );
    await test.publish('XRP', test.clock.ms + 2_000, () => 2_000_000n);
    await test.publish('BTC', test.clock.ms, () => 64_000_000_000n);
    await Promise.all(Array.from({ length: 51 }, () => test.fund(17n, '100000')));
    const pool =
      (await test.ledger.balances(0n)).find(({ account }) => account.name === 'options_pool')?.available ?? 0n;
    const order = { ...up(17n, '1', 60), coin: 'XRP' } as const;
    expect(await options.buy({ ...order, stake: money('USDT', pool + 1n) }, test.intent())).toMatchObject({
      refusal: 'exposure_reached',
    });
    expect(await options.buy({ ...order, stake: money('USDT', pool) }, test.intent())).toMatchObject({ ok: true });
    expect(await options.buy(up(11n, '1'), test.intent())).toMatchObject({
      refusal: 'exposure_reached',
      params: { left: '0.000000' },
    });
  });
});

describe('offers', () => {
  it('C11 begin at their stated time, and orders keep the offer under which they were bought', async () => {
    const test = await openOptionsTest();
    const from = new Date(test.clock.ms + 60_000);
    await test.asOwner(
      `INSERT INTO options.terms (coin, seconds, effective_from, offered, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max)
       VALUES ('BTC', 30, $1, true, 9000, 100, 2000000, 50000000, 250000000000, 1000000000000), ('BTC', 60, $1, false, 7800, 200, 1000000, 50000000, 250000000000, 1000000000000)`,
      [from],
    );
    const options = await test.open();
    await test.publish('BTC', test.clock.ms + 5_000, () => 64_000_000_000n);
    await test.fund(11n, '100');
    expect(options.optionTerms('BTC').map(({ seconds, payout }) => [seconds, payout])).toEqual([
      [30, '0.75'],
      [60, '0.78'],
      [120, '0.8'],
      [180, '0.82'],
      [300, '0.85'],
    ]);
    const old = await options.buy(up(11n, '10'), test.intent());
    await test.publish('BTC', from.getTime() + 500, () => 64_000_000_000n);
    expect(options.optionTerms('BTC')[0]).toEqual({
      seconds: 30,
      payout: '0.9',
      fee: '0.01',
      min: '2.000000',
      max: '50.000000',
    });
    expect(options.optionTerms('BTC').map(({ seconds }) => seconds)).toEqual([30, 120, 180, 300]);
    expect(await options.buy(up(11n, '10'), test.intent())).toMatchObject({
      ok: true,
      effect: { payout: '0.9', fee_rate: '0.01' },
    });
    expect(await options.buy(up(11n, '10', 60), test.intent())).toMatchObject({ refusal: 'duration_not_offered' });
    expect(old).toMatchObject({ effect: { payout: '0.75', fee_rate: '0.02' } });
    await expect(test.asApp(`UPDATE options.terms SET payout_bps = 1`)).rejects.toThrow(/permission denied/);
    await expect(test.asOwner(`UPDATE options.terms SET payout_bps = 1`)).rejects.toThrow(/kept for ever/);
    await test.close();
  });
});
