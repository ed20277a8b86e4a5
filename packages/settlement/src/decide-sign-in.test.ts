import { money } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { type AskedSignIn, decideSignIn, ladderRungOn } from './decide-sign-in.ts';

const [usdt, points] = [(units: bigint) => money('USDT', units), (units: bigint) => money('POINTS', units)];
const ladder = {
  points: [5n, 5n, 10n, 10n, 15n, 20n, 0n].map(points),
  usdt: [0n, 0n, 0n, 0n, 0n, 3n, 7n].map(usdt),
};
const asked: AskedSignIn = {
  ladder,
  day: 20,
  last: { day: 19, rung: 5 },
  available: { points: points(20n), usdt: usdt(3n) },
};

describe('a sign-in', () => {
  it('pays the next rung to the last unit of the fund', () =>
    expect(decideSignIn(asked)).toEqual({
      ok: true,
      effect: { rung: 6, points: points(20n), usdt: usdt(3n), missed: usdt(0n) },
    }));
  it('reports the USDT that the fund could not pay, and pays the points', () =>
    expect(decideSignIn({ ...asked, available: { ...asked.available, usdt: usdt(2n) } })).toMatchObject({
      effect: { points: points(20n), usdt: usdt(0n), missed: usdt(3n) },
    }));
  // Each row adds one more fault, from the last check to the first: the earliest check must win.
  const spoiled: AskedSignIn[] = [];
  it.each<[string, Partial<AskedSignIn>]>([
    // The seventh day pays USDT alone.
    ['reward_fund_empty', { last: { day: 19, rung: 6 }, available: { points: points(20n), usdt: usdt(6n) } }],
    ['reward_fund_empty', { last: { day: 19, rung: 5 }, available: { points: points(19n), usdt: usdt(3n) } }],
    ['already_signed_in', { last: { day: 20, rung: 5 } }],
    ['already_signed_in', { last: { day: 21, rung: 5 } }],
    ['sign_in_closed', { ladder: undefined }],
  ])('is refused as %s before any later reason', (refusal, change) => {
    spoiled.push({ ...(spoiled.at(-1) ?? asked), ...change });
    expect(decideSignIn({ ...asked, ...change })).toMatchObject({ ok: false, refusal });
    expect(decideSignIn(spoiled.at(-1) ?? asked)).toMatchObject({ ok: false, refusal });
  });
});

it.each([
  [undefined, 1],
  [{ day: 18, rung: 3 }, 1],
  [{ day: 19, rung: 3 }, 4],
  [{ day: 19, rung: 7 }, 1],
])('after %o comes rung %i', (last, rung) => expect(ladderRungOn(last, 20)).toBe(rung));
