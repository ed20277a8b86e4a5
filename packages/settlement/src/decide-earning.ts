/**
 * Decides whether a subscription or a redemption is allowed.
 *
 * The yield account must cover its promises: a lock-up's whole yield is reserved at the subscription, and the rest must
 * pay liquidity for 30 days. Otherwise subscriptions close. Redemptions never do.
 */
import { formatMoney, isMore, type Money, money } from '@sathorn/money';
import type { LockupTerms, Stage } from './accrue-income.ts';
import { lockupYield, YEAR_DIVISOR } from './accrue-income.ts';
import { accept, type Decision, refuse } from './decision.ts';

/** How many days of liquidity's income the account must have while subscriptions are open. */
export const COVER_DAYS = 30;

/** Limit over all customers per local day. */
export const QUICK_REDEMPTION_MAX = money('USDT', 30_000_000_000_000n);

/** A normal redemption arrives within this many days. */
export const NORMAL_REDEMPTION_DAYS = 3;

/** The account that pays yields. */
export interface YieldFund {
  readonly available: bigint;
  /** Upper bound of liquidity's cost per day, in units. */
  readonly liquidityDaily: bigint;
  /** A day's income is waiting because the account cannot pay all of it. */
  readonly isWaiting: boolean;
}

/** An upper bound of one day's income on a balance: all of it at the highest rate, rounded up. */
export function mostDaily(balance: bigint, stages: readonly Stage[]): bigint {
  const highest = stages.map(({ rate }) => rate).sort((a, b) => (a < b ? 1 : -1))[0] ?? 0n;
  return (balance * highest + YEAR_DIVISOR - 1n) / YEAR_DIVISOR;
}

/** Whether the account covers an additional promise and 30 days of liquidity. */
export const covers = (
  { available, liquidityDaily, isWaiting }: YieldFund,
  promised: bigint,
  dailyMore: bigint,
): boolean => !isWaiting && available - promised >= (liquidityDaily + dailyMore) * BigInt(COVER_DAYS);

interface Subscription {
  readonly amount: Money<'USDT'>;
  /** False without a licence, or when the terms close the product. */
  readonly isOffered: boolean;
  readonly min: Money<'USDT'>;
  readonly available: Money<'USDT'>;
  readonly fund: YieldFund;
}

export interface LockupSubscription extends Subscription {
  readonly terms: Omit<LockupTerms, 'principal'>;
  /** How much more of the product this customer may have in open orders. */
  readonly customerLeft: Money<'USDT'>;
  readonly quotaLeft: Money<'USDT'>;
}

export type LockupRefusal =
  | 'earning_not_offered'
  | 'below_minimum'
  | 'above_maximum'
  | 'exceeds_balance'
  | 'sold_out'
  | 'yield_uncovered';

const least = <A extends 'USDT'>(a: Money<A>, b: Money<A>): Money<A> => (isMore(a, b) ? b : a);

/** Accepts with the whole yield, which must be reserved. Checks in the order written here. */
export function decideLockup(subscription: LockupSubscription): Decision<{ promised: bigint }, LockupRefusal> {
  const { amount, min, available, customerLeft, quotaLeft, terms, fund } = subscription;
  if (!subscription.isOffered) return refuse('earning_not_offered', { field: 'product' });
  if (isMore(min, amount)) return refuse('below_minimum', { field: 'amount', params: { min: formatMoney(min) } });
  if (isMore(amount, customerLeft)) {
    const max = least(customerLeft, quotaLeft);
    return refuse('above_maximum', {
      field: 'amount',
      params: { max: formatMoney(max.units > 0n ? max : money('USDT', 0n)) },
    });
  }
  if (isMore(amount, available))
    return refuse('exceeds_balance', { field: 'amount', params: { available: formatMoney(available) } });
  if (isMore(amount, quotaLeft)) return refuse('sold_out', { field: 'amount' });
  const promised = lockupYield({ ...terms, principal: amount.units });
  if (!covers(fund, promised, 0n)) return refuse('yield_uncovered', { field: 'amount' });
  return accept({ promised });
}

export interface LiquiditySubscription extends Subscription {
  readonly stages: readonly Stage[];
}

export type LiquiditySubscriptionRefusal = Exclude<LockupRefusal, 'above_maximum' | 'sold_out'>;

export function decideLiquiditySubscription(
  subscription: LiquiditySubscription,
): Decision<null, LiquiditySubscriptionRefusal> {
  const { amount, min, available, stages, fund } = subscription;
  if (!subscription.isOffered) return refuse('earning_not_offered');
  if (isMore(min, amount)) return refuse('below_minimum', { field: 'amount', params: { min: formatMoney(min) } });
  if (isMore(amount, available))
    return refuse('exceeds_balance', { field: 'amount', params: { available: formatMoney(available) } });
  if (!covers(fund, 0n, mostDaily(amount.units, stages))) return refuse('yield_uncovered', { field: 'amount' });
  return accept(null);
}

export interface Redemption {
  readonly amount: Money<'USDT'>;
  readonly speed: 'quick' | 'normal';
  /** The liquidity balance without pending redemptions. */
  readonly redeemable: Money<'USDT'>;
  /** How much quick redemptions by all customers may still take today. */
  readonly quickLeft: Money<'USDT'>;
}

export type RedemptionRefusal = 'amount_not_positive' | 'exceeds_liquidity' | 'quick_cap_reached';

export function decideRedemption(redemption: Redemption): Decision<null, RedemptionRefusal> {
  const { amount, redeemable, quickLeft } = redemption;
  if (amount.units <= 0n) return refuse('amount_not_positive', { field: 'amount' });
  if (isMore(amount, redeemable))
    return refuse('exceeds_liquidity', { field: 'amount', params: { available: formatMoney(redeemable) } });
  if (redemption.speed === 'quick' && isMore(amount, quickLeft))
    return refuse('quick_cap_reached', { field: 'speed', params: { left: formatMoney(quickLeft) } });
  return accept(null);
}
