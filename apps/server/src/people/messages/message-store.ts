import type { RichText } from '@sathorn/api';
import type { Language } from '@sathorn/text';
import { arrayLiteral, type Queries, statement, type Transaction } from '../../platform/database/index.ts';
import { PUSHED_TEMPLATES } from './templates.ts';

interface BroadcastText {
  readonly title: string;
  readonly content: string;
  readonly body: RichText;
}
export type BroadcastTexts = Readonly<Partial<Record<Language, BroadcastText>>>;

export interface MessageRow {
  readonly sequence: bigint;
  readonly id: string;
  /** Null if an operator wrote the message; the row then contains its texts. */
  readonly template: string | null;
  readonly params: Readonly<Record<string, string>>;
  readonly texts: BroadcastTexts | null;
  readonly at: Date;
  readonly read_at: Date | null;
}

/** The reader of notices. Some notices are for one level, and a customer sees none that ended before they joined. */
export interface NoticeReader {
  readonly owner: bigint;
  readonly level: number;
  readonly joinedAt: Date;
  readonly now: Date;
}

/** The broadcasts that this reader may see; $1 owner, $2 level, $3 joined, $4 now. */
const VISIBLE = `b.withdrawn_at IS NULL AND (b.customer IS NULL OR b.customer = $1::bigint) AND (b.level IS NULL OR b.level = $2::integer) AND b.at <= $4::timestamptz
  AND b.ends_at > $3::timestamptz AND b.ends_at > $4::timestamptz - interval '180 days'`;
/** A broadcast that has ended is neither counted nor shown as unread. */
const UNREAD = `b.ends_at > $4::timestamptz AND NOT EXISTS (SELECT FROM messages.broadcast_read r WHERE r.customer = $1 AND r.broadcast = b.sequence)`;

// Rows are inserted in the order of sending, which is the order of the list.
const INSERT = statement(
  'messages.insert_messages',
  `WITH stored AS (
     INSERT INTO messages.message (id, owner, template, params, at)
     SELECT id, owner, template, params, at
     FROM ROWS FROM (json_to_recordset($1::json) AS (id text, owner bigint, template text, params jsonb, at timestamptz))
       WITH ORDINALITY AS sent(id, owner, template, params, at, place) ORDER BY place
     ON CONFLICT (id) DO NOTHING RETURNING id, owner, template
   ), marked AS (
     INSERT INTO messages.unpushed (message) SELECT id FROM stored WHERE template = ANY ($2::text[])
   )
   SELECT owner FROM stored`,
);
// One statement skips the rows that another process takes at the same moment.
const TAKE_UNPUSHED = statement(
  'messages.take_unpushed',
  `WITH taken AS (
     DELETE FROM messages.unpushed WHERE message IN (SELECT message FROM messages.unpushed LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING message
   )
   SELECT m.id, m.owner, m.template, m.params, m.at FROM messages.message m JOIN taken ON taken.message = m.id
   WHERE m.read_at IS NULL ORDER BY m.sequence`,
);
const COUNT_UNREAD = statement(
  'messages.count_unread',
  `SELECT (SELECT count(*) FROM messages.message WHERE owner = $1 AND read_at IS NULL)
        + (SELECT count(*) FROM messages.broadcast b WHERE ${VISIBLE} AND ${UNREAD}) AS unread`,
);
const COUNT_UNREAD_OF = statement(
  'messages.count_unread_of',
  `SELECT owner, count(*) AS unread FROM messages.message WHERE owner = ANY ($1::bigint[]) AND read_at IS NULL GROUP BY owner`,
);
/** Newest first, below a sequence number; `$6` omits read messages. */
const LIST = statement(
  'messages.list_messages',
  `SELECT * FROM (
     (SELECT sequence, id, template, params, NULL::jsonb AS texts, at, read_at FROM messages.message
      WHERE owner = $1 AND sequence < $5::bigint AND (NOT $6::boolean OR read_at IS NULL) ORDER BY sequence DESC LIMIT $7::integer + $8::integer)
     UNION ALL
     (SELECT b.sequence, b.id, NULL, '{}', b.texts, b.at, CASE WHEN ${UNREAD} THEN NULL ELSE b.at END FROM messages.broadcast b
      WHERE ${VISIBLE} AND b.sequence < $5 AND (NOT $6 OR ${UNREAD}) ORDER BY b.sequence DESC LIMIT $7::integer + $8::integer)
   ) own ORDER BY sequence DESC LIMIT $7::integer OFFSET $8::integer`,
);
/** Searches among the owner's notices only, so another customer's cursor is not found. */
const FIND = statement(
  'messages.find_sequence',
  `SELECT sequence FROM messages.message WHERE owner = $1 AND id = $5
   UNION ALL SELECT b.sequence FROM messages.broadcast b WHERE b.id = $5 AND ${VISIBLE}`,
);
const MARK = statement(
  'messages.mark_read',
  'UPDATE messages.message SET read_at = $3 WHERE owner = $1 AND id = ANY ($2::text[]) AND read_at IS NULL',
);
const MARK_ALL = statement(
  'messages.mark_all_read',
  'UPDATE messages.message SET read_at = $2 WHERE owner = $1 AND read_at IS NULL',
);
const MARK_BROADCASTS = statement(
  'messages.mark_broadcasts_read',
  `INSERT INTO messages.broadcast_read (customer, broadcast, at)
   SELECT $1, b.sequence, $4 FROM messages.broadcast b WHERE ${VISIBLE} AND b.ends_at > $4 AND ($5::text[] IS NULL OR b.id = ANY ($5::text[]))
   ON CONFLICT DO NOTHING`,
);
const BROADCAST = statement('messages.send_broadcast', 'SELECT messages.send_broadcast($1, $2, $3, $4, $5, $6)');
const WITHDRAW = statement(
  'messages.withdraw_broadcasts',
  'UPDATE messages.broadcast SET withdrawn_at = $2 WHERE id = ANY ($1::text[]) AND withdrawn_at IS NULL',
);
const COUNT_READERS = statement(
  'messages.count_readers',
  'SELECT count(*) AS readers FROM messages.broadcast_read WHERE broadcast IN (SELECT sequence FROM messages.broadcast WHERE id = ANY ($1::text[]))',
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
  const kept = await queries.query<{ owner: bigint }>(INSERT, [json, [...PUSHED_TEMPLATES.keys()]]);
  return new Set(kept.map(({ owner }) => owner));
}

