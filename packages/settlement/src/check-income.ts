/**
 * Recomputes one day's income from its receipt. A customer's browser runs this, so the arithmetic, the carried
 * remainder and the transferred amount need not be trusted.
 */
import type { Rate } from '@sathorn/money';
import { liquidityIncome, lockupEarned, lockupIncome, type Stage } from './accrue-income.ts';

export interface IncomeClaim {
  /** The units on which the income was earned. */
  readonly base: bigint;
  /** Rates by stage, for liquidity; otherwise null. */
  readonly stages: readonly Stage[] | null;
  /** A lock-up's daily rate, the number of this day and of all its days; otherwise null. */
  readonly lockup: { readonly dailyRate: Rate; readonly nth: number; readonly days: number } | null;
  readonly carryBefore: bigint;
  readonly units: bigint;
  readonly carryAfter: bigint;
  readonly totalAfter: bigint;
  /** The transferred amount; null if no transfer has been made. */
  readonly transferred: bigint | null;
  readonly isPaid: boolean;
}

/** The parts that can be wrong: the income, the remainder, the running total or the transfer. */
type IncomeFault = 'income' | 'remainder' | 'total' | 'transfer';

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

/** The receipt of one day's income in the form of the call's result: integers as decimal strings. */
export interface IncomeReceiptText {
  readonly base: string;
  readonly stages: readonly { readonly from: string; readonly rate: string }[] | null;
  readonly daily_rate: string | null;
  readonly nth: number | null;
  readonly days: number | null;
  readonly carry_before: string;
  readonly units: string;
  readonly carry_after: string;
  readonly total_after: string;
  readonly state: 'paid' | 'waiting';
  readonly transfer: { readonly units: string } | null;
}

export function checkIncomeReceipt(receipt: IncomeReceiptText): IncomeFault[] {
  const { stages, daily_rate: daily, nth, days, transfer } = receipt;
  return checkIncome({
    base: BigInt(receipt.base),
    stages: stages?.map(({ from, rate }) => ({ from: BigInt(from), rate: BigInt(rate) as Rate })) ?? null,
    lockup: daily === null || nth === null || days === null ? null : { dailyRate: BigInt(daily) as Rate, nth, days },
    carryBefore: BigInt(receipt.carry_before),
    units: BigInt(receipt.units),
    carryAfter: BigInt(receipt.carry_after),
    totalAfter: BigInt(receipt.total_after),
    transferred: transfer === null ? null : BigInt(transfer.units),
    isPaid: receipt.state === 'paid',
  });
}
