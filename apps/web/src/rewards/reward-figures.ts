import { parseDecimal } from '@sathorn/money';
import { formatDate, formatDecimalText, type Presentation } from '@sathorn/text';

/** Returns points as a number for display: points have no decimals. */
export const pointsCountOf = (points: string): number => Number(points);

/** Formats an amount with at least two decimals. */
export const amountText = (text: string, presentation: Presentation): string =>
  formatDecimalText(text.replace(/(\.\d\d\d*?)0+$/, '$1'), presentation, { minDecimals: 2 });

export const isZeroAmount = (amount: string): boolean => /^0*(\.0*)?$/.test(amount);

/** Formats a date of the brand's calendar, independent of the reader's time zone. */
export const dayText = (
  date: string,
  style: 'date' | 'day' | 'weekday' | 'month',
  presentation: Presentation,
): string => formatDate(`${date}T00:00:00Z`, style, presentation, 'UTC');

/** Returns a part's share of the whole, from 0 to 1. */
export function shareOfWhole(part: string, all: string): number {
  const [of, whole] = [parseDecimal(part, 6) ?? 0n, parseDecimal(all, 6) ?? 0n];
  return whole === 0n ? 0 : Math.min(1, Number((of * 1_000n) / whole) / 1_000);
}
