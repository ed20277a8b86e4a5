import { formatDecimal, formatRate, parseDecimal, parseRate, type Rate } from '@sathorn/money';
import type { KeyOf } from '@sathorn/text';

/** A percentage with six decimals counts the same units as a rate. */
const PERCENT_SCALE = 6;
const RATE_MAX = 1_000_000n;

/** `0.00015` as `0.015`. */
export const percentTextOf = (rate: string): string =>
  formatDecimal(parseRate(rate) ?? 0n, PERCENT_SCALE).replace(/\.?0+$/, '');

/** The rate of a percentage; null if it is none, or above one percent. */
export function rateOfPercent(percent: string): string | null {
  const units = parseDecimal(percent, PERCENT_SCALE);
  return units === undefined || units < 0n || units > RATE_MAX ? null : formatRate(units as Rate);
}

const WHYS: Readonly<Record<string, KeyOf<'standing'>>> = {
  below_rate_min: 'standing.why.below_rate_min',
  exceeds_balance: 'standing.why.exceeds_balance',
  earning_not_offered: 'standing.why.not_offered',
  product_unknown: 'standing.why.not_offered',
  sold_out: 'standing.why.full',
  yield_uncovered: 'standing.why.full',
  below_minimum: 'standing.why.limits',
  above_maximum: 'standing.why.limits',
  account_frozen: 'standing.why.account',
  self_excluded: 'standing.why.account',
  time_out: 'standing.why.account',
  consent_required: 'standing.why.consent_required',
  paused: 'standing.why.paused',
  money_halted: 'standing.why.paused',
  missed: 'standing.why.missed',
  deposit_too_small: 'standing.why.deposit_too_small',
};

/** The key of the sentence that says why something was not subscribed. */
export const whyKey = (refusal: string | null): KeyOf<'standing'> => WHYS[refusal ?? ''] ?? 'standing.why.other';
