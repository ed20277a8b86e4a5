/**
 * Purchases that a customer ordered once and that recur: on which days, when one is due, and why one is skipped. Days
 * are local days of the instruction's time zone, counted from 1970-01-01. A time that was missed is made up for while
 * it is recent, and never more than one, so nobody gets a burst of purchases after an outage.
 */
import { COINS, formatMoney, formatPrice, isMore, type Money, type Price } from '@sathorn/money';
import { type AmountLimits, CONTRACT_LIMITS } from './contract-terms.ts';
import { refuseOffStep } from './contract-ticket.ts';
import { accept, type Decision, type Refusing, refuse } from './decision.ts';

export const RECURRENCES = ['day', 'week', 'month'] as const;

/** When it recurs. `day` is 1 (Monday) to 7 for a week, 1 to 28 for a month, and null for every day. */
export interface Recurrence {
  readonly every: (typeof RECURRENCES)[number];
  readonly day: number | null;
  /** 0 to 23, by the local clock. */
  readonly hour: number;
}

/** A time zone's days. `momentOf` gives the moment at which its clock shows so many minutes after midnight. */
export interface Calendar {
  dayOf(moment: Date): number;
  momentOf(day: number, minutes: number): Date;
}

/** One of the times of an instruction. */
export interface RecurringTime {
  readonly day: number;
  readonly at: Date;
}

export const RECURRING_LIMITS = {
  /** Instructions of a customer that are active or paused. */
  activeMax: 10,
  timesMax: 1_000,
  /** A purchase is not made later than this after its time. */
  lateMaxMs: 6 * 60 * 60_000,
} as const;

const DAYS_MAX: Readonly<Record<Recurrence['every'], number>> = { day: 0, week: 7, month: 28 };
const DAY_MS = 86_400_000;

/** True if a purchase falls on this day. */
export function isRecurringDay({ every, day }: Recurrence, of: number): boolean {
  const date = new Date(of * DAY_MS);
  // Date counts weekdays from Sunday, 0.
  if (every === 'week') return (date.getUTCDay() || 7) === day;
  return every === 'day' || date.getUTCDate() === day;
}

const timeOn = ({ hour }: Recurrence, day: number, calendar: Calendar): RecurringTime => ({
  day,
  at: calendar.momentOf(day, hour * 60),
});

/** The first time on a later day than this. */
export function recurringTimeAfter(recurrence: Recurrence, after: number, calendar: Calendar): RecurringTime {
  let day = after + 1;
  while (!isRecurringDay(recurrence, day)) day += 1;
  return timeOn(recurrence, day, calendar);
}

/** The newest time that has come. */
export function newestRecurringTime(recurrence: Recurrence, now: Date, calendar: Calendar): RecurringTime {
  for (let day = calendar.dayOf(now) + 1; ; day -= 1) {
    if (!isRecurringDay(recurrence, day)) continue;
    const time = timeOn(recurrence, day, calendar);
    if (time.at.getTime() <= now.getTime()) return time;
  }
}

export interface NewRecurring extends Recurrence {
  readonly amount: Money<'USDT'>;
  /** It never buys above this price. */
  readonly priceMax: Price | null;
  /** It ends after so many purchases; null for never. */
  readonly times: number | null;
  readonly coin: Parameters<typeof refuseOffStep>[0];
}

export type NewRecurringRefusal =
  | 'contracts_not_offered'
  | 'below_minimum'
  | 'above_maximum'
  | 'price_off_tick'
  | 'day_not_allowed'
  | 'too_many_recurring';

/** Checks in the order written here; the test's table follows the same order. */
export function decideNewRecurring(
  wanted: NewRecurring,
  given: { readonly isOffered: boolean; readonly active: number; readonly limits?: AmountLimits },
): Decision<null, NewRecurringRefusal> {
  const { coin, amount, priceMax, every, day } = wanted;
  const { amountMin, amountMax } = given.limits ?? CONTRACT_LIMITS;
  if (!given.isOffered) return refuse('contracts_not_offered', { field: 'code' });
  if (isMore(amountMin, amount))
    return refuse('below_minimum', { field: 'amount', params: { min: formatMoney(amountMin) } });
  if (isMore(amount, amountMax))
    return refuse('above_maximum', { field: 'amount', params: { max: formatMoney(amountMax) } });
  const offStep = priceMax === null ? null : refuseOffStep(coin, priceMax, 'price_max');
  if (offStep !== null) return offStep;
  const last = DAYS_MAX[every];
  if (last === 0 ? day !== null : day === null || day < 1 || day > last)
    return refuse('day_not_allowed', { field: 'day' });
  const { activeMax } = RECURRING_LIMITS;
  return given.active < activeMax ? accept(null) : refuse('too_many_recurring', { params: { max: String(activeMax) } });
}

export interface RecurringPurchase<Stop extends string> {
  /** The time that is due. */
  readonly at: Date;
  readonly now: Date;
  readonly coin: NewRecurring['coin'];
  readonly priceMax: Price | null;
  /** What stops the customer from buying the coin now: a pause, a break, a missing reserve or consent. */
  readonly stop: Refusing<Stop> | null;
  /** The current index; null while it is stale. */
  readonly index: Price | null;
}

export type SkipRefusal = 'missed' | 'index_stale' | 'above_price_max';

/**
 * Whether a purchase that is due goes to the book, whose own rules follow. A refusal skips it until its next time.
 * Checks in the order written here; the test's table follows the same order.
 */
export function decideRecurring<Stop extends string>({
  at,
  now,
  coin,
  priceMax,
  stop,
  index,
}: RecurringPurchase<Stop>): Decision<null, SkipRefusal | Stop> {
  if (now.getTime() - at.getTime() > RECURRING_LIMITS.lateMaxMs) return refuse('missed');
  if (stop !== null) return stop;
  if (index === null) return refuse('index_stale');
  if (priceMax !== null && index > priceMax)
    return refuse('above_price_max', { params: { max: formatPrice(priceMax, COINS[coin].priceDecimals) } });
  return accept(null);
}

/** What an execution must be covered by. */
export interface RecurringBounds {
  readonly customer: bigint;
  readonly coin: string;
  readonly amount: bigint;
  readonly priceMax: Price | null;
  readonly state: 'active' | 'paused' | 'ended' | 'revoked';
  /** The newest day that was dealt with, and how many were. */
  readonly lastDay: number;
  readonly attempts: number;
}
export interface RecurringExecution {
  readonly customer: bigint;
  readonly coin: string;
  readonly amount: bigint;
  readonly priceMax: Price | null;
  readonly day: number;
  readonly number: number;
}

/** Under the lock of the instruction: true if the order is its next execution, within all its bounds. */
export function isCovered(order: RecurringExecution, bounds: RecurringBounds | undefined): boolean {
  return (
    bounds !== undefined &&
    bounds.state === 'active' &&
    order.customer === bounds.customer &&
    order.coin === bounds.coin &&
    order.amount <= bounds.amount &&
    order.priceMax === bounds.priceMax &&
    order.number === bounds.attempts + 1 &&
    order.day > bounds.lastDay
  );
}
