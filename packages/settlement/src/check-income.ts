/**
 * Recomputes one day's income from its receipt. A customer's browser runs this, so the arithmetic, the carried
 * remainder and the transferred amount need not be trusted.
 */
import type { Rate } from '@sathorn/money';
import { liquidityIncome, lockupEarned, lockupIncome, type Stage } from './accrue-income.ts';

export interface IncomeClaim {
  /** Units that earned. */
  readonly base: bigint;
  /** Rates by stage, for liquidity; otherwise null. */
  readonly stages: readonly Stage[] | null;
  /** For a lock-up: its daily rate, which day this is, and how many it has; otherwise null. */
  readonly lockup: { readonly dailyRate: Rate; readonly nth: number; readonly days: number } | null;
  readonly carryBefore: bigint;
  readonly units: bigint;
  readonly carryAfter: bigint;
  readonly totalAfter: bigint;
  /** The transferred amount; null if nothing was transferred, or not yet. */
  readonly transferred: bigint | null;
  readonly isPaid: boolean;
}

/** What is wrong: the income, the remainder, the running total or the transfer. */
export type IncomeFault = 'income' | 'remainder' | 'total' | 'transfer';

/** Returns an empty list if everything is correct. */
export function checkIncome(claim: IncomeClaim): IncomeFault[] {
  const { base, stages, lockup, units } = claim;
  const computed =
    lockup !== null
      ? lockupIncome({ principal: base, ...lockup }, lockup.nth)
      : liquidityIncome(base, stages ?? [], claim.carryBefore);
  const faults: IncomeFault[] = [];
  if (computed.units !== units) faults.push('income');
  if (computed.carryBefore !== claim.carryBefore || computed.carryAfter !== claim.carryAfter) faults.push('remainder');
  const total = lockup === null ? null : lockupEarned({ principal: base, dailyRate: lockup.dailyRate }, lockup.nth);
  if (total === null ? claim.totalAfter < units : claim.totalAfter !== total) faults.push('total');
  const expected = claim.isPaid && units > 0n ? units : null;
  if (claim.transferred !== expected) faults.push('transfer');
  return faults;
}
