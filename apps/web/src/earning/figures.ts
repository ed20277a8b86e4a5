import { formatDecimal, parseDecimal } from '@sathorn/money';
import { formatDate, formatDecimalText, type Presentation } from '@sathorn/text';

const SCALE = 6;
const DAY_MS = 86_400_000;

/** Returns the units of a USDT amount of the wire; 0 if the text is not an amount. */
export const usdtUnitsOf = (text: string): bigint => {
  const units = parseDecimal(text.replace(/^-/, ''), SCALE) ?? 0n;
  return text.startsWith('-') ? -units : units;
};
export const usdtTextOf = (units: bigint): string => formatDecimal(units, SCALE);

/** Formats income with all decimals, because a day's income is often less than a cent. */
export const formatIncome = (text: string, presentation: Presentation, signed = false): string =>
  formatDecimalText(text, presentation, { minDecimals: 2, signed });

/** Formats an amount with at least two decimals. */
export const amountText = (text: string, presentation: Presentation): string =>
  formatDecimalText(text.replace(/(\.\d\d\d*?)0+$/, '$1'), presentation, { minDecimals: 2 });

/** Formats limits and their unused parts without decimals. */
export const wholeAmountText = (text: string, presentation: Presentation): string =>
  formatDecimalText(text, presentation, { maxDecimals: 0 });

/** Rounds amounts owed up to whole USDT, so that a small part is not shown as nothing. */
export const wholeAmountTextUp = (text: string, presentation: Presentation): string =>
  wholeAmountText(/\.0*[1-9]/.test(text) ? String(BigInt(text.split('.')[0] ?? '0') + 1n) : text, presentation);

/** Formats a date of the brand's calendar, independent of the reader's time zone. */
export const dayText = (date: string, style: 'date' | 'day' | 'weekday', presentation: Presentation): string =>
  formatDate(`${date}T00:00:00Z`, style, presentation, 'UTC');

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Returns a daily rate times 365, without compounding. */
export function yearlyRateOf(dailyRate: string): string {
  return formatDecimal((parseDecimal(dailyRate, 8) ?? 0n) * 365n, 8);
}

/** Returns a part of the whole in percent, from 0 to 100. */
export function percentOfWhole(part: bigint, all: bigint): number {
  if (all <= 0n) return 0;
  const tenths = Number((part * 1_000n) / all) / 10;
  return Math.min(100, Math.max(0, tenths));
}
