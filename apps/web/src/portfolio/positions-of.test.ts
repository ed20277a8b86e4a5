import type { Fill } from '@sathorn/api';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { type Position, positionsOf } from './positions-of.ts';
import { sumPositions, viewPosition } from './view-position.ts';

const fill = (side: 'buy' | 'sell', quantity: string, amount: string, fee: string): Fill =>
  ({ code: 'BTC', side, quantity, amount, fee, fee_asset: side === 'buy' ? 'BTC' : 'USDT' }) as Fill;
/** Fills as they happened; the server lists them newest first. */
const after = (...fills: readonly Fill[]): Position => positionsOf(fills.toReversed()).get('BTC') as Position;

test.each<[string, Fill[], Partial<Position>]>([
  [
    'a buy costs what was paid, and its fee makes less of it',
    [fill('buy', '1', '100', '0.002')],
    { quantity: 99_800_000n, cost: 100_000_000n, realised: 0n },
  ],
  [
    'two buys have one average',
    [fill('buy', '1', '100', '0'), fill('buy', '3', '200', '0')],
    { quantity: 400_000_000n, cost: 300_000_000n },
  ],
  [
    'a sale takes its share of the cost',
    [fill('buy', '2', '200', '0'), fill('sell', '1', '150', '1')],
    { quantity: 100_000_000n, cost: 100_000_000n, realised: 49_000_000n },
  ],
  [
    'a sale at a loss',
    [fill('buy', '1', '100', '0'), fill('sell', '1', '80', '0')],
    { quantity: 0n, cost: 0n, realised: -20_000_000n },
  ],
  [
    'coins that were never bought bring no result',
    [fill('sell', '1', '80', '0')],
    { quantity: 0n, realised: 0n, soldUnbought: 100_000_000n },
  ],
  [
    'of a sale beyond what was bought, the bought part counts',
    [fill('buy', '1', '100', '0'), fill('sell', '2', '240', '0')],
    { quantity: 0n, cost: 0n, realised: 20_000_000n, soldUnbought: 100_000_000n },
  ],
])('%s', (_what, fills, expected) => {
  expect(after(...fills)).toMatchObject(expected);
});

it('loses nothing: what was paid is in the cost or in the results', () => {
  const trade = fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    coins: fc.integer({ min: 1, max: 10_000 }),
    usdt: fc.integer({ min: 1, max: 1_000_000 }),
  });
  fc.assert(
    fc.property(fc.array(trade, { maxLength: 40 }), (trades) => {
      let held = 0;
      let flow = 0n;
      const fills = trades.map(({ side, coins, usdt }) => {
        // Nobody sells more than was bought, so that every sale counts.
        const isSale = side === 'sell' && held >= coins;
        held += isSale ? -coins : coins;
        flow += isSale ? BigInt(usdt) : -BigInt(usdt);
        return fill(isSale ? 'sell' : 'buy', `0.${String(coins).padStart(8, '0')}`, (usdt / 1e6).toFixed(6), '0');
      });
      if (fills.length === 0) return;
      const { quantity, cost, realised } = after(...fills);
      expect(quantity).toBe(BigInt(held));
      expect(realised - cost).toBe(flow);
      if (quantity === 0n) expect(cost).toBe(0n);
    }),
  );
});

test('a holding is compared with its cost', () => {
  const position = after(fill('buy', '2', '200', '0'));
  expect(viewPosition(position, { amount: '2', value: '250.00' })).toEqual({
    quantity: '2.00000000',
    value: '250.00',
    average: '100.00',
    unrealised: '50.000000',
    share: '0.2500',
    realised: '0.000000',
    isPartlyUnbought: false,
  });
  // Half of what is held was not bought here.
  expect(viewPosition(position, { amount: '4', value: '300' })).toMatchObject({
    unrealised: '-50.000000',
    share: '-0.2500',
    isPartlyUnbought: true,
  });
  // Half has left otherwise.
  expect(viewPosition(position, { amount: '1', value: '110' })).toMatchObject({
    average: '100.00',
    unrealised: '10.000000',
  });
  expect(viewPosition(position, { amount: '2', value: null })).toMatchObject({ unrealised: null, share: null });
  expect(viewPosition(position, { amount: '0', value: '0' })).toMatchObject({ average: null, unrealised: null });
});

test('sums count losses as losses, and what has no price not at all', () => {
  const view = viewPosition(after(fill('buy', '1', '100', '0'), fill('sell', '0.5', '40', '0')), {
    amount: '0.5',
    value: '60',
  });
  expect(sumPositions([view, { ...view, unrealised: null }])).toEqual({
    unrealised: '10.000000',
    realised: '-20.000000',
  });
});
