/**
 * Decides whether a subscription or a redemption is allowed.
 *
 * The yield account must cover its promises: a subscription to a lock-up reserves its whole yield, and the rest must
 * pay liquidity for 30 days. Otherwise subscriptions close. Redemptions never do.
 */
import { add, formatMoney, isMore, type Money, money, subtract } from '@sathorn/money';
import type { LockupTerms, Stage } from './accrue-income.ts';
import { lockupYield, YEAR_DIVISOR } from './accrue-income.ts';
import { accept, type Decision, refuse } from './decision.ts';

/** The account must cover liquidity's income for this many days while subscriptions are open. */
export const FUND_COVER_DAYS = 30;

/** Limit over all customers per local day. */
export const QUICK_REDEMPTION_MAX = money('USDT', 30_000_000_000_000n);

/** A normal redemption arrives within this many days. */
export const NORMAL_REDEMPTION_DAYS = 3;

/** The account that pays yields. */
export interface YieldFund {
  readonly available: bigint;
  /** Upper bound of liquidity's cost per day, in units. */
  readonly liquidityDaily: bigint;
  /** A day's income is not paid yet, because the account cannot pay all of it. */
  readonly isWaiting: boolean;
}

/** An upper bound of one day's income on a balance: all of it at the highest rate, rounded up. */
export function highestDailyIncome(balance: bigint, stages: readonly Stage[]): bigint {
  const highest = stages.map(({ rate }) => rate).sort((a, b) => (a < b ? 1 : -1))[0] ?? 0n;
  return (balance * highest + YEAR_DIVISOR - 1n) / YEAR_DIVISOR;
}

/** The known cost of liquidity, in units. */
export interface LiquidityCost {
  /** Income of the last counted day. */
  readonly lastDay: bigint;
  /** Subscribed since the last counted day, including this batch, so not yet in `lastDay`. */
  readonly subscribed: bigint;
  /** The first day that is counted but not reserved. It stays unpaid while the account has less than `units`. */
  readonly next: { readonly day: number; readonly units: bigint } | null;
}
/** A day's cost: the last day's income plus an upper bound for later subscriptions. */
export const yieldFundOf = (available: bigint, cost: LiquidityCost, stages: readonly Stage[]): YieldFund => ({
  available,
  liquidityDaily: cost.lastDay + highestDailyIncome(cost.subscribed, stages),
  isWaiting: cost.next !== null && cost.next.units > available,
});

/** True if the account covers an additional promise and 30 days of liquidity. */
export const coversPromise = (
  { available, liquidityDaily, isWaiting }: YieldFund,
  promised: bigint,
  dailyMore: bigint,
): boolean => !isWaiting && available - promised >= (liquidityDaily + dailyMore) * BigInt(FUND_COVER_DAYS);

interface Subscription {
  readonly amount: Money<'USDT'>;
  /** False without a licence, or when the terms close the product. */
  readonly isOffered: boolean;
  readonly min: Money<'USDT'>;
  readonly available: Money<'USDT'>;
  readonly fund: YieldFund;
}

/** `max` limits a customer's open orders, `quota` all open orders; their sums include this batch. */
export interface LockupLimits {
  readonly max: Money<'USDT'>;
  readonly quota: Money<'USDT'>;
  readonly takenBy: Money<'USDT'>;
  readonly taken: Money<'USDT'>;
}
/** The free part of a limit; zero if the limit was lowered below what people had subscribed. */
export const quotaLeft = ({ quota, taken }: Pick<LockupLimits, 'quota' | 'taken'>): Money<'USDT'> =>
  isMore(taken, quota) ? money('USDT', 0n) : subtract(quota, taken);

export interface LockupSubscription extends Subscription {
  readonly terms: Omit<LockupTerms, 'principal'>;
  readonly limits: LockupLimits;
}

export type LockupRefusal =
  | 'earning_not_offered'
  | 'below_minimum'
  | 'above_maximum'
  | 'exceeds_balance'
  | 'sold_out'
  | 'yield_uncovered';

