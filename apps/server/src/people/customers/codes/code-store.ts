import { type Queries, statement } from '../../../platform/database/index.ts';

export type CodePurpose = 'register' | 'forget' | 'edit';

/** Selects the newest codes of a contact for a purpose, one per editor. */
export interface CodeKey {
  readonly contact: string;
  readonly purpose: CodePurpose;
  /** The customers who may use the code, for `edit`; otherwise `ANYBODY`, `KNOWN_NETWORK` or `DECOY`. */
  readonly editors: readonly bigint[];
}

const columnsOf = ({ contact, purpose, editors }: CodeKey): unknown[] => [contact, purpose, editors];

// All callers lock rows in the order of the editors, so that none deadlock.
const put = statement(
  'customers.put_codes',
  `INSERT INTO customers.code (contact, purpose, editor, hash, sent_at, expires_at)
   SELECT $1, $2, editor, $4, $5, $6 FROM unnest($3::bigint[]) AS e(editor) ORDER BY editor
   ON CONFLICT (contact, purpose, editor) DO UPDATE SET hash = excluded.hash, sent_at = excluded.sent_at, expires_at = excluded.expires_at, tries = 0, used_at = NULL`,
);
// Row locks serialise parallel guesses, so each one uses up a try.
const takeTry = statement(
  'customers.take_code_tries',
  `UPDATE customers.code c SET tries = c.tries + 1
   FROM (SELECT editor FROM customers.code WHERE contact = $1 AND purpose = $2 AND editor = ANY($3::bigint[]) ORDER BY editor FOR UPDATE) o
   WHERE c.contact = $1 AND c.purpose = $2 AND c.editor = o.editor AND c.tries < $4 AND c.used_at IS NULL AND c.expires_at > $5
   RETURNING c.hash`,
);
// The same code may be in two rows; both are marked as used.
const use = statement(
  'customers.use_codes',
  `UPDATE customers.code c SET used_at = $4
   FROM (SELECT editor FROM customers.code WHERE contact = $1 AND purpose = $2 AND hash = $3 ORDER BY editor FOR UPDATE) o
   WHERE c.contact = $1 AND c.purpose = $2 AND c.editor = o.editor AND c.hash = $3 AND c.used_at IS NULL AND c.expires_at > $4
   RETURNING 1 AS used`,
);
const newest = statement(
  'customers.newest_code',
  `SELECT contact FROM customers.code
   WHERE contact = ANY($1) AND purpose = 'edit' AND editor = $2 AND used_at IS NULL AND expires_at > $3 ORDER BY sent_at DESC LIMIT 1`,
);

const sweep = statement('customers.sweep_codes', 'DELETE FROM customers.code WHERE expires_at < $1');

/** Replaces the previous code: only the newest one is valid. */
export async function replaceCode(
  queries: Queries,
  key: CodeKey,
  hash: Buffer,
  sentAt: Date,
  expiresAt: Date,
): Promise<void> {
  await queries.query(put, [...columnsOf(key), hash, sentAt, expiresAt]);
}

/** Returns the hashes to compare with; codes that are too old, used, or tried too often have none. */
export async function takeCodeTry(queries: Queries, key: CodeKey, triesMax: number, now: Date): Promise<Buffer[]> {
  const rows = await queries.query<{ hash: Buffer }>(takeTry, [...columnsOf(key), triesMax, now]);
  return rows.map(({ hash }) => hash);
}

/** True for exactly one caller. */
export async function consumeCode(
  queries: Queries,
  { contact, purpose }: Pick<CodeKey, 'contact' | 'purpose'>,
  hash: Buffer,
  now: Date,
): Promise<boolean> {
  return (await queries.query(use, [contact, purpose, hash, now])).length > 0;
}

/** The customer's contact that received the newest code for editing it. */
export async function findNewestCodeContact(
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
