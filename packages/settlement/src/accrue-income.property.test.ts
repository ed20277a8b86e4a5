import { RATE_ONE, type Rate, rateOf } from '@sathorn/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areStages,
  liquidityIncome,
  lockupDaysOf,
  lockupEarned,
  lockupIncome,
  lockupYield,
  type Stage,
  splitByStages,
  YEAR_DIVISOR,
} from './accrue-income.ts';
import {
  emptyPosition,
  positionOnDay,
  redeemableUnits,
  redeemFromPosition,
  subscribeToPosition,
} from './liquidity-position.ts';

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
const TEN_YEARS = [dayOf('2026-01-01'), dayOf('2036-01-01')] as const;

/** Exact rationals with one denominator for all days: the oracle never divides. */
const rate = fc.bigInt(0n, RATE_ONE / 5n) as fc.Arbitrary<Rate>;
const stages: fc.Arbitrary<Stage[]> = fc
  .tuple(
    rate,
    fc.uniqueArray(fc.tuple(fc.bigInt(1n, 10n ** 14n), rate), { maxLength: 5, selector: ([from]) => from.toString() }),
  )
  .map(([first, more]) => [
    { from: 0n, rate: first },
    ...more.sort(([a], [b]) => (a < b ? -1 : 1)).map(([from, rate]) => ({ from, rate })),
  ]);

interface Move {
  readonly after: number;
  readonly kind: 'subscribe' | 'quick' | 'normal';
  readonly units: bigint;
}
const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 120 }),
    kind: fc.constantFrom('subscribe', 'subscribe', 'quick', 'normal'),
    units: fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, 10n ** 15n)),
  }),
  { minLength: 1, maxLength: 60 },
);

