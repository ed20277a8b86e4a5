import { type Bytes, type Canonical, fromHex, leafHash, utf8Bytes } from '@sathorn/proof';
import {
  type GrownLog,
  type LoggedHeads,
  type ReadTile,
  TILE_WIDTH,
  type TilePlace,
  writeEntryBundle,
  writeTile,
} from '@sathorn/transparency';
import { type Queries, statement } from '../../platform/database/index.ts';

/** A record that is not in the log yet. */
export interface UnloggedRecord {
  readonly kind: string;
  readonly subject: string;
  readonly at: Date;
  readonly said: Canonical;
  readonly hidden: Canonical;
}

const RECORDS = statement(
  'log.unlogged_records',
  'SELECT kind, subject, at, said, hidden FROM log.unlogged_records($1::integer)',
);
export const readUnloggedRecords = (queries: Queries, most: number): Promise<UnloggedRecord[]> =>
  queries.query<UnloggedRecord>(RECORDS, [most]);

const ACCOUNT_HEADS = statement('log.unlogged_heads', 'SELECT head, hash FROM log.unlogged_heads($1::integer)');
export const readUnloggedHeads = (queries: Queries, most: number): Promise<{ head: bigint; hash: string }[]> =>
  queries.query(ACCOUNT_HEADS, [most]);

const HEADS = statement('log.heads', 'SELECT log.heads() AS heads');
export async function readHeads(queries: Queries): Promise<LoggedHeads> {
  const [row] = await queries.query<{ heads: LoggedHeads }>(HEADS);
  return row?.heads ?? {};
}

const LOCK = statement('log.lock', `SELECT pg_advisory_xact_lock(hashtextextended('log.entry', 0))`);
export async function lockLog(queries: Queries): Promise<void> {
  await queries.query(LOCK);
}

const SIZE = statement('log.size', 'SELECT coalesce(max(index), -1) + 1 AS size FROM log.entry');
export async function readLogSize(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ size: bigint }>(SIZE);
  return Number(row?.size ?? 0n);
}

const HASHES = statement(
  'log.read_tile',
  'SELECT hash FROM log.hash WHERE level = $1 AND index >= $2 AND index < $3 ORDER BY index',
);
const BODIES = statement(
  'log.read_bundle',
  'SELECT body FROM log.entry WHERE index >= $1 AND index < $2 ORDER BY index',
);
/** A file of the log, made from its rows; undefined if not all of them are there. */
export async function readLogFile(
  queries: Queries,
  { level, index, width }: TilePlace,
): Promise<Uint8Array | undefined> {
  const from = index * TILE_WIDTH;
  if (level === 'entries') {
    const rows = await queries.query<{ body: string }>(BODIES, [from, from + width]);
    return rows.length === width ? writeEntryBundle(rows.map(({ body }) => utf8Bytes(body))) : undefined;
  }
  const rows = await queries.query<{ hash: Buffer }>(HASHES, [level, from, from + width]);
  return rows.length === width ? writeTile(rows.map(({ hash }) => new Uint8Array(hash))) : undefined;
}
export const tilesOf =
  (queries: Queries): ReadTile =>
  (place) =>
    readLogFile(queries, place);

export interface NewEntry {
  readonly kind: string;
  readonly subject: string | null;
  readonly body: string;
  /** Hex; null if the text hides nothing. */
  readonly salt: string | null;
}

const INSERT_ENTRIES = statement(
  'log.insert_entries',
  `INSERT INTO log.entry (index, kind, subject, body, salt)
   SELECT $1::bigint + r.n - 1, r.kind, r.subject, r.body, decode(r.salt, 'hex')
   FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS (kind text, subject text, body text, salt text))
     WITH ORDINALITY AS r(kind, subject, body, salt, n) ORDER BY r.n`,
);
const INSERT_HASHES = statement(
  'log.insert_hashes',
  `INSERT INTO log.hash (level, index, hash)
   SELECT level, index, decode(hash, 'hex') FROM jsonb_to_recordset($1::jsonb) AS r(level smallint, index bigint, hash text)`,
);
const INSERT_ACCOUNT_HEADS = statement(
  'log.insert_account_heads',
  `INSERT INTO log.account_head (head, entry, position)
   SELECT head, $1::bigint, n - 1 FROM unnest($2::bigint[]) WITH ORDINALITY AS given(head, n)`,
);

