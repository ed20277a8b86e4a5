import type { Recurring, RecurringExecution } from '@sathorn/api';
import { formatCount, formatDate, intlTagOf, type KeyOf, type Presentation } from '@sathorn/text';
import type { BadgeTone } from '@sathorn/ui';

export const RECURRING_TONES: Record<Recurring['status'], BadgeTone> = {
  active: 'success',
  paused: 'warn',
  ended: 'plain',
  revoked: 'plain',
};

const DAY_MS = 86_400_000;
/** A Monday. */
const MONDAY_MS = Date.UTC(2024, 0, 1);

/** `day` is 1 (Monday) to 7. */
export const weekdayName = (day: number, presentation: Presentation): string =>
  new Intl.DateTimeFormat(intlTagOf(presentation), { weekday: 'long', timeZone: 'UTC' }).format(
    MONDAY_MS + (day - 1) * DAY_MS,
  );

export const hourText = (hour: number, presentation: Presentation): string =>
  formatDate(hour * 3_600_000, 'time', presentation, 'UTC');

/** The values of the sentence `recurring.when.…`. */
export function whenValues(
  { every, day, hour }: Pick<Recurring, 'every' | 'day' | 'hour'>,
  presentation: Presentation,
): { day: string; time: string } {
  const name = day === null ? '' : every === 'week' ? weekdayName(day, presentation) : formatCount(day, presentation);
  return { day: name, time: hourText(hour, presentation) };
}

const WHYS: Readonly<Record<string, KeyOf<'recurring'>>> = {
  missed: 'recurring.why.missed',
  exceeds_balance: 'recurring.why.exceeds_balance',
  above_price_max: 'recurring.why.above_price_max',
  no_liquidity: 'recurring.why.price',
  beyond_price_band: 'recurring.why.price',
  index_stale: 'recurring.why.index_stale',
  account_frozen: 'recurring.why.account',
  self_excluded: 'recurring.why.account',
  time_out: 'recurring.why.account',
  consent_required: 'recurring.why.consent_required',
  paused: 'recurring.why.paused',
  coin_not_counted: 'recurring.why.paused',
  coin_not_covered: 'recurring.why.paused',
  contracts_not_offered: 'recurring.why.paused',
};

/** The key of the sentence that says why a time was skipped. */
export function whyKey({ refusal }: Pick<RecurringExecution, 'refusal'>): KeyOf<'recurring'> {
  if (refusal?.startsWith('limit_')) return 'recurring.why.own_limit';
  return WHYS[refusal ?? ''] ?? 'recurring.why.other';
}
