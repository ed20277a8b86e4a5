import type { Currency } from '@sathorn/api';
import type { Language } from '@sathorn/text';
import { type Queries, statement } from '../../platform/database/index.ts';
import type { Contact, ContactKind } from './names/contact.ts';

export interface CustomerRow {
  id: bigint;
  username: string;
  phone: string | null;
  phone_since: Date | null;
  phone_mac: Buffer | null;
  email: string | null;
  email_since: Date | null;
  email_mac: Buffer | null;
  nickname: string;
  avatar: string | null;
  currency: Currency;
  language: Language;
  invite_code: string;
  invited_by: bigint | null;
  invite_allowed: boolean;
  public_wins: boolean;
  frozen_reason: string | null;
  created_at: Date;
}

const COLUMNS =
  'id, username, phone, phone_since, phone_mac, email, email_since, email_mac, nickname, avatar, currency, language, invite_code, invited_by, invite_allowed, public_wins, frozen_reason, created_at';

const insert = statement(
  'customers.insert_customer',
  `INSERT INTO customers.customer (id, username, username_key, phone, phone_since, email, email_since, nickname, currency, language, invite_code, invited_by, created_at, phone_mac, email_mac)
   VALUES ($1, $2, $3, $4, CASE WHEN $4::text IS NULL THEN NULL ELSE $11::timestamptz END, $5, CASE WHEN $5::text IS NULL THEN NULL ELSE $11::timestamptz END, $6, $7, $8, $9, $10, $11, $12, $13)
   ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
);
const byId = statement('customers.read_customer', `SELECT ${COLUMNS} FROM customers.customer WHERE id = $1`);
const byIdLocked = statement(
  'customers.lock_customer',
  `SELECT ${COLUMNS} FROM customers.customer WHERE id = $1 FOR NO KEY UPDATE`,
);
const byContact = statement(
  'customers.find_by_contact',
  `SELECT ${COLUMNS} FROM customers.customer WHERE phone = $1 OR email = $1`,
);
const byUsernameKey = statement(
  'customers.find_by_username_key',
  `SELECT ${COLUMNS} FROM customers.customer WHERE username_key = $1`,
);
const inviter = statement(
  'customers.find_inviter',
  'SELECT id FROM customers.customer WHERE invite_code = $1 AND invite_allowed AND frozen_reason IS NULL',
);
const frozenRefused = statement('customers.refuse_frozen', 'SELECT customers.refuse_frozen($1::bigint[])');
const frozen = statement(
  'customers.read_frozen',
  `SELECT id FROM customers.customer WHERE id = ANY($1) AND frozen_reason IS NOT NULL
   UNION SELECT customer FROM customers.freeze
     WHERE customer = ANY($1) AND 'trading' = ANY (scopes) AND lifted_at IS NULL AND until > clock_timestamp()`,
);
const FOUND = `FROM customers.customer
   WHERE ($1::bigint IS NULL OR id = $1) AND ($2::text IS NULL OR phone = $2 OR email = $2)
     AND ($3::text IS NULL OR lower(username) LIKE replace(replace(replace($3, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%')`;
const countOfAll = statement('customers.count_of_all', `SELECT count(*)::int AS count ${FOUND}`);
const pageOfAll = statement(
  'customers.page_of_all',
  `SELECT ${COLUMNS} ${FOUND}
     AND ($4::timestamptz IS NULL OR (date_trunc('milliseconds', created_at), id) < ($4, $5::bigint))
   ORDER BY date_trunc('milliseconds', created_at) DESC, id DESC LIMIT $6`,
);
const consenting = statement(
  'customers.list_consenting',
  'SELECT id, nickname FROM customers.customer WHERE id = ANY($1) AND public_wins AND frozen_reason IS NULL',
);
const countOfConsenting = statement(
  'customers.count_consenting',
  'SELECT count(*)::int AS count FROM customers.customer WHERE public_wins AND frozen_reason IS NULL',
);
export async function countConsentingCustomers(queries: Queries): Promise<number> {
  return (await queries.query<{ count: number }>(countOfConsenting))[0]?.count ?? 0;
}
const setProfile = statement(
  'customers.update_profile',
  'UPDATE customers.customer SET nickname = $2, currency = $3, public_wins = $4 WHERE id = $1',
);
const setAvatar = statement('customers.update_avatar', 'UPDATE customers.customer SET avatar = $2 WHERE id = $1');
const setPhone = statement(
  'customers.update_phone',
  'UPDATE customers.customer SET phone = $2, phone_since = $3, phone_mac = $4 WHERE id = $1',
);
const setEmail = statement(
  'customers.update_email',
  'UPDATE customers.customer SET email = $2, email_since = $3, email_mac = $4 WHERE id = $1',
);

export async function findCustomerRow(queries: Queries, id: bigint): Promise<CustomerRow | null> {
  return (await queries.query<CustomerRow>(byId, [id]))[0] ?? null;
}

export interface CustomerFilter {
  readonly id: bigint | null;
  readonly contact: string | null;
  readonly beginning: string | null;
}
export async function countCustomerRows(queries: Queries, by: CustomerFilter): Promise<number> {
  return (await queries.query<{ count: number }>(countOfAll, [by.id, by.contact, by.beginning]))[0]?.count ?? 0;
}

/** Newest first, for staff. */
export function listCustomerRows(
  queries: Queries,
  by: CustomerFilter,
  before: { readonly at: Date; readonly id: bigint } | null,
  limit: number,
): Promise<CustomerRow[]> {
  return queries.query<CustomerRow>(pageOfAll, [
    by.id,
    by.contact,
    by.beginning,
    before?.at ?? null,
    before?.id ?? null,
    limit,
  ]);
}

type SealedContact = Contact & { readonly mac: Buffer };

export interface NewCustomer {
  readonly id: bigint;
  readonly username: string;
  readonly usernameKey: string;
  readonly contacts: readonly SealedContact[];
  readonly nickname: string;
  readonly currency: Currency;
  readonly language: Language;
  readonly inviteCode: string;
  readonly invitedBy: bigint | null;
}

/** Null when the id, username, contact or invitation code belongs to another customer. */
export async function insertCustomer(queries: Queries, customer: NewCustomer, now: Date): Promise<CustomerRow | null> {
  const contactOf = (kind: ContactKind) => customer.contacts.find((contact) => contact.kind === kind);
  const [row] = await queries.query<CustomerRow>(insert, [
    customer.id,
    customer.username,
    customer.usernameKey,
    contactOf('phone')?.value ?? null,
    contactOf('email')?.value ?? null,
    customer.nickname,
    customer.currency,
    customer.language,
    customer.inviteCode,
    customer.invitedBy,
    now,
    contactOf('phone')?.mac ?? null,
    contactOf('email')?.mac ?? null,
  ]);
  return row ?? null;
}

/** Throws if the customer does not exist, which for a session's customer is a bug. */
export async function readCustomer(queries: Queries, id: bigint): Promise<CustomerRow> {
  const [row] = await queries.query<CustomerRow>(byId, [id]);
  if (!row) throw new Error(`no customer ${id}`);
  return row;
}

export async function lockCustomer(queries: Queries, id: bigint): Promise<CustomerRow> {
  const [row] = await queries.query<CustomerRow>(byIdLocked, [id]);
  if (!row) throw new Error(`no customer ${id}`);
  return row;
}

export async function findCustomerByContact(queries: Queries, contact: Contact): Promise<CustomerRow | null> {
  const [row] = await queries.query<CustomerRow>(byContact, [contact.value]);
  return row ?? null;
}

export async function findCustomerByUsernameKey(queries: Queries, usernameKey: string): Promise<CustomerRow | null> {
  const [row] = await queries.query<CustomerRow>(byUsernameKey, [usernameKey]);
  return row ?? null;
}

/** The inviter with this code; null if the code is unknown or the inviter lost the permission to invite. */
export async function findInviter(queries: Queries, inviteCode: string): Promise<bigint | null> {
  const [row] = await queries.query<{ id: bigint }>(inviter, [inviteCode]);
  return row?.id ?? null;
}

/** Returns the frozen ones of these customers. */
export async function readFrozenCustomers(queries: Queries, ids: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  const rows = await queries.query<{ id: bigint }>(frozen, [ids]);
  return new Set(rows.map((row) => row.id));
}

/** The database rejects the transaction if one of these is frozen. */
export async function refuseFrozenCustomers(queries: Queries, ids: readonly bigint[]): Promise<void> {
  await queries.query(frozenRefused, [ids]);
}

export async function isCustomer(queries: Queries, id: bigint): Promise<boolean> {
  return (await queries.query(byId, [id])).length > 0;
}

const idsAfter = statement(
  'customers.list_ids_after',
  'SELECT id FROM customers.customer WHERE id > $1 ORDER BY id LIMIT $2',
);
export async function listCustomerIdsAfter(queries: Queries, after: bigint, limit: number): Promise<bigint[]> {
  return (await queries.query<{ id: bigint }>(idsAfter, [after, limit])).map(({ id }) => id);
}

/** Nicknames of the customers who agreed to public lists. */
export async function listConsentingNicknames(
  queries: Queries,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  const rows = await queries.query<{ id: bigint; nickname: string }>(consenting, [ids]);
  return new Map(rows.map((row) => [row.id, row.nickname]));
}

export async function updateProfile(
  queries: Queries,
  id: bigint,
  profile: { nickname: string; currency: Currency; publicWins: boolean },
): Promise<void> {
  await queries.query(setProfile, [id, profile.nickname, profile.currency, profile.publicWins]);
}

export async function updateAvatar(queries: Queries, id: bigint, avatar: string): Promise<void> {
  await queries.query(setAvatar, [id, avatar]);
}

/** Throws a unique violation when another customer has taken the contact meanwhile. */
export async function updateContact(queries: Queries, id: bigint, contact: SealedContact, now: Date): Promise<void> {
  await queries.query(contact.kind === 'phone' ? setPhone : setEmail, [id, contact.value, now, contact.mac]);
}

const unsealed = statement(
  'customers.unsealed_contacts',
  `SELECT id, 'phone' AS kind, phone AS value FROM customers.customer WHERE phone IS NOT NULL AND phone_mac IS NULL
   UNION ALL SELECT id, 'email', email FROM customers.customer WHERE email IS NOT NULL AND email_mac IS NULL`,
);
const sealPhone = statement(
  'customers.seal_phone',
  'UPDATE customers.customer SET phone_mac = $2 WHERE id = $1 AND phone_mac IS NULL',
);
const sealEmail = statement(
  'customers.seal_email',
  'UPDATE customers.customer SET email_mac = $2 WHERE id = $1 AND email_mac IS NULL',
);
/** Only the database's owner may call this. */
export async function sealContactRows(
  owner: Queries,
  macOf: (customer: bigint, contact: Contact) => Buffer,
): Promise<number> {
  const rows = await owner.query<Contact & { id: bigint }>(unsealed);
  for (const row of rows) await owner.query(row.kind === 'phone' ? sealPhone : sealEmail, [row.id, macOf(row.id, row)]);
  return rows.length;
}
