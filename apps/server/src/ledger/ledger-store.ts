import type { AssetCode } from '@sathorn/money';
import { arrayLiteral, type Queries, statement } from '../platform/database/index.ts';
import { PURPOSES } from './chart.ts';
import type { HoldResolution, HoldResolutionKind } from './journal.ts';

export interface AccountRow {
  id: bigint;
  owner: bigint;
  code: number;
  asset: string;
  debits_held: string;
  debits_posted: string;
  credits_held: string;
  credits_posted: string;
  entries: bigint;
}

export interface JournalRow {
  id: string;
  kind: string;
  digest: string;
  refusal: string | null;
  answer: string | null;
}

export interface TransferRow {
  sequence: bigint;
  journal: string;
  kind: 's' | 'h' | 'p' | 'v';
  resolves: bigint | null;
  debit: bigint;
  credit: bigint;
  units: string;
  code: number;
  at: Date;
}

export interface StatementRow extends TransferRow {
  is_debit: boolean;
  total_after: string;
  entry: bigint;
}

/** A batch's columns, in the order of `ledger.post`'s parameters. */
export interface PostColumns {
  journals: {
    id: string;
    kind: string;
    digest: string;
    refusal: string | null;
    answer: string | null;
    first: bigint;
    count: number;
  }[];
  transfers: {
    journal: string;
    kind: string;
    resolves: bigint | null;
    asset: string;
    /** The account; its id is read only when all ids are known. */
    debit: { readonly id: bigint };
    credit: { readonly id: bigint };
    units: bigint;
    held: bigint;
    code: number;
    debitAfter: LegAfter;
    creditAfter: LegAfter;
  }[];
}

/** One side of a posted transfer: the account's entry number, its total, and the held part of it. */
export interface LegAfter {
  entry: bigint;
  total: bigint;
  held: bigint;
}

const ACCOUNT_COLUMNS = 'id, owner, code, asset, debits_held, debits_posted, credits_held, credits_posted, entries';
const TRANSFER_COLUMNS = 'sequence, journal, kind, resolves, debit, credit, units, code, at';

const HALT = statement('ledger.halt_money', 'SELECT ledger.halt_money($1)');
export async function haltMoney(queries: Queries, reason: string): Promise<void> {
  await queries.query(HALT, [reason]);
}

