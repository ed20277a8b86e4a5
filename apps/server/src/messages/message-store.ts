import { plainArray, type Queries, statement } from '../database/index.ts';

export interface MessageRow {
  readonly sequence: bigint;
  readonly id: string;
  readonly template: string;
  readonly params: Readonly<Record<string, string>>;
  readonly at: Date;
  readonly read_at: Date | null;
}

const COLUMNS = 'sequence, id, template, params, at, read_at';

// Inserted in the order of sending, which is the order of the list.
const INSERT = statement(
  'messages.insert_messages',
  `INSERT INTO messages.message (id, owner, template, params, at)
   SELECT id, owner, template, params, at
   FROM ROWS FROM (json_to_recordset($1::json) AS (id text, owner bigint, template text, params jsonb, at timestamptz))
     WITH ORDINALITY AS sent(id, owner, template, params, at, place) ORDER BY place
   ON CONFLICT (id) DO NOTHING RETURNING owner`,
);
const COUNT_UNREAD = statement(
  'messages.count_unread',
  'SELECT count(*) AS unread FROM messages.message WHERE owner = $1 AND read_at IS NULL',
);
const COUNT_UNREAD_OF = statement(
  'messages.count_unread_of',
  `SELECT owner, count(*) AS unread FROM messages.message WHERE owner = ANY ($1::bigint[]) AND read_at IS NULL GROUP BY owner`,
);
/** Newest first, below a sequence; `$3` excludes read ones. */
const LIST = statement(
  'messages.list_messages',
  `SELECT ${COLUMNS} FROM messages.message
   WHERE owner = $1 AND sequence < $2 AND (NOT $3 OR read_at IS NULL)
   ORDER BY sequence DESC LIMIT $4 OFFSET $5`,
);
/** Searches only the owner's notices, so another customer's cursor is not found. */
const FIND = statement('messages.find_sequence', 'SELECT sequence FROM messages.message WHERE owner = $1 AND id = $2');
const MARK = statement(
  'messages.mark_read',
  'UPDATE messages.message SET read_at = $3 WHERE owner = $1 AND id = ANY ($2::text[]) AND read_at IS NULL',
);
const MARK_ALL = statement(
  'messages.mark_all_read',
  'UPDATE messages.message SET read_at = $2 WHERE owner = $1 AND read_at IS NULL',
);

const SWEEP = statement('messages.sweep_read', 'SELECT messages.sweep_read($1, $2)');

export interface NewMessage {
  readonly id: string;
  readonly owner: bigint;
  readonly template: string;
  readonly params: Readonly<Record<string, string>>;
  readonly at: Date;
}

/** Returns the owners of messages that were new. Existing messages are not changed. */
export async function insertMessages(queries: Queries, rows: readonly NewMessage[]): Promise<ReadonlySet<bigint>> {
  const json = JSON.stringify(rows.map((row) => ({ ...row, owner: String(row.owner) })));
  const kept = await queries.query<{ owner: bigint }>(INSERT, [json]);
  return new Set(kept.map(({ owner }) => owner));
}

/** Owners without unread notices are absent. */
export async function countUnreadOf(
  queries: Queries,
  owners: ReadonlySet<bigint>,
): Promise<ReadonlyMap<bigint, number>> {
  const rows = await queries.query<{ owner: bigint; unread: bigint }>(COUNT_UNREAD_OF, [plainArray([...owners])]);
  return new Map(rows.map(({ owner, unread }) => [owner, Number(unread)]));
}

export async function countUnread(queries: Queries, owner: bigint): Promise<number> {
  const [row] = await queries.query<{ unread: bigint }>(COUNT_UNREAD, [owner]);
  return Number(row?.unread ?? 0n);
}

export interface Page {
  /** Exclusive; null starts with the newest. */
  readonly before: bigint | null;
  readonly skip: number;
  readonly limit: number;
}

const NEWEST = 9_223_372_036_854_775_807n;

export function listRows(queries: Queries, owner: bigint, isUnreadOnly: boolean, page: Page): Promise<MessageRow[]> {
  return queries.query<MessageRow>(LIST, [owner, page.before ?? NEWEST, isUnreadOnly, page.limit, page.skip]);
}

export async function findSequence(queries: Queries, owner: bigint, id: string): Promise<bigint | null> {
  const [row] = await queries.query<{ sequence: bigint }>(FIND, [owner, id]);
  return row?.sequence ?? null;
}

export async function markRows(queries: Queries, owner: bigint, ids: readonly string[], at: Date): Promise<void> {
  await queries.query(MARK, [owner, ids, at]);
}

export async function markAllRows(queries: Queries, owner: bigint, at: Date): Promise<void> {
  await queries.query(MARK_ALL, [owner, at]);
}

/** Removes at most `limit` notices that were read before that time, oldest first. */
export async function sweepRead(queries: Queries, before: Date, limit: number): Promise<void> {
  await queries.query(SWEEP, [before, limit]);
}
