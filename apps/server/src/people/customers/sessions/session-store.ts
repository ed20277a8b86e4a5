import { type Queries, statement } from '../../../platform/database/index.ts';

export type SessionEnd =
  | 'logout'
  | 'customer'
  | 'password_changed'
  | 'password_forgotten'
  | 'idle'
  | 'too_many'
  | 'too_old'
  | 'staff'
  | 'factor_reset';

export interface OpenSessionRow {
  token_hash: Buffer;
  id: string;
  customer: bigint;
  created_at: Date;
  used_at: Date;
  is_frozen: boolean;
}
export interface ListedSessionRow {
  id: string;
  device: string;
  address: string;
  created_at: Date;
  used_at: Date;
}

const insert = statement(
  'customers.insert_session',
  'INSERT INTO customers.session (id, token_hash, customer, device, device_key, address, created_at, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7)',
);
const find = statement(
  'customers.find_sessions',
  `SELECT s.token_hash, s.id, s.customer, s.created_at, s.used_at, customers.is_frozen(c.id, 'trading') AS is_frozen
   FROM customers.session s JOIN customers.customer c ON c.id = s.customer
   WHERE s.token_hash = ANY($1) AND s.ended_at IS NULL`,
);
// Rows are locked in the same order everywhere, so that processes do not deadlock.
const touch = statement(
  'customers.touch_sessions',
  `UPDATE customers.session s SET used_at = greatest(s.used_at, t.at)
   FROM (SELECT o.id, n.at FROM customers.session o JOIN unnest($1::uuid[], $2::timestamptz[]) AS n(id, at) ON n.id = o.id
         WHERE o.ended_at IS NULL ORDER BY o.id FOR UPDATE OF o) t
   WHERE s.id = t.id`,
);
const end = statement(
  'customers.end_sessions',
  `UPDATE customers.session s SET ended_at = $4, ended_by = $5
   FROM (SELECT id FROM customers.session WHERE customer = $1 AND ended_at IS NULL AND ($2::uuid IS NULL OR id = $2) AND ($3::uuid IS NULL OR id <> $3)
         ORDER BY id FOR UPDATE) o
   WHERE s.id = o.id RETURNING s.id`,
);
const endOldest = statement(
  'customers.end_oldest_sessions',
  `UPDATE customers.session s SET ended_at = $3, ended_by = 'too_many'
   FROM (SELECT id FROM customers.session WHERE id IN (
           SELECT id FROM customers.session WHERE customer = $1 AND ended_at IS NULL ORDER BY used_at DESC, id OFFSET $2)
         ORDER BY id FOR UPDATE) o
   WHERE s.id = o.id AND s.ended_at IS NULL RETURNING s.id`,
);
const list = statement(
  'customers.list_sessions',
  'SELECT id, device, address, created_at, used_at FROM customers.session WHERE customer = $1 AND ended_at IS NULL AND used_at > $2 AND created_at > $3 ORDER BY used_at DESC, id',
);
const openOf = statement(
  'customers.open_sessions_of',
  `SELECT id FROM customers.session
   WHERE id = ANY ($1::uuid[]) AND ended_at IS NULL AND used_at > $2 AND created_at > $3 AND NOT customers.is_frozen(customer, 'sign_in')`,
);
// Skips sessions that were ended by a new password or by their customer: they may have been a thief's, so their
// networks do not count as the owner's.
const addresses = statement(
  'customers.session_addresses',
  `SELECT address FROM customers.session
   WHERE customer = $1 AND used_at > $2 AND (ended_by IS NULL OR ended_by NOT IN ('customer', 'password_changed', 'password_forgotten'))
   ORDER BY created_at DESC LIMIT $3`,
);
const seeDevices = statement(
  'customers.see_devices',
  `INSERT INTO customers.device (customer, key, seen_at) SELECT $1, key, $3 FROM unnest($2::bytea[]) AS k(key) ORDER BY key
   ON CONFLICT (customer, key) DO UPDATE SET seen_at = excluded.seen_at`,
);
// Returns the first key that matches. The app's own key comes first, because strangers in the same network may use up
// the network's tries.
const knownDevice = statement(
  'customers.known_device',
  'SELECT key FROM customers.device WHERE customer = $1 AND key = ANY($2) AND seen_at > $3 ORDER BY array_position($2, key) LIMIT 1',
);
const sessionDevice = statement('customers.session_device', 'SELECT device_key FROM customers.session WHERE id = $1');
const forgetDevicesBut = statement(
  'customers.forget_devices',
  'DELETE FROM customers.device WHERE customer = $1 AND ($2::bytea IS NULL OR key <> $2)',
);
// Open sessions are not swept however old they are, as long as they are used.
const sweep = statement(
  'customers.sweep_sessions',
  `DELETE FROM customers.session WHERE id IN (
     SELECT id FROM customers.session WHERE created_at < $1 AND coalesce(ended_at, used_at) < $1 ORDER BY created_at LIMIT $2)`,
);
const forgetOldest = statement(
  'customers.forget_old_devices',
  'DELETE FROM customers.device WHERE customer = $1 AND key IN (SELECT key FROM customers.device WHERE customer = $1 ORDER BY seen_at DESC OFFSET $2)',
);