const OPEN = statement('ledger.open_accounts', 'SELECT ledger.open_accounts($1::bigint[], $2::smallint[], $3::text[])');
const FIND = statement(
  'ledger.find_accounts',
  `SELECT ${ACCOUNT_COLUMNS} FROM unnest($1::bigint[], $2::smallint[], $3::text[]) AS wanted(owner, code, asset) JOIN ledger.account USING (owner, code, asset)`,
);
const READ = statement(
  'ledger.read_accounts',
  `SELECT ${ACCOUNT_COLUMNS} FROM ledger.account WHERE id = ANY ($1::bigint[])`,
);
const READ_OWNER = statement(
  'ledger.read_accounts_of_owner',
  `SELECT ${ACCOUNT_COLUMNS} FROM ledger.account WHERE owner = $1 ORDER BY code, asset`,
);
const LOCK = statement('ledger.lock_head', 'SELECT last_sequence, halted, now FROM ledger.lock_head()');
const JOURNALS = statement(
  'ledger.read_journals',
  'SELECT id, kind, digest, refusal, answer FROM ledger.journal WHERE id = ANY ($1::uuid[])',
);
const POST = statement(
  'ledger.post',
  `SELECT ledger.post($1::bigint, $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::integer[],
    $9::uuid[], $10::text[], $11::bigint[], $12::text[], $13::bigint[], $14::bigint[], $15::numeric[], $16::numeric[], $17::smallint[],
    $18::bigint[], $19::numeric[], $20::numeric[], $21::bigint[], $22::numeric[], $23::numeric[])`,
);
const TRANSFERS_OF = statement(
  'ledger.read_transfers_of_journals',
  `SELECT ${TRANSFER_COLUMNS.replaceAll(/\b(\w+)\b/g, 't.$1')} FROM ledger.journal j
   JOIN ledger.transfer t ON t.sequence >= j.first_sequence AND t.sequence < j.first_sequence + j.transfers
   WHERE j.id = ANY ($1::uuid[]) ORDER BY t.sequence`,
);
const TRANSFER_OF = statement(
  'ledger.read_transfer_of_journal',
  `SELECT ${TRANSFER_COLUMNS.replaceAll(/\b(\w+)\b/g, 't.$1')} FROM ledger.journal j
   JOIN ledger.transfer t ON t.sequence = j.first_sequence + $2 - 1 AND t.journal = j.id
   WHERE j.id = $1::uuid`,
);
const RESOLVE = statement(
  'ledger.resolve',
  'SELECT ledger.resolve($1::uuid, $2::text, $3::text, $4::text[], $5::bigint[], $6::numeric[], $7::bigint, $8::smallint)',
);
// A charge follows the post from which it is taken.
const TRANSFERS_OF_HOLDS = statement(
  'ledger.read_transfers_of_holds',
  `SELECT ${TRANSFER_COLUMNS} FROM ledger.transfer WHERE sequence = ANY ($1::bigint[])
   UNION ALL SELECT ${TRANSFER_COLUMNS} FROM ledger.transfer WHERE resolves = ANY ($1::bigint[])
   UNION ALL SELECT ${TRANSFER_COLUMNS.replaceAll(/\b(\w+)\b/g, 'c.$1')} FROM ledger.transfer p
     JOIN ledger.transfer c ON c.sequence = p.sequence + 1 AND c.journal = p.journal AND c.kind = 's' AND c.debit = p.credit
     WHERE p.resolves = ANY ($1::bigint[]) AND p.kind = 'p'
   ORDER BY sequence`,
);
// Lists neither holds, which move nothing yet, nor voids, which return money that never left.
const STATEMENT = statement(
  'ledger.read_statement',
  `SELECT * FROM (
     SELECT ${TRANSFER_COLUMNS}, true AS is_debit, debit_total AS total_after, debit_entry AS entry FROM ledger.transfer
     WHERE debit = $1 AND kind IN ('s', 'p') AND ($2::bigint IS NULL OR sequence < $2) AND $3 <> 'in'
     UNION ALL
     SELECT ${TRANSFER_COLUMNS}, false, credit_total, credit_entry FROM ledger.transfer
     WHERE credit = $1 AND kind IN ('s', 'p') AND ($2::bigint IS NULL OR sequence < $2) AND $3 <> 'out'
   ) lines ORDER BY sequence DESC LIMIT $4`,
);

const AVAILABLE = statement(
  'ledger.read_available_between',
  `WITH since AS (
     SELECT t.credit_entry AS entry FROM ledger.journal j
     JOIN ledger.transfer t ON t.sequence >= j.first_sequence AND t.sequence < j.first_sequence + j.transfers
     WHERE j.id = $2 AND t.credit = $1 ORDER BY t.sequence LIMIT 1),
   until AS (SELECT first_sequence AS sequence FROM ledger.journal WHERE id = $3)
   SELECT journal, code, units::text AS units, available::text AS available FROM (
     SELECT sequence, journal, code, units, debit_total - debit_held AS available FROM ledger.transfer, since
     WHERE debit = $1 AND debit_entry >= since.entry
     UNION ALL
     SELECT sequence, journal, code, units, credit_total - credit_held FROM ledger.transfer, since
     WHERE credit = $1 AND credit_entry >= since.entry
   ) lines WHERE sequence < (SELECT sequence FROM until) ORDER BY sequence LIMIT $4`,
);
interface AvailableRow {
  readonly journal: string;
  readonly code: number;
  readonly units: string;
  /** The balance after the transfer. */
  readonly available: string;
}
/** Reads from the transfer with which `since` credited the account to the last one before `until`, with holds. */
export const readAvailableBetween = (
  queries: Queries,
  account: bigint,
  since: string,
  until: string,
  limit: number,
): Promise<AvailableRow[]> => queries.query<AvailableRow>(AVAILABLE, [account, since, until, limit]);

export async function openAccountRows(
  queries: Queries,
  wanted: readonly { owner: bigint; code: number; asset: string }[],
): Promise<AccountRow[]> {
  const owners = arrayLiteral(wanted.map((account) => account.owner));
  const codes = arrayLiteral(wanted.map((account) => account.code));
  const assets = arrayLiteral(wanted.map((account) => account.asset));
  await queries.query(OPEN, [owners, codes, assets]);
  return queries.query<AccountRow>(FIND, [owners, codes, assets]);
}

