import type { OwnLimit, OwnLimitView } from '@sathorn/api';
import { formatCount, formatDecimalText, type Presentation } from '@sathorn/text';

interface Words {
  readonly t: (key: 'own.min', params: { count: string }) => string;
  readonly presentation: Presentation;
}

export const isTimeLimit = (kind: OwnLimit): boolean => kind === 'time_day';

/** Formats a limit, or the amount already used, for display. */
export function limitFigureOf(kind: OwnLimit, value: string, { t, presentation }: Words): string {
  if (isTimeLimit(kind)) return t('own.min', { count: formatCount(Number(value), presentation) });
  return formatDecimalText(value, presentation, { minDecimals: 2, maxDecimals: 2 });
}

/** This is exact, because the wire's decimals all have the same number of places. */
const units = (text: string): bigint => BigInt(text.replace('.', ''));

/** The used share of a limit, from 0 to 1. */
export function usedShareOf({ value, used }: OwnLimitView): number {
  if (value === null) return 0;
  const [all, part] = [units(value), units(used)];
  if (all === 0n || part >= all) return 1;
  return Number((part * 1_000n) / all) / 1_000;
}

/** Returns the unused part of a limit; null if nothing is left. */
export function limitLeftOf({ kind, value, used }: OwnLimitView): string | null {
  if (value === null) return null;
  const left = units(value) - units(used);
  if (left <= 0n) return null;
  if (isTimeLimit(kind)) return String(left);
  const text = String(left).padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`;
}
