import type { Language } from '@sathorn/text';
import { arrayLiteral, type Queries, statement, type Transaction } from '../../platform/database/index.ts';
import type { PushKindSwitches } from './push-texts.ts';

export interface SubscriptionRow extends PushKindSwitches {
  readonly id: string;
  readonly customer: bigint;
  readonly session: string;
  readonly sealed: Buffer;
  readonly language: Language;
  readonly created_at: Date;
}
export interface DeliveryRow {
  readonly subscription: string;
  readonly message: string;
  readonly template: string;
  readonly params: Readonly<Record<string, string>>;
  readonly at: Date;
  readonly expires_at: Date;
  readonly tries: number;
}

const COLUMNS = 'id, customer, session, sealed, language, prices, money, answers, created_at';
// Serialises the counting of a customer's devices, and the transfer of a browser between customers.
const LOCK = statement('push.lock', `SELECT pg_advisory_xact_lock(hashtextextended('push ' || $1::text, 0))`);
const FIND = statement('push.find', `SELECT ${COLUMNS} FROM push.subscription WHERE session = $1`);
// Locks the subscriptions against removal, so that the deliveries written next find them.
const LOCK_OF_CUSTOMERS = statement(
  'push.lock_of_customers',
  `SELECT ${COLUMNS} FROM push.subscription WHERE customer = ANY ($1::bigint[]) ORDER BY id FOR KEY SHARE`,
);
const BY_ID = statement('push.by_id', `SELECT ${COLUMNS} FROM push.subscription WHERE id = ANY ($1::uuid[])`);
// A browser belongs to the session that subscribed last, so an earlier customer gets nothing more there.
const CLEAR = statement('push.clear_browser', 'DELETE FROM push.subscription WHERE browser = $1 AND session <> $2');
const PUT = statement(
  'push.put',
  `INSERT INTO push.subscription (id, customer, session, sealed, browser, language, created_at, renewed_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
   ON CONFLICT (session) DO UPDATE SET sealed = EXCLUDED.sealed, browser = EXCLUDED.browser, language = EXCLUDED.language, renewed_at = EXCLUDED.renewed_at
   RETURNING id`,
);
const TRIM = statement(
  'push.trim',
  `DELETE FROM push.subscription WHERE id IN (
     SELECT id FROM push.subscription WHERE customer = $1 ORDER BY renewed_at DESC, id OFFSET $2)`,
);
const SWITCH = statement(
  'push.switch',
  'UPDATE push.subscription SET prices = $2, money = $3, answers = $4 WHERE session = $1 RETURNING id',
);
const STOP = statement('push.stop', 'DELETE FROM push.subscription WHERE session = $1');
const REMOVE = statement('push.remove', 'DELETE FROM push.subscription WHERE id = ANY ($1::uuid[])');
const PAGE = statement(
  'push.page',
  `SELECT ${COLUMNS} FROM push.subscription WHERE id > $1::uuid ORDER BY id LIMIT $2`,
);

const WRITE = statement(
  'push.write_deliveries',
  `INSERT INTO push.delivery (subscription, message, template, params, at, expires_at, due_at)
   SELECT subscription, message, template, params, at, expires_at, $2
   FROM json_to_recordset($1::json) AS (subscription uuid, message text, template text, params jsonb, at timestamptz, expires_at timestamptz)
   ON CONFLICT DO NOTHING`,
);
// Claims a delivery until its next try would be due: no other process sends it in that time, and after a crash it
// becomes due again.
const CLAIM = statement(
  'push.claim',
  `UPDATE push.delivery d SET tries = d.tries + 1, due_at = $1::timestamptz + least(30 * 4 ^ least(d.tries, 4), 3600) * interval '1 second'
   FROM (SELECT subscription, message FROM push.delivery WHERE due_at <= $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED) o
   WHERE d.subscription = o.subscription AND d.message = o.message
   RETURNING d.subscription, d.message, d.template, d.params, d.at, d.expires_at, d.tries`,
);
const END = statement('push.end_delivery', 'DELETE FROM push.delivery WHERE subscription = $1 AND message = $2');
const PUT_OFF = statement(
  'push.put_off',
  'UPDATE push.delivery SET due_at = greatest(due_at, $3) WHERE subscription = $1 AND message = $2',
);

export async function findSubscription(queries: Queries, session: string): Promise<SubscriptionRow | null> {
  return (await queries.query<SubscriptionRow>(FIND, [session]))[0] ?? null;
}

export const lockSubscriptionsOf = (
  transaction: Transaction,
  customers: readonly bigint[],
): Promise<SubscriptionRow[]> => transaction.query<SubscriptionRow>(LOCK_OF_CUSTOMERS, [arrayLiteral(customers)]);

export const readSubscriptions = (queries: Queries, ids: readonly string[]): Promise<SubscriptionRow[]> =>
  queries.query<SubscriptionRow>(BY_ID, [ids]);

/** Returns a page in the order of ids, after one of them. */
export const listSubscriptionsAfter = (queries: Queries, after: string, limit: number): Promise<SubscriptionRow[]> =>
  queries.query<SubscriptionRow>(PAGE, [after, limit]);

interface NewSubscription {
  readonly id: string;
  readonly customer: bigint;
  readonly session: string;
  readonly sealed: Buffer;
  readonly browser: Buffer;
  readonly language: Language;
}

/** A session that has a subscription renews it and keeps its kinds of notices. Returns whether it is a new one. */
export async function putSubscription(
  transaction: Transaction,
  subscription: NewSubscription,
  max: number,
  now: Date,
): Promise<boolean> {
  const { id, customer, session, sealed, browser, language } = subscription;
  await transaction.query(LOCK, [String(customer)]);
  await transaction.query(LOCK, [browser.toString('hex')]);
  await transaction.query(CLEAR, [browser, session]);
  const [row] = await transaction.query<{ id: string }>(PUT, [id, customer, session, sealed, browser, language, now]);
  await transaction.query(TRIM, [customer, max]);
  return row?.id === id;
}

export async function setSubscriptionKinds(
  queries: Queries,
  session: string,
  kinds: PushKindSwitches,
): Promise<boolean> {
  return (await queries.query(SWITCH, [session, kinds.prices, kinds.money, kinds.answers])).length > 0;
}

export async function stopSubscription(queries: Queries, session: string): Promise<void> {
  await queries.query(STOP, [session]);
}

export async function removeSubscriptions(queries: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await queries.query(REMOVE, [ids]);
}

type NewDelivery = Omit<DeliveryRow, 'tries'>;

export async function writeDeliveries(queries: Queries, rows: readonly NewDelivery[], now: Date): Promise<void> {
  if (rows.length > 0) await queries.query(WRITE, [JSON.stringify(rows), now]);
}

/** Claims due deliveries for this process until their next tries would be due. */
export const claimDeliveries = (queries: Queries, now: Date, limit: number): Promise<DeliveryRow[]> =>
  queries.query<DeliveryRow>(CLAIM, [now, limit]);

export async function endDelivery(queries: Queries, { subscription, message }: DeliveryRow): Promise<void> {
  await queries.query(END, [subscription, message]);
}

export async function putOffDelivery(
  queries: Queries,
  { subscription, message }: DeliveryRow,
  until: Date,
): Promise<void> {
  await queries.query(PUT_OFF, [subscription, message, until]);
}