/** Stores a batch of entries with the hashes that the tree needs. */
export async function insertEntries(
  queries: Queries,
  size: number,
  entries: readonly NewEntry[],
  { files }: GrownLog,
): Promise<void> {
  await queries.query(INSERT_ENTRIES, [size, JSON.stringify(entries)]);
  const hashes = files.flatMap(({ level, index, bytes }) => {
    if (level === 'entries') return [];
    const first = index * TILE_WIDTH;
    const had = Math.floor(size / TILE_WIDTH ** level);
    const hex = Buffer.from(bytes).toString('hex');
    return Array.from({ length: bytes.length / 32 }, (_, n) => ({
      level,
      index: first + n,
      hash: hex.slice(n * 64, n * 64 + 64),
    })).filter((each) => each.index >= had);
  });
  await queries.query(INSERT_HASHES, [JSON.stringify(hashes)]);
}

export async function insertAccountHeads(queries: Queries, entry: number, heads: readonly bigint[]): Promise<void> {
  await queries.query(INSERT_ACCOUNT_HEADS, [entry, `{${heads.join(',')}}`]);
}

const HEADS_OF = statement('log.heads_of', 'SELECT account, asset, n, entry, position FROM log.heads_of($1)');
/** The newest head of each of a customer's accounts that an entry includes. */
export const readLoggedHeadsOf = (
  queries: Queries,
  customer: bigint,
): Promise<{ account: string; asset: string; n: bigint; entry: bigint; position: number }[]> =>
  queries.query(HEADS_OF, [customer]);

/** The text of an entry. */
export async function readEntryText(queries: Queries, entry: bigint): Promise<string> {
  const [row] = await queries.query<{ body: string }>(BODIES, [entry, entry + 1n]);
  return row?.body ?? '';
}

const LEAVES = statement('log.account_leaves', 'SELECT hash FROM log.account_leaves($1)');
/** The leaves of the tree of customers' heads in one entry. */
export async function readAccountLeaves(queries: Queries, entry: bigint): Promise<Bytes[]> {
  const rows = await queries.query<{ hash: string }>(LEAVES, [entry]);
  return rows.map(({ hash }) => leafHash(accountLeafOf(hash)));
}

/** What everybody gets. */
export interface Published {
  readonly policy: string;
  readonly size: number;
  readonly note: string;
}
const PUBLISHED = statement('log.read_published', 'SELECT policy, size, note FROM log.published');
export async function readPublished(queries: Queries): Promise<Published | null> {
  const [row] = await queries.query<{ policy: string; size: bigint; note: string }>(PUBLISHED);
  return row === undefined ? null : { ...row, size: Number(row.size) };
}
/** A log of another name is replaced only after it has been silent for so long. */
const PUBLISH = statement(
  'log.publish',
  `INSERT INTO log.published (policy, size, note, at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (single) DO UPDATE SET policy = excluded.policy, size = excluded.size, note = excluded.note, at = excluded.at
     WHERE split_part(published.note, E'\\n', 1) = split_part(excluded.note, E'\\n', 1) OR published.at < excluded.at - interval '1 minute'
   RETURNING true AS is_published`,
);
/** False while a log of another name is published: two processes must not take turns. */
export async function publish(queries: Queries, { policy, size, note }: Published, at: Date): Promise<boolean> {
  return (await queries.query(PUBLISH, [policy, size, note, at])).length > 0;
}

/** The leaves of customers' heads: their hashes. */
export const accountLeafOf = (hash: string): Bytes => {
  const bytes = fromHex(hash, 32);
  if (bytes === undefined) throw new Error('a head without a hash');
  return bytes;
};
