import { arrayLiteral, type Queries, statement } from '../platform/database/index.ts';

/** A customer's account with its newest head that was signed. */
export interface HeadRow {
  readonly id: bigint;
  readonly code: number;
  readonly asset: string;
  readonly entries: bigint;
  readonly total: string;
  readonly held: string;
  /** The entry of the newest head, 0 without one. */
  readonly entry: bigint;
  /** Hex; empty without a head. */
  readonly hash: string;
  readonly at_ms: bigint;
}

/** One side of a transfer. */
export interface EntryRow {
  readonly entry: bigint;
  readonly sequence: bigint;
  readonly journal: string;
  readonly kind: 's' | 'h' | 'p' | 'v';
  readonly resolves: bigint | null;
  readonly amount: string;
  readonly held: string;
  readonly total: string;
  readonly code: number;
  readonly at_ms: bigint;
}

export interface NewHead {
  readonly account: bigint;
  readonly previous: bigint;
  readonly entry: bigint;
  readonly hash: string;
}

const HEADS = statement(
  'ledger.read_account_heads',
  `SELECT a.id, a.code, a.asset, a.entries, (a.credits_posted - a.debits_posted)::text AS total, a.debits_held::text AS held,
     coalesce(h.entry, 0) AS entry, coalesce(encode(h.hash, 'hex'), '') AS hash, coalesce((extract(epoch FROM h.at) * 1000)::bigint, 0) AS at_ms
   FROM ledger.account a
   LEFT JOIN LATERAL (SELECT entry, hash, at FROM ledger.account_head WHERE account = a.id ORDER BY entry DESC LIMIT 1) h ON true
   WHERE a.owner = $1 AND a.entries > 0`,
);
/** The customer's accounts that have entries, in one snapshot. */
export const readHeads = (queries: Queries, owner: bigint): Promise<HeadRow[]> =>
  queries.query<HeadRow>(HEADS, [owner]);

const SIDE = (side: 'debit' | 'credit', sign: string): string =>
  `SELECT ${side}_entry AS entry, sequence, journal, kind, resolves, (${sign}units)::text AS amount, ${side}_held::text AS held,
     ${side}_total::text AS total, code, floor(extract(epoch FROM at) * 1000)::bigint AS at_ms
   FROM ledger.transfer WHERE ${side} = $1 AND ${side}_entry > $2 AND ${side}_entry <= $3`;
const ENTRIES = statement(
  'ledger.read_account_entries',
  `SELECT * FROM (${SIDE('debit', '-')} UNION ALL ${SIDE('credit', '')}) entries ORDER BY entry`,
);
/** The entries above `after` and up to `upTo`, oldest first. */
export const readEntries = (queries: Queries, account: bigint, after: bigint, upTo: bigint): Promise<EntryRow[]> =>
  queries.query<EntryRow>(ENTRIES, [account, after, upTo]);

const HEAD_BEFORE = statement(
  'ledger.read_account_head_before',
  `SELECT entry, encode(hash, 'hex') AS hash FROM ledger.account_head
   WHERE account = $1 AND entry <= $2 ORDER BY entry DESC LIMIT 1`,
);
/** The newest head at or before an entry. */
export const readHeadBefore = async (
  queries: Queries,
  account: bigint,
  entry: bigint,
): Promise<{ entry: bigint; hash: string } | undefined> =>
  (await queries.query<{ entry: bigint; hash: string }>(HEAD_BEFORE, [account, entry]))[0];

const LOCK = statement('ledger.lock_heads', 'SELECT ledger.lock_heads($1)');
/** Until the transaction ends, nobody else adds heads of this customer. */
export async function lockHeads(queries: Queries, owner: bigint): Promise<void> {
  await queries.query(LOCK, [owner]);
}

const REMEMBER = statement(
  'ledger.remember_heads',
  `SELECT (extract(epoch FROM ledger.remember_heads($1, $2::bigint[], $3::bigint[], $4::bigint[], $5::text[])) * 1000)::bigint AS at_ms`,
);
/** Adds heads of one customer, and returns their time in ms. */
export async function rememberHeads(queries: Queries, owner: bigint, heads: readonly NewHead[]): Promise<bigint> {
  const [row] = await queries.query<{ at_ms: bigint }>(REMEMBER, [
    owner,
    arrayLiteral(heads.map(({ account }) => account)),
    arrayLiteral(heads.map(({ previous }) => previous)),
    arrayLiteral(heads.map(({ entry }) => entry)),
    arrayLiteral(heads.map(({ hash }) => hash)),
  ]);
  if (row === undefined) throw new Error('the heads have no time');
  return row.at_ms;
}
