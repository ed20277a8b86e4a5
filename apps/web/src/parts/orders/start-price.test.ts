import { expect, test } from 'vitest';
import { startPriceByTicker, startPriceInTicks } from './start-price.ts';

const order = { name: 'BTC', start_time: '2026-11-21T07:57:07.710Z' };
const ticker = (at: string, code = 'BTC') => ({ code, at, price: '95209.81' });

test.each([
  ['2026-11-21T07:57:07.000Z', undefined],
  ['2026-11-21T07:57:08.000Z', '95209.81'],
  ['2026-11-21T07:57:09.000Z', undefined],
])('a tick at %s starts the order at %s', (at, price) => {
  expect(startPriceByTicker(order, ticker(at))).toBe(price);
});

test('ignores a tick at the moment of acceptance, and ticks of another coin', () => {
  expect(
    startPriceByTicker({ ...order, start_time: '2026-11-21T07:57:08.000Z' }, ticker('2026-11-21T07:57:08.000Z')),
  ).toBeUndefined();
  expect(startPriceByTicker(order, ticker('2026-11-21T07:57:08.000Z', 'ETH'))).toBeUndefined();
});

const chain = [1n, 2n, 3n, 4n].map((sequence) => ({ sequence, at: Number(sequence) * 1000, price: `p${sequence}` }));

test('finds the first tick after the acceptance in a part of the chain', () => {
  expect(startPriceInTicks(2_500, chain)).toBe('p3');
  // Without the link to the previous tick, there may be an earlier tick after the acceptance.
  expect(startPriceInTicks(500, chain)).toBeUndefined();
  expect(startPriceInTicks(9_000, chain)).toBeUndefined();
});
