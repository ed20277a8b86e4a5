/**
 * Subscriptions that a customer orders once and that are made later: a lock-up is renewed when it has ended, and a
 * deposit is subscribed when it is credited. Each is made under the terms of its own day, from one source, once. Days
 * are local days, counted from 1970-01-01.
 */
import { formatMoney, formatRate, isMore, type Money, type Rate } from '@sathorn/money';
import { accept, type Decision, type Refusing, refuse } from './decision.ts';

export const STANDING_LIMITS = {
  /** Instructions of a customer that subscribe deposits and have not ended. */
  depositsMax: 1,
  /** A lock-up is renewed on the day of its end or the day after. */
  renewalLateDaysMax: 1,
  /** A deposit is not subscribed later than this after its credit. */
  depositLateMaxMs: 6 * 60 * 60_000,
} as const;

export type NewRenewalRefusal = 'order_unknown' | 'lockup_ended' | 'already_renewed';

/** Checks in the order written here; the test's table follows the same order. */
export function decideNewRenewal(
  order: { readonly hasEnded: boolean; readonly isRenewed: boolean } | undefined,
): Decision<null, NewRenewalRefusal> {
  if (order === undefined) return refuse('order_unknown', { field: 'id' });
  if (order.hasEnded) return refuse('lockup_ended', { field: 'id' });
  return order.isRenewed ? refuse('already_renewed', { field: 'id' }) : accept(null);
}

export interface NewDepositOrder {
  /** Null for liquidity. */
  readonly product: number | null;
  /** Required for a lock-up and meaningless for liquidity, which has a rate for each stage. */
  readonly rateMin: Rate | null;
  readonly amountMin: Money<'USDT'>;
  readonly amountMax: Money<'USDT'>;
}

export type NewDepositOrderRefusal =
  | 'product_unknown'
  | 'earning_not_offered'
  | 'rate_min_missing'
  | 'below_minimum'
  | 'above_maximum'
  | 'amounts_crossed'
  | 'too_many_standing';

/** `terms` are those of today. Checks in the order written here; the test's table follows the same order. */
export function decideNewDepositOrder(
  { product, rateMin, amountMin, amountMax }: NewDepositOrder,
  given: {
    readonly active: number;
    readonly terms:
      | { readonly isOffered: boolean; readonly min: Money<'USDT'>; readonly max: Money<'USDT'> | null }
      | undefined;
  },
): Decision<null, NewDepositOrderRefusal> {
  const { active, terms } = given;
  if (terms === undefined) return refuse('product_unknown', { field: 'product' });
  if (!terms.isOffered) return refuse('earning_not_offered', { field: 'product' });
  if ((product === null) !== (rateMin === null)) return refuse('rate_min_missing', { field: 'rate_min' });
  if (isMore(terms.min, amountMin))
    return refuse('below_minimum', { field: 'amount_min', params: { min: formatMoney(terms.min) } });
  if (terms.max !== null && isMore(amountMax, terms.max))
    return refuse('above_maximum', { field: 'amount_max', params: { max: formatMoney(terms.max) } });
  if (isMore(amountMin, amountMax)) return refuse('amounts_crossed', { field: 'amount_max' });
  const { depositsMax } = STANDING_LIMITS;
  return active < depositsMax ? accept(null) : refuse('too_many_standing', { params: { max: String(depositsMax) } });
}

/** An instruction, with the bounds that its customer ordered. */
export interface StandingBounds {
  readonly customer: bigint;
  readonly kind: 'renewal' | 'deposits';
  /** Null for liquidity. */
  readonly product: number | null;
  readonly rateMin: Rate | null;
  /** Only of deposits. */
  readonly amountMin: Money<'USDT'> | null;
  readonly amountMax: Money<'USDT'> | null;
  readonly createdMs: number;
  readonly state: 'active' | 'ended' | 'revoked';
  /** The lock-up that is renewed next; null for deposits. */
  readonly current: string | null;
}

/** What a subscription is made from: a lock-up whose principal is back, or a deposit that is credited. */
export interface StandingSource {
  readonly id: string;
  readonly kind: 'renewal' | 'deposits';
  readonly customer: bigint;
  readonly amount: Money<'USDT'>;
  /** The day of a lock-up's end. */
  readonly endDay: number | null;
  /** When a deposit was credited. */
  readonly creditedMs: number | null;
}

/** What an instruction subscribes of a source. */
export function standingAmount(bounds: StandingBounds, source: StandingSource): Money<'USDT'> {
  const { amountMax } = bounds;
  return amountMax !== null && isMore(source.amount, amountMax) ? amountMax : source.amount;
}

/** True if it is too late to subscribe this source, whatever the reason is. */
export function isStandingLate({ endDay, creditedMs }: StandingSource, day: number, now: Date): boolean {
  if (endDay !== null) return day > endDay + STANDING_LIMITS.renewalLateDaysMax;
  return creditedMs !== null && now.getTime() - creditedMs > STANDING_LIMITS.depositLateMaxMs;
}

const STANDING_REFUSALS = ['standing_not_due', 'missed', 'deposit_too_small', 'below_rate_min'] as const;
export type StandingRefusal = (typeof STANDING_REFUSALS)[number];

/** True for a refusal that only a subscription in the name of a standing order can get. */
export const isStandingRefusal = (refusal: string): refusal is StandingRefusal =>
  STANDING_REFUSALS.some((one) => one === refusal);

/**
 * Under the lock of the instruction: whether the subscription is within all its bounds. The product's own rules follow,
 * as for any other subscription. Checks in the order written here; the test's table follows the same order.
 */
export function decideStanding(
  order: {
    readonly customer: bigint;
    readonly product: number | null;
    readonly amount: Money<'USDT'>;
    readonly day: number;
    readonly now: Date;
    /** The daily rate of today’s terms; null for liquidity, and for a product without terms. */
    readonly dailyRate: Rate | null;
  },
  bounds: StandingBounds | undefined,
  source: StandingSource | undefined,
): Decision<null, StandingRefusal> {
  if (
    bounds === undefined ||
    source === undefined ||
    bounds.state !== 'active' ||
    bounds.kind !== source.kind ||
    bounds.customer !== order.customer ||
    source.customer !== order.customer ||
    bounds.product !== order.product ||
    (bounds.kind === 'renewal' && bounds.current !== source.id) ||
    (source.creditedMs !== null && source.creditedMs < bounds.createdMs) ||
    order.amount.units !== standingAmount(bounds, source).units
  )
    return refuse('standing_not_due');
  if (isStandingLate(source, order.day, order.now)) return refuse('missed');
  if (bounds.amountMin !== null && isMore(bounds.amountMin, source.amount))
    return refuse('deposit_too_small', { params: { min: formatMoney(bounds.amountMin) } });
  if (bounds.rateMin !== null && (order.dailyRate ?? 0n) < bounds.rateMin)
    return refuse('below_rate_min', { params: { rate: formatRate(bounds.rateMin) } });
  return accept(null);
}

/** Refusals that say nothing about the customer, the terms or the money: the same subscription is tried again. */
const PASSING: ReadonlySet<string> = new Set(['paused', 'money_halted', 'standing_not_due']);

/**
 * What follows a refusal: another try while there is time, or the record of a skip with its reason. A renewal that is
 * skipped has ended, because its money is free and may be used for something else.
 */
export function afterRefusal(refusing: Refusing<string>, isLate: boolean): { readonly skip: string } | null {
  return PASSING.has(refusing.refusal) && !isLate ? null : { skip: refusing.refusal };
}
