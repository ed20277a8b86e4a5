import { type Queries, statement } from '../../database/index.ts';

export type CodePurpose = 'register' | 'forget' | 'edit';

/** Which code it is: the newest of a contact for a purpose. Of those who edit one contact each has a code of their own. */
export interface CodeKey {
  readonly contact: string;
  readonly purpose: CodePurpose;
  /** 0 where nobody need be signed in. */
  readonly editor: bigint;
}

const columnsOf = ({ contact, purpose, editor }: CodeKey): unknown[] => [contact, purpose, editor];

const put = statement(
  'customers.put_code',
  `INSERT INTO customers.code (contact, purpose, editor, hash, sent_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (contact, purpose, editor) DO UPDATE SET hash = excluded.hash, sent_at = excluded.sent_at, expires_at = excluded.expires_at, tries = 0, used_at = NULL`,
);
// The row's lock makes parallel guesses take their tries one after another.
const takeTry = statement(
  'customers.take_code_try',
  `UPDATE customers.code SET tries = tries + 1 WHERE contact = $1 AND purpose = $2 AND editor = $3 AND tries < $4 AND used_at IS NULL AND expires_at > $5
   RETURNING hash`,
);
const use = statement(
  'customers.use_code',
  `UPDATE customers.code SET used_at = $5
   WHERE contact = $1 AND purpose = $2 AND editor = $3 AND hash = $4 AND used_at IS NULL AND expires_at > $5 RETURNING 1 AS used`,
);
const newest = statement(
  'customers.newest_code',
  `SELECT contact FROM customers.code
   WHERE contact = ANY($1) AND purpose = 'edit' AND editor = $2 AND used_at IS NULL AND expires_at > $3 ORDER BY sent_at DESC LIMIT 1`,
);

const sweep = statement('customers.sweep_codes', 'DELETE FROM customers.code WHERE expires_at < $1');

/** Replaces the code before it: only the newest one counts. */
export async function putCode(
  queries: Queries,
  key: CodeKey,
  hash: Buffer,
  sentAt: Date,
  expiresAt: Date,
): Promise<void> {
  await queries.query(put, [...columnsOf(key), hash, sentAt, expiresAt]);
}

/** The hash to compare with, or null when there is no code, it is too old, used, or has been tried too often. */
export async function takeCodeTry(queries: Queries, key: CodeKey, triesMax: number, now: Date): Promise<Buffer | null> {
  const [row] = await queries.query<{ hash: Buffer }>(takeTry, [...columnsOf(key), triesMax, now]);
  return row?.hash ?? null;
}

/** True for exactly one caller. */
export async function useCode(queries: Queries, key: CodeKey, hash: Buffer, now: Date): Promise<boolean> {
  return (await queries.query(use, [...columnsOf(key), hash, now])).length > 0;
}

/** Which of a customer's contacts the code to edit that they hold was sent to. */
export async function newestCodeContact(
  queries: Queries,
  contacts: readonly string[],
  editor: bigint,
  now: Date,
): Promise<string | null> {
  const [row] = await queries.query<{ contact: string }>(newest, [contacts, editor, now]);
  return row?.contact ?? null;
}

export async function sweepCodes(queries: Queries, expiredBefore: Date): Promise<void> {
  await queries.query(sweep, [expiredBefore]);
}
