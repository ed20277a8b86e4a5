import type { AccountRecord } from '../parts/money/with-records.ts';

const isOut = ({ amount }: AccountRecord): boolean => amount.startsWith('-');
const isFee = ({ kind }: AccountRecord): boolean => kind.endsWith('_fee');
const size = ({ amount }: AccountRecord): string => amount.replace('-', '');
const only = (condition: boolean, value: string): string => (condition ? value : '');

/**
 * One row per posting, in the columns that tax programs expect: sent, received, fee. Times in UTC, amounts as plain
 * decimals, names as on the wire. Read by programs, so never translated.
 */
const COLUMNS: readonly (readonly [name: string, of: (record: AccountRecord) => string])[] = [
  ['date_utc', ({ at }) => at],
  ['sent_amount', (record) => only(isOut(record) && !isFee(record), size(record))],
  ['sent_currency', (record) => only(isOut(record) && !isFee(record), record.asset)],
  ['received_amount', (record) => only(!isOut(record), size(record))],
  ['received_currency', (record) => only(!isOut(record), record.asset)],
  ['fee_amount', (record) => only(isOut(record) && isFee(record), size(record))],
  ['fee_currency', (record) => only(isOut(record) && isFee(record), record.asset)],
  ['label', ({ kind }) => kind],
  ['balance_after', (record) => record.balance_after ?? ''],
  ['posting', ({ id }) => id],
  ['reference', ({ ref }) => ref ?? ''],
];

/**
 * Spreadsheets execute a cell that looks like a formula, and an id may begin with a minus sign, so such a cell is
 * marked as text.
 */
export function csvCell(value: string): string {
  const text = /^[\t\r]|^\s*[=+\-@＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180, oldest first, which tax programs expect. */
export function recordsCsv(newestFirst: readonly AccountRecord[]): string {
  const rows = newestFirst.toReversed().map((record) => COLUMNS.map(([, of]) => csvCell(of(record))));
  return [COLUMNS.map(([name]) => name), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
