import type { OrderedThing } from '@sathorn/api';
import { type Queries, statement, type Transaction } from '../../../platform/database/index.ts';

export interface DeviceKeyRow {
  readonly id: string;
  readonly customer: bigint;
  readonly public_key: Buffer;
  readonly session: string;
  readonly device: string;
  /** Keyed digest over customer and key. A key with another digest is ignored. */
  readonly mac: Buffer;
  readonly created_at: Date;
  readonly revoked_at: Date | null;
}

/** Whether it still signs. */
export const isActive = ({ revoked_at: revokedAt }: DeviceKeyRow): boolean => revokedAt === null;

export interface SignedRow {
  readonly id: string;
  readonly key: string;
  readonly body: string;
  readonly signature: Buffer;
}
/** A record of something that a customer ordered, with its signature if it has one by a key of the customer. */
export type GivenRow = (SignedRow | { readonly id: string; readonly key: null }) & {
  readonly about: OrderedThing['about'];
  readonly at_ms: bigint;
  /** The API key that ordered it, if it is one of the customer's. */
  readonly api_key: string | null;
};

export interface NewOrdered {
  readonly intent: string;
  /** Of the request, as the ledger keeps it; where the fields are private, their commitment. */
  readonly digest: string;
  readonly customer: bigint;
  readonly key: string;
  readonly body: string;
  readonly signature: Buffer;
}

const COLUMNS = 'id, customer, public_key, session, device, mac, created_at, revoked_at';
const find = statement('customers.find_device_key', `SELECT ${COLUMNS} FROM customers.device_key WHERE id = $1`);
const list = statement(
  'customers.list_device_keys',
  `SELECT ${COLUMNS} FROM customers.device_key WHERE customer = $1 ORDER BY created_at, id`,
);
const sessionDevice = statement('customers.session_device_name', 'SELECT device FROM customers.session WHERE id = $1');
const insert = statement(
  'customers.insert_device_key',
  `INSERT INTO customers.device_key (id, customer, public_key, session, device, mac, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING RETURNING created_at`,
);
const revoke = statement(
  'customers.revoke_device_key',
  'UPDATE customers.device_key SET revoked_at = $3 WHERE customer = $1 AND id = $2 AND revoked_at IS NULL RETURNING id',
);
// The order's own commit, which follows, also flushes this row to the disk: one log has both.
const keep = statement(
  'customers.keep_ordered',
  `WITH eased AS (SELECT set_config('synchronous_commit', 'off', true)),
     active AS (SELECT k.id FROM customers.device_key k, eased WHERE k.id = $4 AND k.customer = $3 AND k.revoked_at IS NULL),
     kept AS (INSERT INTO customers.ordered (intent, digest, customer, key, body, signature, at)
       SELECT $1, $2, $3, id, $5, $6, $7 FROM active ON CONFLICT (intent, digest) DO NOTHING)
   SELECT id FROM active`,
);
const listGiven = statement(
  'customers.list_given',
  `SELECT about, id, at_ms, CASE WHEN key = ANY ($2::text[]) THEN key END AS key, body, signature,
     CASE WHEN api_key = ANY ($3::text[]) THEN api_key END AS api_key
   FROM customers.given WHERE customer = $1 AND at_ms >= $4 ORDER BY at_ms DESC, id LIMIT $5`,
);
const countUnsigned = statement(
  'customers.count_unsigned',
  `SELECT count(*) AS unsigned FROM customers.given
   WHERE customer = $1 AND at_ms >= $4 AND (key = ANY ($2::text[]) OR api_key = ANY ($3::text[])) IS NOT TRUE`,
);
const listMarks = statement(
  'customers.list_order_marks',
  `SELECT asked.id, s.key, s.body, s.signature FROM unnest($3::text[]) AS asked(id)
   CROSS JOIN LATERAL customers.signature_of($1, customers.intent_of($1, asked.id)) s WHERE s.key = ANY ($2::text[])`,
);

export async function findDeviceKey(queries: Queries, id: string): Promise<DeviceKeyRow | null> {
  return (await queries.query<DeviceKeyRow>(find, [id]))[0] ?? null;
}

/** All keys that the customer ever had, oldest first. */
export function listDeviceKeyRows(queries: Queries, customer: bigint): Promise<DeviceKeyRow[]> {
  return queries.query<DeviceKeyRow>(list, [customer]);
}

/** The name of a session's device. */
export async function readSessionDevice(queries: Queries, session: string): Promise<string> {
  return (await queries.query<{ device: string }>(sessionDevice, [session]))[0]?.device ?? '';
}

/** Returns when it was stored; null if it is already registered. */
export async function insertDeviceKey(
  transaction: Transaction,
  { id, customer, public_key, session, device, mac, created_at }: Omit<DeviceKeyRow, 'revoked_at'>,
): Promise<Date | null> {
  const values = [id, customer, public_key, session, device, mac, created_at];
  return (await transaction.query<{ created_at: Date }>(insert, values))[0]?.created_at ?? null;
}

/** False if the customer has no such active key. */
export async function revokeDeviceKey(queries: Queries, customer: bigint, id: string, now: Date): Promise<boolean> {
  return (await queries.query(revoke, [customer, id, now])).length > 0;
}

/** Stores a signed order, once. False if the key is no longer active. */
export async function keepOrdered(queries: Queries, ordered: NewOrdered, now: Date): Promise<boolean> {
  const { intent, digest, customer, key, body, signature } = ordered;
  return (await queries.query(keep, [intent, digest, customer, key, body, signature, now])).length > 0;
}

/** The customer's newest records since a moment, and how many since then none of these keys ordered. */
export async function readGiven(
  queries: Queries,
  customer: bigint,
  { keys, apiKeys }: { readonly keys: readonly string[]; readonly apiKeys: readonly string[] },
  { sinceMs, limit }: { readonly sinceMs: number; readonly limit: number },
): Promise<{ readonly rows: GivenRow[]; readonly unsigned: number }> {
  const [rows, [count]] = await Promise.all([
    queries.query<GivenRow>(listGiven, [customer, keys, apiKeys, sinceMs, limit]),
    queries.query<{ unsigned: bigint }>(countUnsigned, [customer, keys, apiKeys, sinceMs]),
  ]);
  return { rows, unsigned: Number(count?.unsigned ?? 0n) };
}

/** Those of the customer's records with these ids that one of these keys signed. */
export function listMarkRows(
  queries: Queries,
  customer: bigint,
  keys: readonly string[],
  ids: readonly string[],
): Promise<SignedRow[]> {
  return queries.query<SignedRow>(listMarks, [customer, keys, ids]);
}
