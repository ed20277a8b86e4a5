import type { AccountRecord } from '../parts/money/apply-record-news.ts';

/** One event: what was sent, what was received, and the fee. */
export interface EventRow {
  sent?: AccountRecord;
  received?: AccountRecord;
  fee?: AccountRecord;
  /** The row's postings, oldest first. */
  readonly postings: AccountRecord[];
}

type Side = 'sent' | 'received' | 'fee';
const sideOf = ({ kind, amount }: AccountRecord): Side =>
  !amount.startsWith('-') ? 'received' : kind.endsWith('_fee') ? 'fee' : 'sent';
export const size = (record: AccountRecord | undefined): string => record?.amount.replace('-', '') ?? '';

/** Money that stays the customer's: moves to and from their own lock-up or liquidity. */
export const OWN_MOVE = /^(lockup|liquidity)_(subscribed|matured|redeemed)$/;
const productOf = ({ kind }: AccountRecord): string | undefined => kind.split('_')[0];

/** True if a posting completes the row of the previous one: the other side of a fill, or the fee of either side. */
function belongsTo(row: EventRow, record: AccountRecord): boolean {
  const last = row.postings.at(-1);
  const side = sideOf(record);
  if (last === undefined || record.ref === null || record.ref !== last.ref || row[side] !== undefined) return false;
  return productOf(record) === productOf(last) && (record.kind.startsWith('contract_') || side === 'fee');
}

/**
 * Groups postings into rows. A tax program reads a row with both sides as a trade, a row that only sends as a disposal,
 * and one that only receives as income. So all postings of a fill are one row, and an own move both sends and receives
 * its amount, which changes no total.
 */
export function rowsOf(oldestFirst: readonly AccountRecord[]): readonly EventRow[] {
  const rows: EventRow[] = [];
  for (const record of oldestFirst) {
    const last = rows.at(-1);
    const row: EventRow = last && belongsTo(last, record) ? last : { postings: [] };
    if (row !== last) rows.push(row);
    row.postings.push(record);
    if (OWN_MOVE.test(record.kind)) row.sent = row.received = record;
    else row[sideOf(record)] = record;
  }
  return rows;
}

/** The balance of the row's asset; empty for a row of two assets, which has no single balance. */
function balanceAfter({ postings }: EventRow): string {
  const [last] = postings.slice(-1);
  return (postings.every(({ asset }) => asset === last?.asset) && last?.balance_after) || '';
}

/**
 * One row per event, in the columns that tax programs expect: sent, received, fee. Times are in UTC, amounts are plain
 * decimals, and names are as on the wire. Programs read the file, so it is never translated.
 */
const COLUMNS: readonly (readonly [name: string, of: (row: EventRow) => string])[] = [
  ['date_utc', ({ postings }) => postings[0]?.at ?? ''],
  ['sent_amount', ({ sent }) => size(sent)],
  ['sent_currency', ({ sent }) => sent?.asset ?? ''],
  ['received_amount', ({ received }) => size(received)],
  ['received_currency', ({ received }) => received?.asset ?? ''],
  ['fee_amount', ({ fee }) => size(fee)],
  ['fee_currency', ({ fee }) => fee?.asset ?? ''],
  ['label', ({ sent, received, fee }) => (sent ?? received ?? fee)?.kind ?? ''],
  ['balance_after', balanceAfter],
  ['posting', ({ postings }) => postings.map(({ id }) => id).join(' ')],
  ['reference', ({ postings }) => postings[0]?.ref ?? ''],
];

/**
 * Marks a cell as text if it looks like a formula, because spreadsheets would execute it. Even an id may begin with a
 * minus sign.
 */
export function csvCell(value: string): string {
  const text = /^[\t\r]|^\s*[=+\-@＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export type Columns = typeof COLUMNS;

/** Returns a file in RFC 4180. */
export function writeCsv(columns: Columns, rows: readonly EventRow[]): string {
  const cells = rows.map((row) => columns.map(([, of]) => csvCell(of(row))));
  return [columns.map(([name]) => name), ...cells].map((row) => `${row.join(',')}\r\n`).join('');
}

/** Every event in our own columns, oldest first. */
export const recordsCsv = (newestFirst: readonly AccountRecord[]): string =>
  writeCsv(COLUMNS, rowsOf(newestFirst.toReversed()));
