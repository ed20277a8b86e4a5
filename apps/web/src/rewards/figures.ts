import { parseDecimal } from '@sathorn/money';
import { formatDate, formatDecimalText, type Presentation } from '@sathorn/text';

/** 12,345 points as a count; their asset has no decimals. */
export const countOf = (points: string): number => Number(points);

/** An amount with two decimals, and more where it has more. */
export const amountText = (text: string, presentation: Presentation): string =>
  formatDecimalText(text.replace(/(\.\d\d\d*?)0+$/, '$1'), presentation, { minDecimals: 2 });

export const isZero = (amount: string): boolean => /^0*(\.0*)?$/.test(amount);

/** A date of the brand's calendar, which is the same everywhere. */
export const dayText = (
  date: string,
  style: 'date' | 'day' | 'weekday' | 'month',
  presentation: Presentation,
): string => formatDate(`${date}T00:00:00Z`, style, presentation, 'UTC');

/** From 0 to 1. */
export function shareOf(part: string, all: string): number {
  const [of, whole] = [parseDecimal(part, 6) ?? 0n, parseDecimal(all, 6) ?? 0n];
  return whole === 0n ? 0 : Math.min(1, Number((of * 1_000n) / whole) / 1_000);
}
