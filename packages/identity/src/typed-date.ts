import { BUDDHIST_ERA_AHEAD_YEARS, toCommonEra } from './common-era.ts';
import { isCalendarDay } from './documents.ts';

/** The parts of a date as typed, in Latin digits. */
export interface TypedDate {
  readonly day: string;
  /** 1 to 12, or empty. */
  readonly month: string;
  /** Four digits, in the Buddhist or the common era. */
  readonly year: string;
}

/** Returns `1990-11-23` for 23, 11 and 1990 or 2533; null while a part is missing or if there is no such day. */
export function dayOfTypedDate({ day, month, year }: TypedDate): string | null {
  if (!/^[0-9]{1,2}$/.test(day) || !/^[0-9]{1,2}$/.test(month) || !/^[0-9]{4}$/.test(year)) return null;
  const text = toCommonEra(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
  return isCalendarDay(text) ? text : null;
}

/** Returns the parts of `1990-11-23` with the year in the reader's era, or empty parts for any other text. */
export function typedDateOfDay(text: string, isBuddhist: boolean): TypedDate {
  if (!isCalendarDay(text)) return { day: '', month: '', year: '' };
  const [year = '', month = '', day = ''] = text.split('-');
  return {
    day: String(Number(day)),
    month: String(Number(month)),
    year: isBuddhist ? String(Number(year) + BUDDHIST_ERA_AHEAD_YEARS) : year,
  };
}
