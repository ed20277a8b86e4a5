import type { OptionOrder } from '@sathorn/api';
import { formatMoney } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { liveBidOf, sellableOf } from './live-bid.ts';

const START = '2026-11-30T10:00:00.123Z';
const order = {
  name: 'BTC',
  direction: 'up',
  quantity: '100.000000',
  payout: '0.85',
  fee_rate: '0.02',
  start_time: START,
  duration: 60,
  start_price: '64000.00',
  sale: { volatility: '0.5', band: '0.2', spread: '0.02', closed_seconds: 5, sold_at: null },
} as OptionOrder;
const ticker = (second: number, price: string) => ({
  price,
  at: new Date(Date.parse(START) - 123 + second * 1_000).toISOString(),
  sequence: String(1_000 + second),
});
const bidAt = (second: number, price: string, change: Partial<OptionOrder> = {}) => {
  const changed = { ...order, ...change };
  const sellable = sellableOf(changed);
  if (sellable === undefined) throw new Error('not sellable');
  return liveBidOf(changed, sellable, ticker(second, price), Date.parse(START) + second * 1_000);
};

describe('the live price of an open option', () => {
  it('is the one that the rule gives, to the unit', () => {
    const bid = bidAt(30, '64010.00');
    if (bid.state !== 'open') throw new Error(bid.state);
    // As in the test of the rule.
    expect([bid.price, bid.profit, bid.spread].map(formatMoney)).toEqual(['108.904569', '8.904569', '2.000000']);
    expect(bid.tick).toBe('1030');
  });

  it.each([
    ['waits for the start price', bidAt(30, '64010.00', { start_price: null }), 'waiting'],
    ['waits for a tick after the acceptance', bidAt(0, '64010.00'), 'waiting'],
    ['is closed in the last seconds', bidAt(56, '64010.00'), 'closed'],
    ['is nothing for an option that is as good as lost', bidAt(40, '63000.00'), 'worthless'],
  ])('%s', (_, bid, state) => {
    expect(bid.state).toBe(state);
  });

  it('is not there for an order without terms of selling', () => {
    const { sale: _, ...older } = order;
    expect(sellableOf(older)).toBeUndefined();
  });
});