const least = <A extends 'USDT'>(a: Money<A>, b: Money<A>): Money<A> => (isMore(a, b) ? b : a);

interface AcceptedLockup {
  /** The whole yield, which must be reserved. */
  readonly promised: Money<'USDT'>;
  /** The new sums, for the next order of the batch. */
  readonly takenBy: Money<'USDT'>;
  readonly taken: Money<'USDT'>;
}

/** Checks in the order written here. */
export function decideLockup(subscription: LockupSubscription): Decision<AcceptedLockup, LockupRefusal> {
  const { amount, min, available, limits, terms, fund } = subscription;
  const left = quotaLeft(limits);
  const customerLeft = quotaLeft({ quota: limits.max, taken: limits.takenBy });
  if (!subscription.isOffered) return refuse('earning_not_offered', { field: 'product' });
  if (isMore(min, amount)) return refuse('below_minimum', { field: 'amount', params: { min: formatMoney(min) } });
  if (isMore(amount, customerLeft)) {
    return refuse('above_maximum', { field: 'amount', params: { max: formatMoney(least(customerLeft, left)) } });
  }
  if (isMore(amount, available))
    return refuse('exceeds_balance', { field: 'amount', params: { available: formatMoney(available) } });
  if (isMore(amount, left)) return refuse('sold_out', { field: 'amount' });
  const promised = money('USDT', lockupYield({ ...terms, principal: amount.units }));
  if (!coversPromise(fund, promised.units, 0n)) return refuse('yield_uncovered', { field: 'amount' });
  return accept({ promised, takenBy: add(limits.takenBy, amount), taken: add(limits.taken, amount) });
}

export interface LiquiditySubscription extends Omit<Subscription, 'fund'> {
  readonly stages: readonly Stage[];
  /** The balance of the account that pays yields. */
  readonly fund: bigint;
  readonly cost: LiquidityCost;
}

export type LiquiditySubscriptionRefusal = Exclude<LockupRefusal, 'above_maximum' | 'sold_out'>;

/** Accepts with the cost that the next subscription of the batch must use. */
export function decideLiquiditySubscription(
  subscription: LiquiditySubscription,
): Decision<LiquidityCost, LiquiditySubscriptionRefusal> {
  const { amount, min, available, stages, fund, cost } = subscription;
  if (!subscription.isOffered) return refuse('earning_not_offered');
  if (isMore(min, amount)) return refuse('below_minimum', { field: 'amount', params: { min: formatMoney(min) } });
  if (isMore(amount, available))
    return refuse('exceeds_balance', { field: 'amount', params: { available: formatMoney(available) } });
  if (!coversPromise(yieldFundOf(fund, cost, stages), 0n, highestDailyIncome(amount.units, stages)))
    return refuse('yield_uncovered', { field: 'amount' });
  return accept({ ...cost, subscribed: cost.subscribed + amount.units });
}

export interface Redemption {
  readonly amount: Money<'USDT'>;
  readonly speed: 'quick' | 'normal';
  /** The liquidity balance without pending redemptions. */
  readonly redeemable: Money<'USDT'>;
  /** The sum of all customers' quick redemptions today, including this batch. */
  readonly quick: Money<'USDT'>;
}

export type RedemptionRefusal = 'amount_not_positive' | 'exceeds_liquidity' | 'quick_cap_reached';

/** Accepts with the new sum of quick redemptions. */
export function decideRedemption(redemption: Redemption): Decision<Money<'USDT'>, RedemptionRefusal> {
  const { amount, speed, redeemable, quick } = redemption;
  if (amount.units <= 0n) return refuse('amount_not_positive', { field: 'amount' });
  if (isMore(amount, redeemable))
    return refuse('exceeds_liquidity', { field: 'amount', params: { available: formatMoney(redeemable) } });
  if (speed === 'normal') return accept(quick);
  const sum = add(quick, amount);
  if (isMore(sum, QUICK_REDEMPTION_MAX)) {
    const left = formatMoney(subtract(QUICK_REDEMPTION_MAX, quick));
    return refuse('quick_cap_reached', { field: 'speed', params: { left } });
  }
  return accept(sum);
}