describe('liquidity income', () => {
  it('stays within one unit of the exact sum over ten years of moves and rate changes, and never above it', () => {
    fc.assert(
      fc.property(
        moves,
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3_652 }), stages), { maxLength: 6 }),
        stages,
        (plan, changes, first) => {
          const [begin, end] = TEN_YEARS;
          const days = new Map(
            plan.map((move, n) => [move, plan.slice(0, n + 1).reduce((sum, { after }) => sum + after, begin)]),
          );
          const byDay = Map.groupBy(plan, (move) => days.get(move) ?? begin);
          const changed = new Map(changes.map(([after, to]) => [begin + after, to]));
          let position = emptyPosition(begin);
          let current = first;
          // Balances of house and customer: spot, liquidity, the yield account, and pending redemptions.
          const money = { spot: 10n ** 18n, liquidity: 0n, pending: 0n, fund: 10n ** 18n };
          const whole = money.spot + money.fund;
          let [paid, exact, carry] = [0n, 0n, 0n];
          for (let day = begin; day < end; day++) {
            current = changed.get(day) ?? current;
            money.spot += money.pending;
            money.pending = 0n;
            position = positionOnDay(position, day);
            for (const move of byDay.get(day) ?? []) {
              if (move.kind === 'subscribe') {
                position = subscribeToPosition(position, move.units);
                money.spot -= move.units;
                money.liquidity += move.units;
                continue;
              }
              const most = redeemableUnits(position);
              const units = least(move.units, most);
              if (units === 0n) continue;
              position = redeemFromPosition(position, units, move.kind);
              money.liquidity -= units;
              money[move.kind === 'quick' ? 'spot' : 'pending'] += units;
            }
            expect(redeemableUnits(position)).toBe(money.liquidity);
            const income = liquidityIncome(position.earning, current, carry);
            carry = income.carryAfter;
            // Computes each stage's part from the definition, independently of the code under test.
            exact += current.reduce((sum, { from, rate }, n) => {
              const until = current[n + 1]?.from ?? position.earning;
              const top = least(position.earning, until);
              return sum + (top > from ? (top - from) * rate : 0n);
            }, 0n);
            paid += income.units;
            money.fund -= income.units;
            money.spot += income.units;
          }
          const short = exact - paid * YEAR_DIVISOR;
          expect(short >= 0n && short < YEAR_DIVISOR).toBe(true);
          expect(money.spot + money.liquidity + money.pending + money.fund).toBe(whole);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('earns on 29 February as on any other day, and 1/365 per day in a leap year too', () => {
    const year: Stage[] = [{ from: 0n, rate: rateOf('0.0365') }];
    let [paid, carry] = [0n, 0n];
    for (let day = dayOf('2028-01-01'); day < dayOf('2029-01-01'); day++) {
      const income = liquidityIncome(1_000_000_000n, year, carry);
      carry = income.carryAfter;
      paid += income.units;
    }
    expect(paid).toBe(36_600_000n);
  });

  it('pays nothing for a day with less than a unit, and carries it to later days', () => {
    const tiny: Stage[] = [{ from: 0n, rate: rateOf('0.02') }];
    let [paid, carry] = [0n, 0n];
    for (let day = 0; day < 18_250; day++) {
      const income = liquidityIncome(1n, tiny, carry);
      carry = income.carryAfter;
      paid += income.units;
    }
    expect(paid).toBe(1n);
  });

  it('splits a balance at the stages’ limits', () => {
    const three = [
      { from: 0n, rate: 5n as Rate },
      { from: 1_000n, rate: 3n as Rate },
      { from: 10_000n, rate: 2n as Rate },
    ];
    expect(splitByStages(1_000n, three)).toEqual([{ part: 1_000n, rate: 5n }]);
    expect(splitByStages(10_001n, three).map(({ part }) => part)).toEqual([1_000n, 9_000n, 1n]);
    expect(splitByStages(0n, three)).toEqual([]);
    expect(areStages(three)).toBe(true);
    expect(areStages(three.slice(1))).toBe(false);
    expect(areStages([])).toBe(false);
    expect(areStages([three[0], three[0]] as Stage[])).toBe(false);
  });
});

describe('lock-up income', () => {
  it('adds up to exactly the reserved yield, day by day', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 15n),
        fc.bigInt(0n, RATE_ONE / 100n),
        fc.integer({ min: 1, max: 90 }),
        (principal, dailyRate, days) => {
          const terms = { principal, dailyRate: dailyRate as Rate, days };
          let [paid, carry] = [0n, 0n];
          for (let n = 1; n <= days; n++) {
            const income = lockupIncome(terms, n);
            expect(income.carryBefore).toBe(carry);
            carry = income.carryAfter;
            paid += income.units;
            expect(paid).toBe(lockupEarned(terms, n));
          }
          expect(paid).toBe(lockupYield(terms));
          expect(paid * RATE_ONE + carry).toBe(principal * dailyRate * BigInt(days));
        },
      ),
    );
  });

  it('begins on the next day and ends with the last income', () => {
    expect(lockupDaysOf(100, 7)).toEqual({ start: 101, end: 108 });
    expect(() => lockupIncome({ principal: 1n, dailyRate: rateOf('0.0001'), days: 7 }, 8)).toThrow('day 8 of 7');
  });
});

describe('a redemption', () => {
  it('takes the newest deposits first, and never more than the balance', () => {
    const position = subscribeToPosition({ day: 5, earning: 100n, leaving: 0n, fresh: 0n }, 50n);
    expect(redeemFromPosition(position, 60n, 'quick')).toEqual({ day: 5, earning: 90n, leaving: 0n, fresh: 0n });
    const normal = redeemFromPosition(position, 60n, 'normal');
    expect(normal).toEqual({ day: 5, earning: 100n, leaving: 10n, fresh: 0n });
    expect(redeemableUnits(normal)).toBe(90n);
    // A later quick redemption cannot take money that a normal one is already removing.
    expect(() => redeemFromPosition(normal, 91n, 'quick')).toThrow('91 of 90');
    expect(positionOnDay(normal, 6)).toEqual({ day: 6, earning: 90n, leaving: 0n, fresh: 0n });
    expect(positionOnDay(normal, 4)).toBe(normal);
  });
});