export const readAccounts = (queries: Queries, ids: readonly bigint[]): Promise<AccountRow[]> =>
  queries.query<AccountRow>(READ, [arrayLiteral(ids)]);

export const readAccountsOfOwner = (queries: Queries, owner: bigint): Promise<AccountRow[]> =>
  queries.query<AccountRow>(READ_OWNER, [owner]);

const TOTALS = statement(
  'ledger.totals',
  'SELECT code, asset, sum(credits_posted - debits_posted)::text AS units FROM ledger.account GROUP BY code, asset',
);
export const readAccountTotals = (queries: Queries): Promise<{ code: number; asset: AssetCode; units: string }[]> =>
  queries.query(TOTALS);

// Computes what customers own per asset from the few accounts of the house, because all debits equal all credits.
const OWED = statement(
  'ledger.owed',
  'SELECT asset, sum(debits_posted - credits_posted)::text AS units FROM ledger.account WHERE owner = 0 GROUP BY asset',
);
export const readOwedToCustomers = (queries: Queries): Promise<{ asset: AssetCode; units: string }[]> =>
  queries.query(OWED);

/** Takes the poster's lock until the transaction ends. */
export async function lockLedgerHead(
  queries: Queries,
): Promise<{ last_sequence: bigint; halted: string | null; now: Date }> {
  const [head] = await queries.query<{ last_sequence: bigint; halted: string | null; now: Date }>(LOCK);
  if (!head) throw new Error('ledger.head is empty');
  return head;
}

export const readJournals = (queries: Queries, ids: readonly string[]): Promise<JournalRow[]> =>
  queries.query<JournalRow>(JOURNALS, [arrayLiteral(ids)]);

/**
 * An array parameter built row by row: a batch has thousands of elements in two dozen columns, so each row is visited
 * only once.
 */
class GrowingArray {
  #elements = '';
  add(value: bigint | number | string | null): void {
    this.#elements += this.#elements === '' ? (value ?? 'NULL') : `,${value ?? 'NULL'}`;
  }
  text(): string {
    return `{${this.#elements}}`;
  }
}

function arraysOf<Name extends string>(...names: Name[]): Record<Name, GrowingArray> {
  return Object.fromEntries(names.map((name) => [name, new GrowingArray()])) as Record<Name, GrowingArray>;
}

export async function postBatchColumns(
  queries: Queries,
  firstSequence: bigint,
  { journals, transfers }: PostColumns,
): Promise<void> {
  const j = arraysOf('id', 'kind', 'digest', 'refusal', 'first', 'count');
  for (const journal of journals) {
    j.id.add(journal.id);
    j.kind.add(journal.kind);
    j.digest.add(journal.digest);
    j.refusal.add(journal.refusal);
    j.first.add(journal.first);
    j.count.add(journal.count);
  }
  const t = arraysOf('journal', 'kind', 'resolves', 'asset', 'debit', 'credit', 'units', 'held', 'code');
  const debit = arraysOf('entry', 'total', 'held');
  const credit = arraysOf('entry', 'total', 'held');
  for (const transfer of transfers) {
    t.journal.add(transfer.journal);
    t.kind.add(transfer.kind);
    t.resolves.add(transfer.resolves);
    t.asset.add(transfer.asset);
    t.debit.add(transfer.debit.id);
    t.credit.add(transfer.credit.id);
    t.units.add(transfer.units);
    t.held.add(transfer.held);
    t.code.add(transfer.code);
    debit.entry.add(transfer.debitAfter.entry);
    debit.total.add(transfer.debitAfter.total);
    debit.held.add(transfer.debitAfter.held);
    credit.entry.add(transfer.creditAfter.entry);
    credit.total.add(transfer.creditAfter.total);
    credit.held.add(transfer.creditAfter.held);
  }
  const answers = journals.map(({ answer }) => answer);
  const parameters = [j.id, j.kind, j.digest, j.refusal, answers, j.first, j.count, ...Object.values(t)];
  const columns = [...parameters, ...Object.values(debit), ...Object.values(credit)];
  await queries.query(POST, [
    firstSequence,
    ...columns.map((column) => (column instanceof GrowingArray ? column.text() : column)),
  ]);
}

export const readTransfersOfJournals = (queries: Queries, journals: readonly string[]): Promise<TransferRow[]> =>
  queries.query<TransferRow>(TRANSFERS_OF, [arrayLiteral(journals)]);

