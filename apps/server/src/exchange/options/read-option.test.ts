import { optionOrder, optionReceipt, readOption, readOptionTotals } from '@sathorn/api';
import { verifyOptionReceipt } from '@sathorn/proof';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBalanceHandler } from '../../ledger/index.ts';
import type { Options } from './index.ts';
import { type OptionsTest, openOptionsTest, usdt } from './testing.ts';

const START = 64_000_000_000n;

describe('reading options', () => {
  let test: OptionsTest;
  let options: Options;
  const won: string[] = [];

  beforeAll(async () => {
    test = await openOptionsTest();
    options = await test.open();
    await Promise.all([11n, 12n].map((customer) => test.fund(customer, '1000')));
    // There are 25 orders, one per second; the last two are still open at the end.
    for (let n = 0; n < 25; n += 1) {
      await test.publish(
        'BTC',
        (Math.ceil(test.clock.ms / 1_000) + 1) * 1_000,
        (at) => START + BigInt(at % 1_000_000) * 10n,
      );
      test.clock.ms += 123;
      const order = {
        customer: 11n,
        coin: 'BTC',
        direction: 'up',
        stake: usdt('10'),
        seconds: n < 23 ? 30 : 300,
      } as const;
      const decision = await options.buy(order, test.intent());
      if (!decision.ok) throw new Error(decision.refusal);
      won.push(decision.effect.id);
    }
    const boughtMs = test.clock.ms;
    await test.publish('BTC', boughtMs + 40_000, (at) => START + BigInt(at - boughtMs + 2_000_000) * 1_000n * 10n);
    await options.settleDue();
  });
  afterAll(async () => {
    expect(test.faults).toEqual([]);
    await test.close();
  });

  it('S4.11 lists open orders and history, newest first, page by page', async () => {
    const holding = await options.list(11n, { status: 'holding', coin: null, page: null });
    expect(holding).toMatchObject({ items: [{ id: won[24], status: 'holding' }, { id: won[23] }], next: null });
    const first = await options.list(11n, { status: 'history', coin: null, page: null });
    expect(first.items.map(({ id }) => id)).toEqual(won.slice(3, 23).reverse());
    const second = await options.list(11n, { status: 'history', coin: null, page: first.next });
    expect(second).toMatchObject({ next: null });
    expect(second.items.map(({ id }) => id)).toEqual(won.slice(0, 3).reverse());
    for (const item of [...first.items, ...holding.items]) expect(v.parse(optionOrder, item)).toEqual(item);
    expect((await options.list(11n, { status: 'history', coin: 'ETH', page: null })).items).toEqual([]);
    // The specification's page numbers also work, and end with an empty page.
    const numbered = async (page: string) =>
      (await options.list(11n, { status: 'history', coin: 'BTC', page })).items.map(({ id }) => id);
    expect(await numbered('1')).toEqual(won.slice(3, 23).reverse());
    expect(await numbered('2')).toEqual(won.slice(0, 3).reverse());
    expect(await numbered('3')).toEqual([]);
  });

  it('answers in the shapes that the calls declare', async () => {
    for (const id of [won[0] ?? '', won[24] ?? '']) {
      const decision = await options.read(11n, id);
      if (!decision.ok) throw new Error(decision.refusal);
      expect(v.parse(readOption.result, decision.effect)).toEqual(decision.effect);
    }
    const totals = await options.totals(11n, test.clock.now());
    expect(v.parse(readOptionTotals.result, totals)).toEqual(totals);
  });

  it('answers a stranger as if the order did not exist', async () => {
    const never = '00000000-0000-4000-8000-000000000000';
    for (const id of [won[0] ?? '', never, 'x', `${won[0]}'`]) {
      expect(await options.read(12n, id)).toEqual({ ok: false, refusal: 'order_unknown', field: 'id' });
      expect(await options.dispute(12n, id, 'mine', test.clock.now())).toEqual({
        ok: false,
        refusal: 'order_unknown',
        field: 'id',
      });
    }
    expect((await options.list(12n, { status: 'history', coin: null, page: null })).items).toEqual([]);
    expect(await options.totals(12n, test.clock.now())).toMatchObject({ holding: 0, won: 0, profit: '0.000000' });
  });

  it('adds up the day’s results, and begins the day at midnight in the brand’s time zone', async () => {
    // 23 wins of 7.5 minus 0.15.
    expect(await options.totals(11n, test.clock.now())).toEqual({
      holding: 2,
      staked: '250.000000',
      won: 23,
      lost: 0,
      profit: '169.050000',
      today: '169.050000',
    });
    const lastOfTheDay = new Date('2036-12-01T16:59:59.999Z');
    expect((await options.totals(11n, lastOfTheDay)).today).toBe('169.050000');
    expect((await options.totals(11n, new Date('2036-12-01T17:00:00.000Z'))).today).toBe('0.000000');
  });

  it('accepts one dispute of a settled order, and stores the receipt of that moment', async () => {
    const [settled = '', other = ''] = won;
    const now = test.clock.now();
    expect(await options.dispute(11n, won[24] ?? '', 'too early', now)).toMatchObject({ refusal: 'order_not_settled' });
    const opened = await options.dispute(11n, settled, 'the price was another', now);
    expect(opened).toMatchObject({
      ok: true,
      effect: { deadline: new Date(now.getTime() + 7 * 86_400_000).toISOString() },
    });
    expect(await options.dispute(11n, settled, 'again', now)).toMatchObject({ refusal: 'dispute_open' });
    const many = await Promise.all(
      Array.from({ length: 10 }, (_, n) => options.dispute(11n, other, `at once ${n}`, now)),
    );
    expect(many.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await options.read(11n, settled)).toMatchObject({ effect: { disputed: true } });
    expect(await options.read(11n, won[2] ?? '')).toMatchObject({ effect: { disputed: false } });
    const rows = await test.asApp<{ receipt: unknown; state: string }>(
      'SELECT receipt, state FROM options.dispute WHERE order_id = $1',
      [settled],
    );
    expect(rows).toHaveLength(1);
    expect(v.safeParse(optionReceipt, rows[0]?.receipt).success).toBe(true);
  });

  it('answers a repeated dispute like the first time, with one notice, even if that was lost at first', async () => {
    const [, , , order = ''] = won;
    const now = test.clock.now();
    let isBroken = true;
    const sent: unknown[] = [];
    const room = await test.open({
      messages: {
        send: async (...[, template, params, , of]) => {
          if (isBroken) throw new Error('no connection');
          sent.push({ template, params, of });
        },
      },
    });
    const first = await room.dispute(11n, order, 'again and again', now);
    expect(first.ok).toBe(true);
    expect(test.faults.splice(0)).toHaveLength(1);
    isBroken = false;
    const later = new Date(now.getTime() + 60_000);
    const again = await Promise.all(
      Array.from({ length: 5 }, () => room.dispute(11n, order, 'again and again', later)),
    );
    for (const answer of again) expect(answer).toEqual(first);
    // The notice's id is derived from its subject, so the inbox stores only one.
    const [notice] = sent;
    expect(notice).toMatchObject({ template: 'dispute_opened', of: first.ok ? first.effect.id : '' });
    expect(sent).toEqual(Array(5).fill(notice));
    expect(await room.dispute(11n, order, 'something else', later)).toMatchObject({ refusal: 'dispute_open' });
    expect(await test.asApp('SELECT 1 FROM options.dispute WHERE order_id = $1', [order])).toHaveLength(1);
  });

  it('returns a receipt of one state, even if an order is settled while it is read', async () => {
    const own = await openOptionsTest();
    await own.fund(11n, '1000');
    await own.publish('BTC', own.clock.ms + 2_000, () => START);
    const settler = await own.open();
    const order = { customer: 11n, coin: 'BTC', direction: 'up', stake: usdt('10'), seconds: 30 } as const;
    const bought = await settler.buy(order, own.intent());
    if (!bought.ok) throw new Error(bought.refusal);
    await own.publish('BTC', own.clock.ms + 40_000, (at) => START + BigInt(at % 1_000_000) * 10n);
    let reads = 0;
    const reader = await own.open({
      ledger: {
        ...own.ledger,
        async transfersOfHolds(holds) {
          reads += 1;
          if (reads === 1) await settler.settleDue();
          return own.ledger.transfersOfHolds(holds);
        },
      },
    });
    const read = await reader.read(11n, bought.effect.id);
    if (!read.ok || read.effect.receipt === null) throw new Error('no receipt');
    expect(read.effect.status).toBe(read.effect.receipt.result.status);
    expect(await verifyOptionReceipt(read.effect.receipt, own.keys)).toMatchObject({ verified: true });
    await own.close();
  });

  it('shows real wins of customers who agreed, and of no others', async () => {
    const wins = await options.recentWins(test.clock.now(), async () => new Set([11n]));
    expect(wins).toHaveLength(23);
    expect(wins[0]).toMatchObject({ owner: 11n, coin: 'BTC', amount: '7.350000' });
    expect(await options.recentWins(test.clock.now(), async () => new Set())).toEqual([]);
    expect(await options.recentWins(new Date(test.clock.ms + 4 * 86_400_000), async () => new Set([11n]))).toEqual([]);
  });

  it('returns available and held balances', async () => {
    const context = { customer: { id: 11n, sessionId: 's' }, request: { code: 'BTC' } };
    expect(await readBalanceHandler(test.ledger).run(context as never)).toEqual({
      ok: true,
      effect: {
        code: 'BTC',
        available: '0.00000000',
        held: '0.00000000',
        usdt_available: '1149.050000',
        usdt_held: '20.000000',
      },
    });
  });
});
