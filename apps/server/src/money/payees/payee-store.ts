import { column, type Queries, type RowOf, statement, type Transaction, table } from '../../platform/database/index.ts';

export type PayeeKind = 'card' | 'wallet';

const { uuid, text, bigint, bytes, integer, time, nullable } = column;
const PAYEE = {
  id: uuid,
  owner: bigint,
  kind: text<PayeeKind>(),
  place: integer,
  name: text<string>(),
  sealed: bytes,
  digest: bytes,
  /** Set for wallets only. Null in older rows until the next start fills it in. */
  commitment: nullable(bytes),
  added_at: time,
  /** The call that added it; null in older rows and those of a demo. */
  intent: nullable(uuid),
};
export type PayeeRow = RowOf<typeof PAYEE>;
const PAYEES = table<PayeeRow>(PAYEE);
const COLUMNS = PAYEES.names;

const LOCK_OWNER = statement(
  'payees.lock_owner',
  `SELECT pg_advisory_xact_lock(hashtextextended('payees.payee ' || $1::text, 0))`,
);
const INSERT = statement('payees.insert_payee', PAYEES.insertOneInto('payees.payee'));
const SHARE = statement(
  'payees.share_payee',
  'SELECT EXISTS (SELECT FROM payees.payee a JOIN payees.payee b ON b.digest = a.digest AND b.owner = $2 WHERE a.owner = $1) AS is_shared',
);
const LIST = statement(
  'payees.list_payees',
  `SELECT ${COLUMNS} FROM payees.payee WHERE owner = $1 AND removed_at IS NULL ORDER BY added_at, id`,
);
const FIND = statement(
  'payees.find_payee',
  `SELECT ${COLUMNS} FROM payees.payee WHERE owner = $1 AND id = $2 AND removed_at IS NULL`,
);
const REMOVE = statement(
  'payees.remove_payee',
  'UPDATE payees.payee SET removed_at = greatest($3, added_at) WHERE owner = $1 AND id = $2 AND removed_at IS NULL RETURNING name',
);
const RENAME = statement(
  'payees.rename_payee',
  'UPDATE payees.payee SET name = $3 WHERE owner = $1 AND id = $2 AND removed_at IS NULL RETURNING id',
);

/** Serialises additions, so that a second one at once is refused with a message and not by a constraint. */
export async function lockPayeeOwner(transaction: Transaction, owner: bigint): Promise<void> {
  await transaction.query(LOCK_OWNER, [owner]);
}

export async function insertPayee(queries: Queries, row: PayeeRow): Promise<void> {
  await queries.query(INSERT, PAYEES.valuesOf(row));
}

const HOLDERS = statement(
  'payees.list_holders',
  `SELECT ${COLUMNS} FROM payees.payee WHERE kind = 'wallet' AND digest = $1 ORDER BY removed_at IS NOT NULL, added_at, id LIMIT 20`,
);
/** All customers' wallets with this address, including removed ones. */
export const listWalletsOfAddress = (queries: Queries, digest: Buffer): Promise<PayeeRow[]> =>
  queries.query<PayeeRow>(HOLDERS, [digest]);

const UNCOMMITTED = statement(
  'payees.list_uncommitted',
  `SELECT ${COLUMNS} FROM payees.payee WHERE kind = 'wallet' AND commitment IS NULL AND id > $1 ORDER BY id LIMIT 500`,
);
/** Wallets that older versions saved without a commitment. */
export const listUncommittedWallets = (queries: Queries, after: string): Promise<PayeeRow[]> =>
  queries.query<PayeeRow>(UNCOMMITTED, [after]);
const COMMIT = statement('payees.commit_address', 'SELECT payees.commit_address($1, $2)');
/** Works once: the database keeps the first commitment. */
export async function storeAddressCommitment(queries: Queries, id: string, commitment: Buffer): Promise<void> {
  await queries.query(COMMIT, [id, commitment]);
}

/** True if both have, or had, the same bank account or wallet. */
export async function areSharingPayee(queries: Queries, one: bigint, other: bigint): Promise<boolean> {
  return (await queries.query<{ is_shared: boolean }>(SHARE, [one, other]))[0]?.is_shared ?? false;
}

/** Payees that were not removed, oldest first. */
export function listPayeeRows(queries: Queries, owner: bigint): Promise<PayeeRow[]> {
  return queries.query<PayeeRow>(LIST, [owner]);
}

/** Null if it does not exist or belongs to another customer. */
export async function findPayeeRow(queries: Queries, owner: bigint, id: string): Promise<PayeeRow | null> {
  const [row] = await queries.query<PayeeRow>(FIND, [owner, id]);
  return row ?? null;
}

/** Returns the payee's name, or null if this customer has no such payee. */
export async function removePayeeRow(queries: Queries, owner: bigint, id: string, now: Date): Promise<string | null> {
  const [row] = await queries.query<{ name: string }>(REMOVE, [owner, id, now]);
  return row?.name ?? null;
}

export async function renamePayeeRow(queries: Queries, owner: bigint, id: string, name: string): Promise<boolean> {
  return (await queries.query(RENAME, [owner, id, name])).length > 0;
}
