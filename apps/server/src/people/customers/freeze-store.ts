import { type Queries, statement } from '../../platform/database/index.ts';

export type FreezeScope = 'sign_in' | 'trading' | 'withdrawals';
export type FreezeReason =
  | 'customer_asked'
  | 'takeover_suspected'
  | 'deposit_reversed'
  | 'duplicate_person'
  | 'legal_order';

export interface FreezeRow {
  readonly id: string;
  readonly customer: bigint;
  readonly scopes: FreezeScope[];
  readonly reason: FreezeReason;
  readonly made_by: bigint;
  readonly made_by_name: string;
  readonly starts_at: Date;
  readonly until: Date;
  readonly lifted_at: Date | null;
  readonly is_active: boolean;
}

const COLUMNS =
  'id, customer, scopes, reason, made_by, made_by_name, starts_at, until, lifted_at, lifted_at IS NULL AND until > clock_timestamp() AS is_active';
const insert = statement(
  'customers.insert_freeze',
  `INSERT INTO customers.freeze (id, customer, scopes, reason, made_by, made_by_name, until) VALUES ($1, $2, $3, $4, $5, $6, $7)
   RETURNING ${COLUMNS}`,
);
const list = statement(
  'customers.list_freezes',
  `SELECT ${COLUMNS} FROM customers.freeze WHERE customer = $1 ORDER BY starts_at DESC LIMIT 50`,
);
const change = statement('customers.change_freeze', 'SELECT customers.change_freeze($1, $2)');
const isFrozen = statement('customers.is_frozen_in', 'SELECT customers.is_frozen($1, $2) AS is_frozen');

export async function insertFreeze(
  queries: Queries,
  freeze: Pick<FreezeRow, 'id' | 'customer' | 'scopes' | 'reason' | 'made_by' | 'made_by_name' | 'until'>,
): Promise<FreezeRow> {
  const { id, customer, scopes, reason, made_by, made_by_name, until } = freeze;
  const [row] = await queries.query<FreezeRow>(insert, [id, customer, scopes, reason, made_by, made_by_name, until]);
  if (!row) throw new Error('no freeze was written');
  return row;
}

/** Freezes a customer who spent a deposit that was reversed. */
export async function freezeForReversal(
  transaction: Queries,
  freeze: Pick<FreezeRow, 'id' | 'customer' | 'until'>,
): Promise<void> {
  const rule = { reason: 'deposit_reversed', made_by: 0n, made_by_name: 'platform' } as const;
  await insertFreeze(transaction, { ...freeze, ...rule, scopes: ['withdrawals', 'trading'] });
}

export function listFreezes(queries: Queries, customer: bigint): Promise<FreezeRow[]> {
  return queries.query<FreezeRow>(list, [customer]);
}

/**
 * Applies an approval by two operators. The database rejects it if the approval does not exist or the freeze has ended.
 */
export async function applyFreezeChange(queries: Queries, freeze: string, approval: string): Promise<void> {
  await queries.query(change, [freeze, approval]);
}

export async function isFrozenIn(queries: Queries, customer: bigint, scope: FreezeScope): Promise<boolean> {
  const [row] = await queries.query<{ is_frozen: boolean }>(isFrozen, [customer, scope]);
  return row?.is_frozen ?? false;
}

const LOCK_FROZEN = statement('customers.lock_frozen', 'SELECT lock_frozen AS id FROM customers.lock_frozen($1, $2)');
/** Returns the frozen ones of these. Until the transaction ends, none of the others can be frozen. */
export async function lockFrozenCustomers(
  transaction: Queries,
  customers: readonly bigint[],
  scope: FreezeScope,
): Promise<ReadonlySet<bigint>> {
  if (customers.length === 0) return new Set();
  const rows = await transaction.query<{ id: bigint }>(LOCK_FROZEN, [customers, scope]);
  return new Set(rows.map(({ id }) => id));
}

const traders = statement(
  'customers.list_frozen_traders',
  `SELECT DISTINCT customer AS id FROM customers.freeze WHERE lifted_at IS NULL AND until > clock_timestamp() AND 'trading' = ANY (scopes)
   UNION SELECT id FROM customers.customer WHERE frozen_reason IS NOT NULL`,
);
/** All customers who may not trade now. */
export async function listFrozenTraders(queries: Queries): Promise<bigint[]> {
  return (await queries.query<{ id: bigint }>(traders)).map(({ id }) => id);
}

const END_BY_RULE = statement('customers.end_reversal_freezes', 'SELECT customers.end_reversal_freezes($1)');
/** Ends only the platform's own freezes. The database refuses while the customer still owes money. */
export async function endReversalFreezes(transaction: Queries, customer: bigint): Promise<void> {
  await transaction.query(END_BY_RULE, [customer]);
}
