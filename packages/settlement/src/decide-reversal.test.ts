import { money } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { decideDebit, decideRepayment, decideReversal, splitHouseArrival } from './decide-reversal.ts';

const usdt = (units: bigint) => money('USDT', units);

describe('a reversal of 10', () => {
  it.each([
    // Available, capital: taken, shortfall.
    [12n, 0n, 10n, 0n],
    [10n, 0n, 10n, 0n],
    [4n, 6n, 4n, 6n],
    [0n, 10n, 0n, 10n],
  ])('from %i with a capital of %i takes %i, and the house bears %i', (available, capital, taken, shortfall) =>
    expect(decideReversal({ amount: usdt(10n), available: usdt(available), capital: usdt(capital) })).toEqual({
      ok: true,
      effect: { taken: usdt(taken), shortfall: usdt(shortfall) },
    }),
  );
  it('is refused as house_short by one unit', () =>
    expect(decideReversal({ amount: usdt(10n), available: usdt(4n), capital: usdt(5n) })).toMatchObject({
      refusal: 'house_short',
    }));
});

describe('a debt of 10', () => {
  it.each([
    [12n, 10n],
    [10n, 10n],
    [9n, 9n],
  ])('with %i available is repaid by %i', (available, amount) =>
    expect(decideRepayment(usdt(10n), usdt(available))).toEqual({ ok: true, effect: usdt(amount) }),
  );
  it.each([[0n], [-1n]])('waits as exceeds_balance with %i available', (available) =>
    expect(decideRepayment(usdt(10n), usdt(available))).toMatchObject({ refusal: 'exceeds_balance' }),
  );
});

it.each([
  [12n, 10n],
  [9n, 9n],
  [0n, 0n],
  [-1n, 0n],
])('a debit of 10 with %i available takes %i', (available, units) =>
  expect(decideDebit(usdt(10n), usdt(available))).toEqual(usdt(units)),
);

it.each([
  [12n, 10n, 0n],
  [4n, 4n, 6n],
  [0n, 0n, 10n],
  [-3n, 0n, 10n],
])('of 10 with %i moved there %i comes back and %i is capital', (moved, back, capital) =>
  expect(splitHouseArrival(usdt(10n), usdt(moved))).toEqual({ back: usdt(back), capital: usdt(capital) }),
);
