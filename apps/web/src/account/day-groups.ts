import { scaleOf } from '@sathorn/money';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';

export interface DayGroup {
  /** The time of the group's newest row. */
  readonly at: string;
  readonly records: readonly AccountRecord[];
  /** USDT income and expenditure of that day; null while older rows of the day may be missing. */
  readonly sums: { readonly income: string; readonly expenditure: string } | null;
}

const USDT_SCALE = scaleOf('USDT');
const dayOf = (at: string): string => new Date(at).toDateString();

/** Groups rows by day in the reader's time zone, newest first. */
export function groupRecordsByDay(records: readonly AccountRecord[], isWhole: boolean): DayGroup[] {
  const days: AccountRecord[][] = [];
  for (const record of records) {
    const day = days.at(-1);
    if (day?.[0] && dayOf(day[0].at) === dayOf(record.at)) day.push(record);
    else days.push([record]);
  }
  return days.map((day, place) => ({
    at: day[0]?.at ?? '',
    records: day,
    sums: isWhole || place < days.length - 1 ? sumsOf(day) : null,
  }));
}

function sumsOf(records: readonly AccountRecord[]): DayGroup['sums'] {
  let income = 0n;
  let expenditure = 0n;
  for (const { asset, amount } of records) {
    if (asset !== 'USDT') continue;
    const units = unitsOf(amount);
    if (units < 0n) expenditure -= units;
    else income += units;
  }
  return { income: textOf(income), expenditure: textOf(expenditure) };
}

/**
 * True if every row's balance follows from the next older row of its asset, so that no row between them is missing.
 * Null if there are no two rows to compare. Only for an unfiltered list.
 */
export function areRecordsGapless(records: readonly AccountRecord[]): boolean | null {
  let compared = 0;
  const newer = new Map<string, AccountRecord>();
  for (const record of records) {
    const after = newer.get(record.asset);
    newer.set(record.asset, record);
    if (!after) continue;
    if (!follows(after, record)) return false;
    compared += 1;
  }
  return compared > 0 ? true : null;
}

/** Returns the balance before a row; null if the row has no balance. */
export function balanceBefore({ amount, balance_after: after }: AccountRecord): string | null {
  return after === null ? null : sumOf(after, amount.startsWith('-') ? amount.slice(1) : `-${amount}`);
}

function follows(newer: AccountRecord, older: AccountRecord): boolean {
  const before = balanceBefore(newer);
  return before !== null && older.balance_after !== null && isSame(before, older.balance_after);
}

const unitsOf = (text: string, scale = USDT_SCALE): bigint => {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  return text.startsWith('-') ? -units : units;
};
const textOf = (units: bigint, scale = USDT_SCALE): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units < 0n ? `-${text}` : text;
};
const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0;

function sumOf(one: string, other: string): string {
  const scale = Math.max(decimalsOf(one), decimalsOf(other));
  return textOf(unitsOf(one, scale) + unitsOf(other, scale), scale);
}
const isSame = (one: string, other: string): boolean => {
  const scale = Math.max(decimalsOf(one), decimalsOf(other));
  return unitsOf(one, scale) === unitsOf(other, scale);
};