interface NewSession {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly customer: bigint;
  readonly device: string;
  readonly deviceKey: Buffer;
  readonly address: string;
}

export async function insertSession(queries: Queries, session: NewSession, now: Date): Promise<void> {
  await queries.query(insert, [
    session.id,
    session.tokenHash,
    session.customer,
    session.device,
    session.deviceKey,
    session.address,
    now,
  ]);
}

export function findOpenSessions(queries: Queries, tokenHashes: readonly Buffer[]): Promise<OpenSessionRow[]> {
  return queries.query<OpenSessionRow>(find, [tokenHashes]);
}

/** Moves the time of last use forward, never back. */
export async function touchSessions(queries: Queries, touched: ReadonlyMap<string, Date>): Promise<void> {
  await queries.query(touch, [[...touched.keys()], [...touched.values()]]);
}

/** Ends one open session of the customer, or all but one, or all. Returns the ids that it ended. */
export async function endSessions(
  queries: Queries,
  customer: bigint,
  which: { readonly only?: string; readonly allBut?: string },
  by: SessionEnd,
  now: Date,
): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(end, [customer, which.only ?? null, which.allBut ?? null, now, by]);
  return rows.map((row) => row.id);
}

export async function endOldestSessions(
  queries: Queries,
  customer: bigint,
  keep: number,
  now: Date,
): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(endOldest, [customer, keep, now]);
  return rows.map((row) => row.id);
}

export function listOpenSessions(
  queries: Queries,
  customer: bigint,
  { usedAfter, createdAfter }: { readonly usedAfter: Date; readonly createdAfter: Date },
): Promise<ListedSessionRow[]> {
  return queries.query<ListedSessionRow>(list, [customer, usedAfter, createdAfter]);
}

export async function findOpenSessionsAmong(
  queries: Queries,
  ids: readonly string[],
  { usedAfter, createdAfter }: { readonly usedAfter: Date; readonly createdAfter: Date },
): Promise<ReadonlySet<string>> {
  const rows = await queries.query<{ id: string }>(openOf, [ids, usedAfter, createdAfter]);
  return new Set(rows.map(({ id }) => id));
}

/** Returns the addresses of the latest sessions used after a time, including ended ones. */
export async function listSessionAddresses(
  queries: Queries,
  customer: bigint,
  usedAfter: Date,
  limit: number,
): Promise<string[]> {
  const rows = await queries.query<{ address: string }>(addresses, [customer, usedAfter, limit]);
  return rows.map(({ address }) => address);
}

export async function rememberDevices(
  queries: Queries,
  customer: bigint,
  keys: readonly Buffer[],
  now: Date,
): Promise<void> {
  await queries.query(seeDevices, [customer, keys, now]);
}

/** The first of these keys that the customer has signed in with, or null. */
export async function findKnownDevice(
  queries: Queries,
  customer: bigint,
  keys: readonly Buffer[],
  seenAfter: Date,
): Promise<Buffer | null> {
  const [row] = await queries.query<{ key: Buffer }>(knownDevice, [customer, keys, seenAfter]);
  return row?.key ?? null;
}

/** Forgets all of the customer's devices except this session's. */
export async function forgetDevices(queries: Queries, customer: bigint, keepOfSession: string | null): Promise<void> {
  const [row] =
    keepOfSession === null ? [] : await queries.query<{ device_key: Buffer }>(sessionDevice, [keepOfSession]);
  await queries.query(forgetDevicesBut, [customer, row?.device_key ?? null]);
}

export async function forgetOldDevices(queries: Queries, customer: bigint, keep: number): Promise<void> {
  await queries.query(forgetOldest, [customer, keep]);
}

/** Removes at most `limit` sessions that ended or were last used before that time, oldest first. */
export async function sweepSessions(queries: Queries, before: Date, limit: number): Promise<void> {
  await queries.query(sweep, [before, limit]);
}
