import { parseDecimal, scaleOf } from '@sathorn/money';
import { type AccountEntry, postedOf } from '@sathorn/proof';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';

/** The verified entries of one account from some number to its head, oldest first. */
export interface ShownEntries {
  readonly name: string;
  readonly asset: string;
  readonly entries: readonly AccountEntry[];
  /** The balance before the first of them. */
  readonly before: bigint;
}

/** Money that only moves between the customer's own spot accounts is no row of the statement. */
const NO_ROW: ReadonlySet<string> = new Set(['contract_hold', 'contract_release']);

const unitsOf = (text: string, asset: AccountRecord['asset']): bigint | undefined => {
  const isNegative = text.startsWith('-');
  const units = parseDecimal(isNegative ? text.slice(1) : text, scaleOf(asset as Parameters<typeof scaleOf>[0]));
  return units === undefined || !isNegative ? units : -units;
};

/**
 * Compares the rows of a statement with verified entries: amount, time, purpose, event and balance of each row, and
 * that no entry between the oldest and the newest row was left out. The entries of each account must reach the oldest
 * row. Returns the first row or entry that differs, in words for a log; null if none does.
 */
export function findRowUnlike(records: readonly AccountRecord[], accounts: readonly ShownEntries[]): string | null {
  const rows = records.map((record) => ({ record, found: entryOf(record, accounts) }));
  for (const { record, found } of rows) {
    if (found === undefined) return `${record.id}: no such entry`;
    const { entry } = found;
    const isRight =
      unitsOf(record.amount, record.asset) === postedOf(entry) &&
      Date.parse(record.at) === Number(entry.at) &&
      record.kind === entry.purpose &&
      record.ref === entry.journal &&
      record.balance_after !== null &&
      unitsOf(record.balance_after, record.asset) === totalAt(record.asset, BigInt(entry.seq), accounts);
    if (!isRight) return `${record.id}: another entry`;
  }
  const sequences = rows.map(({ found }) => BigInt(found?.entry.seq ?? 0));
  const [newest, oldest] = [sequences[0], sequences.at(-1)];
  if (newest === undefined || oldest === undefined) return null;
  if (sequences.some((sequence, place) => place > 0 && sequence > (sequences[place - 1] ?? 0n))) return 'order';
  const shown = new Set(rows.map(({ found }) => found && keyOf(found.account, found.entry.n)));
  for (const account of accounts)
    for (const entry of account.entries) {
      const sequence = BigInt(entry.seq);
      const isRow = postedOf(entry) !== 0n && !NO_ROW.has(entry.purpose) && sequence >= oldest && sequence <= newest;
      if (isRow && !shown.has(keyOf(account, entry.n))) return `${account.name} ${account.asset} ${entry.n}: left out`;
    }
  return null;
}

const keyOf = ({ name, asset }: Pick<ShownEntries, 'name' | 'asset'>, n: string): string => `${name} ${asset} ${n}`;

function entryOf({ asset, entry: wanted }: AccountRecord, accounts: readonly ShownEntries[]) {
  const account = accounts.find((one) => one.asset === asset && one.name === wanted?.account);
  const first = account?.entries[0];
  if (account === undefined || first === undefined || wanted === undefined) return undefined;
  const entry = account.entries[Number(BigInt(wanted.n) - BigInt(first.n))];
  return entry?.n === wanted.n ? { account, entry } : undefined;
}

/** The customer's balance of an asset after a transfer: over both accounts, as an open order's coins are theirs. */
function totalAt(asset: string, sequence: bigint, accounts: readonly ShownEntries[]): bigint {
  return accounts
    .filter((account) => account.asset === asset)
    .reduce((sum, { entries, before }) => {
      const last = entries.findLast(({ seq }) => BigInt(seq) <= sequence);
      return sum + (last === undefined ? before : BigInt(last.total));
    }, 0n);
}
