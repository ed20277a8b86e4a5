import { isDay } from './documents.ts';

/** The years between the Buddhist era and ours. */
const BUDDHIST_AHEAD = 543;
/** From this year on a year can only be Buddhist: no document is of 1857 and none expires in 2400. */
const BUDDHIST_FROM = 2400;

const commonYear = (year: number): number => (year >= BUDDHIST_FROM ? year - BUDDHIST_AHEAD : year);

/** `2017-05-05` for `2560-05-05`, and the same for a time that begins with a day; any other text as it is. */
export function inCommonEra(text: string): string {
  return text.replace(/^[0-9]{4}(?=-)/, (year) => String(commonYear(Number(year))).padStart(4, '0'));
}

/** The parts of a date as somebody typed them, in Latin digits. */
export interface TypedDate {
  readonly day: string;
  /** 1 to 12, or empty. */
  readonly month: string;
  /** Of four digits, of the Buddhist era or of ours. */
  readonly year: string;
}

/** `1990-11-23`, from 23, 11 and 1990 or 2533; null while a part is missing or if there is no such day. */
export function dayOfTyped({ day, month, year }: TypedDate): string | null {
  if (!/^[0-9]{1,2}$/.test(day) || !/^[0-9]{1,2}$/.test(month) || !/^[0-9]{4}$/.test(year)) return null;
  const text = inCommonEra(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
  return isDay(text) ? text : null;
}

/** The parts of `1990-11-23`, its year in the era that the reader uses; empty parts for anything else. */
export function typedOfDay(text: string, isBuddhist: boolean): TypedDate {
  if (!isDay(text)) return { day: '', month: '', year: '' };
  const [year = '', month = '', day = ''] = text.split('-');
  return {
    day: String(Number(day)),
    month: String(Number(month)),
    year: isBuddhist ? String(Number(year) + BUDDHIST_AHEAD) : year,
  };
}
