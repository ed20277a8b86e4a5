import { money } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import {
  type AskedDraw,
  type BoxSale,
  type BoxState,
  boxState,
  decideBoxFunding,
  decideDraw,
  decidePrize,
  unspentOf,
} from './decide-draw.ts';

const [usdt, points] = [(units: bigint) => money('USDT', units), (units: bigint) => money('POINTS', units)];
const box: BoxSale = {
  opensAt: new Date(1_000),
  closesAt: new Date(2_000),
  isReturned: false,
  drawn: 3,
  drawsMax: 5,
  open: 2,
  usdt: { budget: usdt(100n), paid: usdt(40n), max: usdt(20n) },
  points: { budget: points(10n), paid: points(1n), max: points(3n) },
};
const now = new Date(1_500);

describe('a box', () => {
  it('is open while it could pay the largest prize once more, to the unit', () =>
    expect(boxState(box, true, now)).toBe('open'));
  // Each row adds one more fault, from the last check to the first: the earliest check must win.
  const spoiled: [BoxSale, boolean, Date][] = [];
  it.each<[BoxState, Partial<BoxSale>, boolean?, Date?]>([
    ['fund_spent', { points: { ...box.points, paid: points(2n) } }],
    ['fund_spent', { usdt: { ...box.usdt, paid: usdt(41n) } }],
    ['fund_spent', { open: 3 }],
    ['sold_out', { drawn: 5 }],
    ['closed', { isReturned: true }],
    ['closed', {}, true, new Date(2_000)],
    ['upcoming', {}, true, new Date(999)],
    ['no_licence', {}, false, new Date(999)],
  ])('is %s before any later reason', (state, change, isOffering = true, at = now) => {
    spoiled.push([{ ...(spoiled.at(-1)?.[0] ?? box), ...change }, isOffering, at]);
    expect(boxState({ ...box, ...change }, isOffering, at)).toBe(state);
    expect(boxState(...(spoiled.at(-1) ?? [box, true, now]))).toBe(state);
  });
  it('gives back its unpaid budget', () => {
    expect(unspentOf(box.usdt)).toEqual(usdt(60n));
    expect(unspentOf(box.points)).toEqual(points(9n));
  });
});

describe('a draw', () => {
  const asked: AskedDraw = { state: 'open', price: points(5n), available: points(5n) };
  it('is sold for the customer’s last points', () => expect(decideDraw(asked).ok).toBe(true));
  it.each<[string, Partial<AskedDraw>]>([
    ['points_missing', { available: points(4n) }],
    ['box_closed', { state: 'closed', available: points(4n) }],
    ['box_closed', { state: 'upcoming' }],
    ['box_closed', { state: 'no_licence' }],
    ['box_sold_out', { state: 'sold_out', available: points(4n) }],
    ['box_sold_out', { state: 'fund_spent' }],
  ])('is refused as %s', (refusal, change) => expect(decideDraw({ ...asked, ...change })).toMatchObject({ refusal }));
  it('pays its prize from the hold of its asset and nothing from the other', () => {
    expect(decidePrize(usdt(20n), usdt(5n))).toEqual(usdt(5n));
    expect(decidePrize(points(3n), usdt(5n))).toBeNull();
    expect(() => decidePrize(usdt(20n), usdt(21n))).toThrow('larger');
  });
});

describe('the budget of a box', () => {
  const has = { usdt: usdt(100n), points: points(10n) };
  it.each([
    [true, has],
    [false, { ...has, usdt: usdt(101n) }],
    [false, { ...has, points: points(11n) }],
  ])('is funded: %s', (ok, wanted) => expect(decideBoxFunding(wanted, has).ok).toBe(ok));
});
