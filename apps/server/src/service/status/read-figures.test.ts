import { describe, expect, it } from 'vitest';
import { shareTextOf, viewDurationFigures } from './read-figures.ts';

describe('a share', () => {
  it.each([
    [0n, 0n, null],
    [0n, 3n, '0.0000'],
    [1n, 3n, '0.3333'],
    [2n, 3n, '0.6666'],
    [21n, 20n, '1.0500'],
    [-1n, 3n, '-0.3333'],
  ])('%s of %s is %s', (part, whole, expected) => {
    expect(shareTextOf(part, whole)).toBe(expected);
  });
});

describe('the figures of a duration', () => {
  const NONE = { durationMs: 30_000, won: 0, lost: 0, tie: 0, void: 0, sold: 0 };
  const NOTHING = { staked: 0n, gainable: 0n, stakedInAll: 0n, credited: 0n };

  it('show no percentages when there are no orders', () => {
    expect(viewDurationFigures({ ...NONE, ...NOTHING })).toMatchObject({
      duration: 30,
      orders: 0,
      share_won: null,
      break_even: null,
      per_100: null,
    });
  });

  it('count ties and voids as orders, but not for the share of wins', () => {
    const of = { ...NONE, won: 1, lost: 1, tie: 3, void: 5 };
    // Ten orders of 10 USDT each with a payout of 80 %: two were won or lost, and eight got their stake back.
    const amounts = { staked: 20_000_000n, gainable: 16_000_000n, stakedInAll: 100_000_000n, credited: 98_000_000n };
    expect(viewDurationFigures({ ...of, ...amounts })).toMatchObject({
      orders: 10,
      share_won: '0.5000',
      break_even: '0.5556',
      per_100: '-2.000000',
    });
  });

  it('show a share of wins below break-even in the last digit if customers exactly break even', () => {
    const of = { ...NONE, won: 5, lost: 4 };
    const amounts = { staked: 90_000_000n, gainable: 72_000_000n, stakedInAll: 90_000_000n, credited: 90_000_000n };
    const view = viewDurationFigures({ ...of, ...amounts });
    // 5 / 9: the share of wins is rounded down, the share to break even up.
    expect(view).toMatchObject({ share_won: '0.5555', break_even: '0.5556' });
    expect(Number(view.per_100)).toBe(0);
  });
});
