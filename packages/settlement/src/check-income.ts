/**
 * Computes the receipt of one day's income again. A customer's browser runs this, so that nobody has to be believed
 * about the arithmetic, the remainder that was carried, or the amount that was transferred.
 */
import type { Rate } from '@sathorn/money';
import { liquidityIncome, lockupEarned, lockupIncome, type Stage } from './accrue-income.ts';

export interface IncomeClaim {
  /** Units that earned. */
  readonly base: bigint;
  /** By stage, of liquidity. */
  readonly stages: readonly Stage[] | null;
  /** Of a lock-up: its rate, which day of how many. */
  readonly lockup: { readonly dailyRate: Rate; readonly nth: number; readonly days: number } | null;
  readonly carryBefore: bigint;
  readonly units: bigint;
  readonly carryAfter: bigint;
  readonly totalAfter: bigint;
  /** What was transferred; null when nothing was, or not yet. */
  readonly transferred: bigint | null;
  readonly isPaid: boolean;
}

/** What does not hold: the income, the remainder, the total so far, the transfer. */
export type IncomeFault = 'income' | 'remainder' | 'total' | 'transfer';

/** Empty when everything holds. */
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