export const readTransferOfJournal = (queries: Queries, journal: string, n: number): Promise<TransferRow[]> =>
  queries.query<TransferRow>(TRANSFER_OF, [journal, n]);

/** Locks the head from here on. `chargedTo` is an account id. */
export async function resolveHolds(
  queries: Queries,
  { name, charges }: HoldResolutionKind,
  { intent, ends }: HoldResolution,
  chargedTo: bigint,
): Promise<void> {
  const line = arraysOf('kind', 'hold', 'units');
  const add = (kind: string, hold: bigint, units: bigint | null): void => {
    line.kind.add(kind);
    line.hold.add(hold);
    line.units.add(units);
  };
  for (const { hold, posted, charge } of ends) {
    add(posted === null ? 'v' : 'p', hold, posted);
    if (charge > 0n) add('s', hold, charge);
  }
  const columns = Object.values(line).map((column) => column.text());
  await queries.query(RESOLVE, [intent.id, name, intent.digest, ...columns, chargedTo, PURPOSES[charges.code].code]);
}

export const readTransfersOfHolds = (queries: Queries, holds: readonly bigint[]): Promise<TransferRow[]> =>
  queries.query<TransferRow>(TRANSFERS_OF_HOLDS, [arrayLiteral(holds)]);

export const readStatement = (
  queries: Queries,
  account: bigint,
  before: bigint | null,
  direction: string,
  limit: number,
): Promise<StatementRow[]> => queries.query<StatementRow>(STATEMENT, [account, before, direction, limit]);

const ENTRIES = statement(
  'ledger.read_entries',
  `SELECT coalesce(d.at, c.at) AS at, coalesce(d.debit_total, c.credit_total)::text AS total
   FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS wanted(account, entry, n)
   LEFT JOIN ledger.transfer d ON d.debit = wanted.account AND d.debit_entry = wanted.entry
   LEFT JOIN ledger.transfer c ON c.credit = wanted.account AND c.credit_entry = wanted.entry
   ORDER BY wanted.n`,
);
/**
 * Returns each account's posted credits less debits at each moment. Entries are numbered in the order of time, so a
 * binary search finds each moment: about twenty rows per moment in a history of a million entries.
 */
export async function readAccountTotalsAt(
  queries: Queries,
  accounts: readonly Pick<AccountRow, 'id' | 'entries'>[],
  moments: readonly Date[],
): Promise<bigint[][]> {
  const sought = accounts.flatMap(({ id, entries }) =>
    moments.map((at) => ({ account: id, at, low: 0n, high: entries, total: 0n })),
  );
  for (;;) {
    const open = sought.filter(({ low, high }) => low < high);
    if (open.length === 0) break;
    const middles = open.map(({ low, high }) => (low + high + 1n) / 2n);
    const rows = await queries.query<{ at: Date; total: string }>(ENTRIES, [
      arrayLiteral(open.map(({ account }) => account)),
      arrayLiteral(middles),
    ]);
    for (const [n, one] of open.entries()) {
      const [row, middle = 0n] = [rows[n], middles[n]];
      if (row && row.at <= one.at) Object.assign(one, { low: middle, total: BigInt(row.total) });
      else one.high = middle - 1n;
    }
  }
  return accounts.map((_, n) => sought.slice(n * moments.length, (n + 1) * moments.length).map(({ total }) => total));
}

const TRANSFER_AT = statement(
  'ledger.read_transfer',
  `SELECT ${TRANSFER_COLUMNS} FROM ledger.transfer WHERE sequence = $1`,
);
export const readTransferAt = (queries: Queries, sequence: bigint): Promise<TransferRow[]> =>
  queries.query<TransferRow>(TRANSFER_AT, [sequence]);

const JOURNAL = statement(
  'ledger.read_journal',
  'SELECT id, kind, digest, refusal, answer, first_sequence, transfers, at FROM ledger.journal WHERE id = $1',
);
interface WholeJournalRow extends JournalRow {
  readonly first_sequence: bigint;
  readonly transfers: number;
  readonly at: Date;
}
export const readJournal = async (queries: Queries, id: string): Promise<WholeJournalRow | null> =>
  (await queries.query<WholeJournalRow>(JOURNAL, [id]))[0] ?? null;

