import { type Queries, statement } from '../../database/index.ts';

export type CodePurpose = 'register' | 'forget' | 'edit';

const put = statement(
  'customers.put_code',
  `INSERT INTO customers.code (contact, purpose, hash, sent_at, expires_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (contact, purpose) DO UPDATE SET hash = excluded.hash, sent_at = excluded.sent_at, expires_at = excluded.expires_at, tries = 0, used_at = NULL`,
);
// The row's lock makes parallel guesses take their tries one after another.
const takeTry = statement(
  'customers.take_code_try',
  `UPDATE customers.code SET tries = tries + 1 WHERE contact = $1 AND purpose = $2 AND tries < $3 AND used_at IS NULL AND expires_at > $4
   RETURNING hash`,
);
const use = statement(
  'customers.use_code',
  'UPDATE customers.code SET used_at = $4 WHERE contact = $1 AND purpose = $2 AND hash = $3 AND used_at IS NULL AND expires_at > $4 RETURNING 1 AS used',
);
const newest = statement(
  'customers.newest_code',
  'SELECT contact FROM customers.code WHERE contact = ANY($1) AND purpose = $2 AND used_at IS NULL AND expires_at > $3 ORDER BY sent_at DESC LIMIT 1',
);

const sweep = statement('customers.sweep_codes', 'DELETE FROM customers.code WHERE expires_at < $1');

/** Replaces the code before it: only the newest one counts. */
export async function putCode(
  queries: Queries,
  contact: string,
  purpose: CodePurpose,
  hash: Buffer,
  sentAt: Date,
  expiresAt: Date,
): Promise<void> {
  await queries.query(put, [contact, purpose, hash, sentAt, expiresAt]);
}

/** The hash to compare with, or null when there is no code, it is too old, used, or has been tried too often. */
export async function takeCodeTry(
  queries: Queries,
  contact: string,
  purpose: CodePurpose,
  triesMax: number,
  now: Date,
): Promise<Buffer | null> {
  const [row] = await queries.query<{ hash: Buffer }>(takeTry, [contact, purpose, triesMax, now]);
  return row?.hash ?? null;
}

/** True for exactly one caller. */
export async function useCode(
  queries: Queries,
  contact: string,
  purpose: CodePurpose,
  hash: Buffer,
  now: Date,
): Promise<boolean> {
  return (await queries.query(use, [contact, purpose, hash, now])).length > 0;
}

/** Which of a customer's contacts the code that they hold was sent to. */
export async function newestCodeContact(
  queries: Queries,
  contacts: readonly string[],
  purpose: CodePurpose,
  now: Date,
): Promise<string | null> {
  const [row] = await queries.query<{ contact: string }>(newest, [contacts, purpose, now]);
  return row?.contact ?? null;
}

export async function sweepCodes(queries: Queries, expiredBefore: Date): Promise<void> {
  await queries.query(sweep, [expiredBefore]);
}
