/**
 * Income of a local day. A day is a whole number: days from 1970-01-01 to the local date in the brand's time zone.
 *
 * Both products carry the remainder of each division into the next day, so the payments of any number of days differ
 * from the exact sum by less than one unit and never exceed it. The day count is Actual/365 fixed: each calendar day
 * earns 1/365 of the annual rate, including 29 February.
 */
import { RATE_ONE, type Rate } from '@sathorn/money';

/** Divisor for one day of an annual rate: rate units (10^-8) times 365 days. */
export const YEAR_DIVISOR = 365n * RATE_ONE;

/** A stage earns its annual rate on the part of the balance from `from` up to where the next stage begins. */
export interface Stage {
  /** Units of USDT. The first stage begins at 0, and each later one above its predecessor. */
  readonly from: bigint;
  readonly rate: Rate;
}

interface StagePart {
  readonly part: bigint;
  readonly rate: Rate;
}

/** Units paid for one day and their computation: `sum + carryBefore = units × divisor + carryAfter`. */
interface DayIncome {
  readonly sum: bigint;
  readonly carryBefore: bigint;
  readonly units: bigint;
  readonly carryAfter: bigint;
}

export function areStages(stages: readonly Stage[]): boolean {
  return (
    stages.length > 0 &&
    stages.every(({ from, rate }, n) => {
      const before = stages[n - 1];
      return rate >= 0n && rate <= RATE_ONE && (before === undefined ? from === 0n : from > before.from);
    })
  );
}

/** Splits a balance by stages; stages that it does not reach are omitted. */
export function splitByStages(balance: bigint, stages: readonly Stage[]): StagePart[] {
  return stages.flatMap(({ from, rate }, n) => {
    const until = stages[n + 1]?.from;
    const top = until === undefined || balance < until ? balance : until;
    return top > from ? [{ part: top - from, rate }] : [];
  });
}

/** Sums the stages' parts times their annual rates. Divided by `YEAR_DIVISOR` it gives one day's income in units. */
function stagedSum(balance: bigint, stages: readonly Stage[]): bigint {
  return splitByStages(balance, stages).reduce((sum, { part, rate }) => sum + part * rate, 0n);
}

function divide(sum: bigint, carryBefore: bigint, divisor: bigint): DayIncome {
  if (sum < 0n || carryBefore < 0n || carryBefore >= divisor) throw new RangeError('a carry is below its divisor');
  const numerator = sum + carryBefore;
  return { sum, carryBefore, units: numerator / divisor, carryAfter: numerator % divisor };
}

/** Computes one day's income on the balance that earns. */
export const liquidityIncome = (balance: bigint, stages: readonly Stage[], carry: bigint): DayIncome =>
  divide(stagedSum(balance, stages), carry, YEAR_DIVISOR);

/** The blended annual rate of a balance, rounded down; the first stage's rate for an empty balance. */
export function blendedRate(balance: bigint, stages: readonly Stage[]): Rate {
  return (balance > 0n ? stagedSum(balance, stages) / balance : (stages[0]?.rate ?? 0n)) as Rate;
}

/** The terms of one lock-up order. */
export interface LockupTerms {
  /** Units of USDT. */
  readonly principal: bigint;
  readonly dailyRate: Rate;
  readonly days: number;
}

/** The order's total payments over its first `days` days in units, rounded down. */
export const lockupEarned = ({ principal, dailyRate }: Omit<LockupTerms, 'days'>, days: number): bigint =>
  (principal * dailyRate * BigInt(days)) / RATE_ONE;

/** The order's whole yield. A subscription reserves exactly this, and the daily payments add up to it. */
export const lockupYield = (terms: LockupTerms): bigint => lockupEarned(terms, terms.days);

/** Income of the order's n-th day, counted from 1. The carry is computed from the terms and is not stored. */
export function lockupIncome({ principal, dailyRate, days }: LockupTerms, n: number): DayIncome {
  if (!Number.isSafeInteger(n) || n < 1 || n > days) throw new RangeError(`day ${n} of ${days}`);
  const sum = principal * dailyRate;
  return divide(sum, (sum * BigInt(n - 1)) % RATE_ONE, RATE_ONE);
}

/** The first and last day that earn, and the day on which the principal is returned with the last income. */
interface LockupDays {
  readonly start: number;
  readonly end: number;
}
export const lockupDaysOf = (subscribedOn: number, days: number): LockupDays => ({
  start: subscribedOn + 1,
  end: subscribedOn + 1 + days,
});
