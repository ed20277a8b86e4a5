import { type Queries, statement } from '../database/index.ts';

export interface MessageRow {
  readonly sequence: bigint;
  readonly id: string;
  readonly template: string;
  readonly params: Readonly<Record<string, string>>;
  readonly at: Date;
  readonly read_at: Date | null;
}

const COLUMNS = 'sequence, id, template, params, at, read_at';

const INSERT = statement(
  'messages.insert_message',
  'INSERT INTO messages.message (id, owner, template, params, at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING RETURNING 1',
);
const COUNT_UNREAD = statement(
  'messages.count_unread',
  'SELECT count(*) AS unread FROM messages.message WHERE owner = $1 AND read_at IS NULL',
);
/** Newest first, below a sequence; `$3` leaves out what was read. */
const LIST = statement(
  'messages.list_messages',
  `SELECT ${COLUMNS} FROM messages.message
   WHERE owner = $1 AND sequence < $2 AND (NOT $3 OR read_at IS NULL)
   ORDER BY sequence DESC LIMIT $4 OFFSET $5`,
);
/** Of its owner only: a stranger's cursor is no place in this list. */
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

/** False when that message is there already. */
export async function insertMessage(
  queries: Queries,
  row: { id: string; owner: bigint; template: string; params: object; at: Date },
): Promise<boolean> {
  const kept = await queries.query(INSERT, [row.id, row.owner, row.template, JSON.stringify(row.params), row.at]);
  return kept.length > 0;
}

export async function countUnread(queries: Queries, owner: bigint): Promise<number> {
  const [row] = await queries.query<{ unread: bigint }>(COUNT_UNREAD, [owner]);
  return Number(row?.unread ?? 0n);
}

export interface Page {
  /** Exclusive; null begins with the newest. */
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

/** Forgets read notices from before; the oldest so many of them. */
export async function sweepRead(queries: Queries, before: Date, limit: number): Promise<void> {
  await queries.query(SWEEP, [before, limit]);
}
