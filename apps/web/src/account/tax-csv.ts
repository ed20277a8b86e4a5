import type { AccountRecord } from '../parts/money/apply-record-news.ts';
import { type Columns, type EventRow, OWN_MOVE, recordsCsv, rowsOf, size, writeCsv } from './records-csv.ts';

/** `table` has our own columns; the others are what these tax programs import. */
export const EXPORT_FORMATS = ['table', 'koinly', 'cointracking'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What an event is for a tax program. */
type Meaning = 'trade' | 'transfer' | 'interest' | 'reward' | 'gain' | 'cost' | 'refund';

/** By the kind of the record. What is missing is a plain transfer in or out. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  contract_trade: 'trade',
  option_stake: 'gain',
  option_payout: 'gain',
  option_void: 'gain',
  lockup_income: 'interest',
  liquidity_income: 'interest',
  sign_in_reward: 'reward',
  box_prize: 'reward',
  coupon_paid: 'reward',
  correction_goodwill: 'reward',
  correction_refund: 'refund',
  correction_reverse: 'cost',
  recovery_fee: 'cost',
  shortfall_repaid: 'cost',
};

const kindOf = ({ sent, received, fee }: EventRow): string => (sent ?? received ?? fee)?.kind ?? '';
function meaningOf(row: EventRow): Meaning {
  const meaning = MEANINGS[kindOf(row)] ?? 'transfer';
  if (meaning === 'trade') return row.sent && row.received ? 'trade' : 'cost';
  return meaning === 'transfer' && !row.sent && !row.received ? 'cost' : meaning;
}

/** Points have no price, and money that moves between a customer's own accounts is no event for a tax office. */
const isTaxed = (row: EventRow): boolean =>
  !OWN_MOVE.test(kindOf(row)) &&
  kindOf(row) !== 'reward_released' &&
  row.postings.every(({ asset }) => asset !== 'POINTS');

/** `2026-11-21 07:00:01`, in UTC. */
const timeOf = ({ postings }: EventRow): string => (postings[0]?.at ?? '').slice(0, 19).replace('T', ' ');
const idOf = ({ postings }: EventRow): string => postings[0]?.id ?? '';

/** A fee without anything beside it is what was sent. */
const sentOf = ({ sent, received, fee }: EventRow) => sent ?? (received ? undefined : fee);
const feeOf = ({ sent, received, fee }: EventRow) => (sent || received ? fee : undefined);

const KOINLY_LABELS: Readonly<Record<Meaning, string>> = {
  trade: '',
  transfer: '',
  interest: 'lending interest',
  reward: 'reward',
  gain: 'realized gain',
  cost: 'cost',
  refund: 'cashback',
};
/** Koinly's universal format (help page "How to create a custom CSV file"). */
const KOINLY: Columns = [
  ['Date', (row) => `${timeOf(row)} UTC`],
  ['Sent Amount', (row) => size(sentOf(row))],
  ['Sent Currency', (row) => sentOf(row)?.asset ?? ''],
  ['Received Amount', ({ received }) => size(received)],
  ['Received Currency', ({ received }) => received?.asset ?? ''],
  ['Fee Amount', (row) => size(feeOf(row))],
  ['Fee Currency', (row) => feeOf(row)?.asset ?? ''],
  ['Net Worth Amount', () => ''],
  ['Net Worth Currency', () => ''],
  ['Label', (row) => KOINLY_LABELS[meaningOf(row)]],
  ['Description', kindOf],
  ['TxHash', idOf],
];

function cointrackingType(row: EventRow): string {
  switch (meaningOf(row)) {
    case 'trade':
      return 'Trade';
    case 'interest':
      return 'Interest Income';
    case 'reward':
      return 'Reward / Bonus';
    case 'refund':
      return 'Income (non taxable)';
    case 'gain':
      return row.received ? 'Derivatives / Futures Profit' : 'Derivatives / Futures Loss';
    case 'cost':
      return 'Other Fee';
    case 'transfer':
      return row.received ? 'Deposit' : 'Withdrawal';
  }
}
/** CoinTracking's format for own CSV files (page "CSV import"). */
const cointrackingOf = (exchange: string): Columns => [
  ['Type', cointrackingType],
  ['Buy Amount', ({ received }) => size(received)],
  ['Buy Currency', ({ received }) => received?.asset ?? ''],
  ['Sell Amount', (row) => size(sentOf(row))],
  ['Sell Currency', (row) => sentOf(row)?.asset ?? ''],
  ['Fee', (row) => size(feeOf(row))],
  ['Fee Currency', (row) => feeOf(row)?.asset ?? ''],
  ['Exchange', () => exchange],
  ['Trade-Group', () => ''],
  ['Comment', kindOf],
  ['Date', timeOf],
  ['Tx-ID', idOf],
];

export interface ExportedSpan {
  /** ISO; events from it on. */
  readonly from: string;
  /** ISO; events before it. */
  readonly until: string;
}

/** The events of a span as a file, oldest first, and how many there are. `exchange` is the platform's name. */
export function exportCsv(
  format: ExportFormat,
  newestFirst: readonly AccountRecord[],
  { from, until }: ExportedSpan,
  exchange: string,
): { readonly text: string; readonly count: number } {
  const inSpan = newestFirst.filter(({ at }) => at >= from && at < until);
  const rows = rowsOf(inSpan.toReversed());
  if (format === 'table') return { text: recordsCsv(inSpan), count: rows.length };
  const taxed = rows.filter(isTaxed);
  return { text: writeCsv(format === 'koinly' ? KOINLY : cointrackingOf(exchange), taxed), count: taxed.length };
}
