import { money } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { decideSale, type OpenOption, type Sale } from './decide-sale.ts';
import { optionBidOf, optionWorthOf } from './option-bid.ts';
import { SALE_ACCEPTED_MS, SALE_TEST_TERMS, saleTick, TEST_SALE } from './testing-sales.ts';

const START = saleTick(1, 64_000_000_000n);
const quoted = saleTick(30, 64_010_000_000n);
const newest = saleTick(32, 64_010_000_000n);
const bid = optionBidOf(SALE_TEST_TERMS, TEST_SALE, START, quoted);
if (bid === null) throw new Error('no price');
const order: OpenOption = { status: 'holding', terms: SALE_TEST_TERMS, sale: TEST_SALE, start: START };
const good: Sale = {
  order,
  isIndexStale: false,
  arrivedMs: quoted.atMs + 1_400,
  nowMs: newest.atMs + 250,
  price: bid,
  quoted,
  newest,
  headMs: newest.atMs,
};
const closed = saleTick(56, 64_010_000_000n);
const atClose = saleTick(55, 64_010_000_000n);
const priceAt = (tick: typeof quoted) => optionBidOf(SALE_TEST_TERMS, TEST_SALE, START, tick) ?? money('USDT', 0n);
const changed = (change: Partial<OpenOption>): Partial<Sale> => ({ order: { ...order, ...change } });

describe('decideSale', () => {
  it('pays the price that the customer saw', () => {
    expect(decideSale(good)).toEqual({ ok: true, effect: { start: START, end: quoted, credited: bid } });
  });

  it.each([
    ['an order of nobody', { order: undefined }, 'order_unknown'],
    ['one that is won', changed({ status: 'won' }), 'order_settled'],
    ['one that is sold', changed({ status: 'sold' }), 'order_settled'],
    ['one without terms of selling', changed({ sale: null }), 'sale_not_offered'],
    ['a stale index', { isIndexStale: true }, 'index_stale'],
    ['no tick at all', { newest: undefined }, 'index_stale'],
    ['no tick half a second after the arrival', { arrivedMs: newest.atMs - 499 }, 'index_stale'],
    ['no start tick yet', changed({ start: null }), 'sale_too_early'],
    ['a start tick that came too late', changed({ start: saleTick(4, 64_000_000_000n) }), 'sale_too_early'],
    ['a tick in the last seconds', { newest: closed, nowMs: closed.atMs }, 'sale_closed'],
    ['a clock in the last seconds', { nowMs: SALE_ACCEPTED_MS + 55_001 }, 'sale_closed'],
    ['a tick in the last seconds that came since', { headMs: closed.atMs }, 'sale_closed'],
    ['a decision long after the quote', { headMs: quoted.atMs + 8_001 }, 'price_moved'],
    ['an option that is as good as lost', { newest: saleTick(32, 63_000_000_000n) }, 'sale_worthless'],
    ['a tick that is not stored', { quoted: undefined }, 'price_moved'],
    ['a tick before the start', { quoted: saleTick(0, 64_010_000_000n) }, 'price_moved'],
    ['a tick after the newest', { quoted: saleTick(33, 64_010_000_000n) }, 'price_moved'],
    [
      'a tick that the customer saw too long ago',
      { arrivedMs: quoted.atMs + 2_501, newest: saleTick(34, quoted.price), nowMs: newest.atMs + 2_000 },
      'price_moved',
    ],
    ['one unit more than the formula', { price: money('USDT', bid.units + 1n) }, 'price_moved'],
    ['one unit less than the formula', { price: money('USDT', bid.units - 1n) }, 'price_moved'],
    ['an index that has turned since', { newest: saleTick(32, 64_005_000_000n) }, 'price_moved'],
  ] as const)('refuses %s', (_, change, refusal) => {
    expect(decideSale({ ...good, ...change } as Sale)).toMatchObject({ ok: false, refusal });
  });

  it('names the new price and its tick when the price moved', () => {
    const turned = saleTick(32, 64_005_000_000n);
    expect(decideSale({ ...good, newest: turned })).toMatchObject({
      params: { price: expect.stringMatching(/^[0-9]+\.[0-9]{6}$/), tick: '32' },
    });
  });

  it('pays up to the worth at the newest tick, and not one unit more', () => {
    // A fall within the spread is the house's, a deeper one moves the price.
    for (let fall = 0n; fall < 400n; fall += 1n) {
      const tick = saleTick(32, quoted.price - fall * 10_000n);
      const decided = decideSale({ ...good, newest: tick });
      expect(decided.ok).toBe(bid.units <= optionWorthOf(SALE_TEST_TERMS, TEST_SALE, START, tick).units);
    }
  });

  it('sells at the last tick before the closing, and never after it', () => {
    const last = {
      ...good,
      quoted: saleTick(54, quoted.price),
      newest: atClose,
      headMs: atClose.atMs,
      arrivedMs: atClose.atMs - 600,
      nowMs: atClose.atMs,
    };
    expect(decideSale({ ...last, price: priceAt(last.quoted) })).toMatchObject({ ok: true });
    expect(decideSale({ ...last, price: priceAt(last.quoted), nowMs: SALE_ACCEPTED_MS + 55_000 })).toMatchObject({
      ok: true,
    });
  });
});
