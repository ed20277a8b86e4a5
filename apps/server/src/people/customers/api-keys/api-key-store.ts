import type { ApiKey, KeyScope } from '@sathorn/api';
import { type Queries, statement, type Transaction } from '../../../platform/database/index.ts';

export interface ApiKeyRow {
  readonly id: string;
  readonly customer: bigint;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly addresses: readonly string[];
  /** Ed25519; null for HMAC. */
  readonly public_key: Buffer | null;
  /** Keyed digest over all of the above and the end. A key with another digest is unknown. */
  readonly mac: Buffer;
  readonly created_at: Date;
  readonly ends_at: Date;
  readonly revoked_at: Date | null;
  readonly revoked_by: Exclude<ApiKey['state'], 'active' | 'ended'> | null;
  readonly used_at: Date | null;
  readonly used_address: string | null;
  readonly uses: bigint;
}

export type NewApiKey = Omit<ApiKeyRow, 'revoked_at' | 'revoked_by' | 'used_at' | 'used_address' | 'uses'>;

/** Equal refusals of one key, from one address and within an hour. */
export interface RefusalRow {
  readonly key: string;
  readonly refusal: string;
  readonly address: string;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly count: bigint;
}

const COLUMNS =
  'id, customer, name, scopes, addresses, public_key, mac, created_at, ends_at, revoked_at, revoked_by, used_at, used_address, uses';