// Finds the last transfer before a time by binary search: sequences have no gaps, and times grow with them.
const SEQUENCE_BEFORE = statement(
  'ledger.find_sequence_before',
  `WITH RECURSIVE half(low, high) AS (
     SELECT 0::bigint, last_sequence FROM ledger.head
     UNION ALL
     SELECT CASE WHEN t.at < $1 THEN t.sequence ELSE low END, CASE WHEN t.at < $1 THEN high ELSE t.sequence - 1 END
     FROM half JOIN ledger.transfer t ON t.sequence = (low + high + 1) / 2 WHERE low < high)
   SELECT low AS sequence FROM half WHERE low >= high`,
);
export const findSequenceBefore = async (queries: Queries, at: Date): Promise<bigint> =>
  (await queries.query<{ sequence: bigint }>(SEQUENCE_BEFORE, [at]))[0]?.sequence ?? 0n;

const LAST_SEQUENCE = statement('ledger.last_sequence', 'SELECT last_sequence FROM ledger.head');
export const readLastSequence = async (queries: Queries): Promise<bigint> =>
  (await queries.query<{ last_sequence: bigint }>(LAST_SEQUENCE))[0]?.last_sequence ?? 0n;

const WINDOW = statement(
  'ledger.find_in_window',
  `SELECT ${TRANSFER_COLUMNS} FROM ledger.transfer
   WHERE sequence > $1 AND sequence <= $2 AND ($3::smallint IS NULL OR code = $3) ORDER BY sequence DESC LIMIT $4`,
);
/** Newest first, above `low` and up to `high`. Keep the window small, because purposes have no index. */
export const findTransfersInWindow = (
  queries: Queries,
  low: bigint,
  high: bigint,
  code: number | null,
  limit: number,
): Promise<TransferRow[]> => queries.query<TransferRow>(WINDOW, [low, high, code, limit]);

const OF_OWNER = statement(
  'ledger.find_of_owner',
  `SELECT ${TRANSFER_COLUMNS} FROM (
     SELECT ${TRANSFER_COLUMNS} FROM ledger.transfer WHERE debit = ANY ($1::bigint[]) AND sequence > $2 AND sequence <= $3
     UNION
     SELECT ${TRANSFER_COLUMNS} FROM ledger.transfer WHERE credit = ANY ($1::bigint[]) AND sequence > $2 AND sequence <= $3
   ) found WHERE ($4::smallint IS NULL OR code = $4) ORDER BY sequence DESC LIMIT $5`,
);
/** Like `findTransfersInWindow`, for the accounts of one customer. */
export const findTransfersOfAccounts = (
  queries: Queries,
  accounts: readonly bigint[],
  low: bigint,
  high: bigint,
  code: number | null,
  limit: number,
): Promise<TransferRow[]> => queries.query<TransferRow>(OF_OWNER, [arrayLiteral(accounts), low, high, code, limit]);

const ACCOUNT_SUMS = statement(
  'ledger.count_accounts',
  `SELECT code, asset, count(*)::integer AS accounts, sum(credits_posted - debits_posted)::text AS units, sum(debits_held)::text AS held
   FROM ledger.account GROUP BY code, asset ORDER BY code, asset`,
);
interface AccountSumRow {
  readonly code: number;
  readonly asset: AssetCode;
  readonly accounts: number;
  readonly units: string;
  readonly held: string;
}
export const readAccountSums = (queries: Queries): Promise<AccountSumRow[]> =>
  queries.query<AccountSumRow>(ACCOUNT_SUMS);

// Reads the newest inflows that add up to the balance. Money leaves a clearing account in the order in which it came,
// so these are still in it.
const INFLOWS = (side: 'debit' | 'credit'): string => `
  SELECT min(at) AS oldest FROM (
    SELECT at, sum(units) OVER (ORDER BY entry DESC) - units AS newer FROM (
      SELECT at, units, ${side}_entry AS entry FROM ledger.transfer WHERE ${side} = $1 AND kind IN ('s', 'p') ORDER BY ${side}_entry DESC LIMIT 5000
    ) newest
  ) summed WHERE newer < $2::numeric`;
const OLDEST = {
  debit: statement('ledger.oldest_debit', INFLOWS('debit')),
  credit: statement('ledger.oldest_credit', INFLOWS('credit')),
};
export const findOldestInflow = async (
  queries: Queries,
  side: keyof typeof OLDEST,
  account: bigint,
  units: bigint,
): Promise<Date | null> =>
  (await queries.query<{ oldest: Date | null }>(OLDEST[side], [account, units]))[0]?.oldest ?? null;