/** Takes new notices that are to be pushed, and drops those that were read in the meantime. */
export const takeUnpushedMessages = (transaction: Transaction, limit: number): Promise<NewMessage[]> =>
  transaction.query<NewMessage>(TAKE_UNPUSHED, [limit]);

/** Owners without unread notices are absent. */
export async function countUnreadOf(
  queries: Queries,
  owners: ReadonlySet<bigint>,
): Promise<ReadonlyMap<bigint, number>> {
  const rows = await queries.query<{ owner: bigint; unread: bigint }>(COUNT_UNREAD_OF, [arrayLiteral([...owners])]);
  return new Map(rows.map(({ owner, unread }) => [owner, Number(unread)]));
}

const of = ({ owner, level, joinedAt, now }: NoticeReader) => [owner, level, joinedAt, now];

export async function countUnread(queries: Queries, reading: NoticeReader): Promise<number> {
  const [row] = await queries.query<{ unread: bigint }>(COUNT_UNREAD, of(reading));
  return Number(row?.unread ?? 0n);
}

export interface NoticePageBounds {
  /** Exclusive cursor; null starts with the newest. */
  readonly before: bigint | null;
  readonly skip: number;
  readonly limit: number;
}

const NEWEST = 9_223_372_036_854_775_807n;

export function listMessageRows(
  queries: Queries,
  reading: NoticeReader,
  isUnreadOnly: boolean,
  page: NoticePageBounds,
): Promise<MessageRow[]> {
  const values = [...of(reading), page.before ?? NEWEST, isUnreadOnly, page.limit, page.skip];
  return queries.query<MessageRow>(LIST, values);
}

export async function findMessageSequence(queries: Queries, reading: NoticeReader, id: string): Promise<bigint | null> {
  const [row] = await queries.query<{ sequence: bigint }>(FIND, [...of(reading), id]);
  return row?.sequence ?? null;
}

export async function markMessageRowsRead(
  queries: Queries,
  reading: NoticeReader,
  ids: readonly string[],
): Promise<void> {
  await queries.query(MARK, [reading.owner, ids, reading.now]);
  await queries.query(MARK_BROADCASTS, [...of(reading), ids]);
}

export async function markAllMessageRowsRead(queries: Queries, reading: NoticeReader): Promise<void> {
  await queries.query(MARK_ALL, [reading.owner, reading.now]);
  await queries.query(MARK_BROADCASTS, [...of(reading), null]);
}

interface NewBroadcast {
  readonly id: string;
  readonly texts: BroadcastTexts;
  readonly level: number | null;
  readonly customer: bigint | null;
  readonly at: Date;
  readonly endsAt: Date;
}
/** Inserts one row, however many customers it is for. Inserting the same id again has no effect. */
export async function insertBroadcast(queries: Queries, row: NewBroadcast): Promise<void> {
  await queries.query(BROADCAST, [row.id, JSON.stringify(row.texts), row.level, row.customer, row.at, row.endsAt]);
}
export async function withdrawBroadcastRows(queries: Queries, ids: readonly string[], at: Date): Promise<void> {
  await queries.query(WITHDRAW, [ids, at]);
}
export async function countBroadcastReaders(queries: Queries, ids: readonly string[]): Promise<number> {
  return Number((await queries.query<{ readers: bigint }>(COUNT_READERS, [ids]))[0]?.readers ?? 0n);
}

/** Removes at most `limit` notices that were read before that time, oldest first. */
export async function sweepReadMessages(queries: Queries, before: Date, limit: number): Promise<void> {
  await queries.query(SWEEP, [before, limit]);
}