const find = statement('customers.find_api_key', `SELECT ${COLUMNS} FROM customers.api_key WHERE id = $1`);
const list = statement(
  'customers.list_api_keys',
  `SELECT ${COLUMNS} FROM customers.api_key WHERE customer = $1 ORDER BY created_at DESC, id`,
);
const insert = statement(
  'customers.insert_api_key',
  `INSERT INTO customers.api_key (id, customer, name, scopes, addresses, public_key, session, mac, created_at, ends_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
);
const revoke = statement(
  'customers.revoke_api_key',
  `UPDATE customers.api_key SET revoked_at = $3, revoked_by = 'customer'
   WHERE customer = $1 AND id = $2 AND revoked_at IS NULL RETURNING id`,
);
const use = statement('customers.use_api_key', 'SELECT customers.use_api_key($1, $2, $3, $4) AS outcome');
const sweepNonces = statement('customers.sweep_api_nonces', 'SELECT customers.sweep_api_nonces()');
const keepRefusals = statement(
  'customers.keep_api_refusals',
  `INSERT INTO customers.api_refusal AS r (key, refusal, address, hour, customer, first_at, last_at, count)
   SELECT n.key, n.refusal, n.address, date_trunc('hour', n.first_at), k.customer, n.first_at, n.last_at, n.count
   FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::bigint[]) AS n(key, refusal, address, first_at, last_at, count)
   JOIN customers.api_key k ON k.id = n.key ORDER BY n.key, n.refusal, n.address
   ON CONFLICT (key, refusal, address, hour) DO UPDATE SET first_at = least(r.first_at, excluded.first_at),
     last_at = greatest(r.last_at, excluded.last_at), count = r.count + excluded.count`,
);
const listRefusals = statement(
  'customers.list_api_refusals',
  `SELECT key, refusal, address, first_at, last_at, count FROM customers.api_refusal
   WHERE customer = $1 AND last_at > $2 ORDER BY last_at DESC, key, refusal, address LIMIT $3`,
);
const sweepRefusals = statement('customers.sweep_api_refusals', 'DELETE FROM customers.api_refusal WHERE last_at < $1');
// The order's own commit, which follows, also flushes this row to the disk: one log has both.
const keepOrder = statement(
  'customers.keep_api_order',
  `WITH eased AS (SELECT set_config('synchronous_commit', 'off', true))
   INSERT INTO customers.api_order (intent, digest, customer, key, request, form, signature, at)
   SELECT $1, $2, $3, $4, $5, $6, $7, $8 FROM eased ON CONFLICT (intent, digest) DO NOTHING`,
);
const listOrders = statement(
  'customers.list_api_orders',
  `SELECT asked.id, o.key, o.request, o.form, o.signature FROM unnest($2::text[]) AS asked(id)
   CROSS JOIN LATERAL customers.api_order_of($1, customers.intent_of($1, asked.id)) o`,
);

export async function findApiKey(queries: Queries, id: string): Promise<ApiKeyRow | null> {
  return (await queries.query<ApiKeyRow>(find, [id]))[0] ?? null;
}

/** All keys that the customer ever had, newest first. */
export function listApiKeyRows(queries: Queries, customer: bigint): Promise<ApiKeyRow[]> {
  return queries.query<ApiKeyRow>(list, [customer]);
}

/** Null if the customer has or had a key with this public half. */
export async function insertApiKey(
  transaction: Transaction,
  key: NewApiKey,
  session: string,
): Promise<ApiKeyRow | null> {
  const { id, customer, name, scopes, addresses, public_key, mac, created_at, ends_at } = key;
  const values = [id, customer, name, scopes, addresses, public_key, session, mac, created_at, ends_at];
  return (await transaction.query<ApiKeyRow>(insert, values))[0] ?? null;
}

/** False if the customer has no such key that could still be used. */
export async function revokeApiKey(queries: Queries, customer: bigint, id: string, now: Date): Promise<boolean> {
  return (await queries.query(revoke, [customer, id, now])).length > 0;
}

/**
 * Counts one request with a nonce that the key has not used before. `over`: the key was revoked, or is past its end.
 */
export async function useApiKey(
  queries: Queries,
  { key, nonce, address }: { readonly key: string; readonly nonce: string; readonly address: string },
  now: Date,
): Promise<'used' | 'over' | 'replayed'> {
  const [row] = await queries.query<{ outcome: 'used' | 'over' | 'replayed' }>(use, [key, nonce, address, now]);
  if (!row) throw new Error('use_api_key gave no row');
  return row.outcome;
}

export async function sweepApiNonces(queries: Queries): Promise<void> {
  await queries.query(sweepNonces, []);
}

export async function addRefusals(queries: Queries, rows: readonly RefusalRow[]): Promise<void> {
  const columns = (['key', 'refusal', 'address', 'first_at', 'last_at', 'count'] as const).map((name) =>
    rows.map((row) => row[name]),
  );
  await queries.query(keepRefusals, columns);
}

export function listRefusalRows(queries: Queries, customer: bigint, since: Date, limit: number): Promise<RefusalRow[]> {
  return queries.query<RefusalRow>(listRefusals, [customer, since, limit]);
}

export async function sweepRefusalsBefore(queries: Queries, before: Date): Promise<void> {
  await queries.query(sweepRefusals, [before]);
}

export interface NewApiOrder {
  readonly intent: string;
  /** Of the request, as the ledger keeps it. */
  readonly digest: string;
  readonly customer: bigint;
  readonly key: string;
  /** The signed text `request/1`, and the form whose hash it has. */
  readonly request: string;
  readonly form: string;
  readonly signature: Buffer;
}

/** Stores the request of an order, once. */
export async function keepApiOrder(queries: Queries, order: NewApiOrder, now: Date): Promise<void> {
  const { intent, digest, customer, key, request, form, signature } = order;
  await queries.query(keepOrder, [intent, digest, customer, key, request, form, signature, now]);
}

export interface ApiOrderRow {
  readonly id: string;
  readonly key: string;
  readonly request: string;
  readonly form: string;
  readonly signature: Buffer;
}

/** Those of the customer's records with these ids that an API key ordered. */
export function listApiOrderRows(queries: Queries, customer: bigint, ids: readonly string[]): Promise<ApiOrderRow[]> {
  return queries.query<ApiOrderRow>(listOrders, [customer, ids]);
}
