import type { ContentKind, ContentSettings, ContentWords } from '@sathorn/api';
import { type Queries, statement } from '../../platform/database/index.ts';

export interface ContentEntryRow {
  readonly id: string;
  readonly kind: ContentKind;
  readonly made_by: bigint | null;
  readonly made_at: Date;
}
export interface ContentVersionRow {
  readonly n: number;
  readonly part: string;
  readonly content: string;
  readonly made_by: bigint | null;
  readonly made_at: Date;
}
export interface PublicationRow {
  readonly number: bigint;
  readonly id: string;
  readonly entry: string;
  readonly kind: ContentKind;
  readonly content: string;
  readonly digest: Buffer;
  readonly version: number;
  readonly audience: string;
  readonly from_at: Date;
  readonly to_at: Date | null;
  readonly people: number;
  readonly approval: string | null;
  readonly made_by: bigint | null;
  readonly made_at: Date;
  readonly published_at: Date | null;
  readonly taken_down_at: Date | null;
  readonly taken_down_by: bigint | null;
  readonly delivered_at: Date | null;
}
export interface ContentPictureRow {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly made_by: bigint;
  readonly made_at: Date;
}

const PUBLICATION = `p.number, p.id, p.entry, p.kind, p.content, p.digest, p.version, p.audience, p.from_at, p.to_at, p.people, p.approval, p.made_by, p.made_at,
  p.published_at, p.taken_down_at, p.taken_down_by, p.delivered_at`;

const insertEntry = statement(
  'content.insert_entry',
  'INSERT INTO content.entry (id, kind, made_by) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id',
);
const readEntry = statement('content.read_entry', 'SELECT id, kind, made_by, made_at FROM content.entry WHERE id = $1');
/**
 * Serialises changes of one entry. Rows of entries are insert-only, so an entry can't be locked by updating its row.
 */
const lockEntry = statement(
  'content.lock_entry',
  `SELECT pg_advisory_xact_lock(hashtextextended('content.entry ' || $1, 0))`,
);
const insertVersion = statement(
  'content.insert_version',
  'INSERT INTO content.version (entry, n, part, content, made_by) VALUES ($1, $2, $3, $4, $5)',
);
const newestParts = statement(
  'content.newest_parts',
  'SELECT DISTINCT ON (part) n, part, content, made_by, made_at FROM content.version WHERE entry = $1 ORDER BY part, n DESC',
);
const listVersions = statement(
  'content.list_versions',
  `SELECT n, part, '' AS content, made_by, made_at FROM content.version WHERE entry = $1 ORDER BY n DESC LIMIT 100`,
);
const readVersion = statement(
  'content.read_version',
  'SELECT n, part, content, made_by, made_at FROM content.version WHERE entry = $1 AND n = $2',
);
const insertPublication = statement(
  'content.insert_publication',
  `INSERT INTO content.publication (id, entry, kind, content, digest, version, audience, from_at, to_at, people, approval, made_by, published_at)
   VALUES ($1, $2, $3, $4, sha256(convert_to($4, 'UTF8')), $5, $6, $7, $8, $9, $10, $11, $12)`,
);
const publish = statement(
  'content.publish',
  `UPDATE content.publication SET published_at = clock_timestamp() WHERE id = $1 AND published_at IS NULL
     AND version = (SELECT max(n) FROM content.version v WHERE v.entry = publication.entry) RETURNING id`,
);
const takeDown = statement(
  'content.take_down',
  `UPDATE content.publication SET taken_down_at = clock_timestamp(), taken_down_by = $2
   WHERE entry = $1 AND published_at IS NOT NULL AND taken_down_at IS NULL AND (to_at IS NULL OR to_at > clock_timestamp()) RETURNING id, kind`,
);
const listPublications = statement(
  'content.list_publications',
  `SELECT ${PUBLICATION} FROM content.publication p WHERE p.entry = $1 ORDER BY p.number DESC LIMIT 50`,
);
// The publication for these readers. Few readers may need no second person, so others are not compared with it.
const findPublishedFor = statement(
  'content.find_published_for',
  `SELECT ${PUBLICATION} FROM content.publication p
   WHERE p.entry = $1 AND p.published_at IS NOT NULL AND p.taken_down_at IS NULL AND p.audience IN ('all', $2)
   ORDER BY p.published_at DESC, p.number DESC LIMIT 1`,
);
const page = statement(
  'content.page_of_entries',
  `SELECT e.id, e.kind, e.made_by, e.made_at, last.n AS version, date_trunc('milliseconds', last.made_at) AS changed_at
   FROM content.entry e
   JOIN LATERAL (SELECT n, made_at FROM content.version v WHERE v.entry = e.id ORDER BY n DESC LIMIT 1) last ON true
   WHERE e.kind = ANY ($1::text[]) AND ($2::timestamptz IS NULL OR (date_trunc('milliseconds', last.made_at), e.id) < ($2, $3::text))
   ORDER BY date_trunc('milliseconds', last.made_at) DESC, e.id DESC LIMIT $4`,
);
/**
 * Entries that customers may see now, or could see in the last half year. The newest publication of an entry replaces
 * the older ones.
 */
const inForce = statement(
  'content.in_force',
  `SELECT ${PUBLICATION} FROM content.publication p
   WHERE p.published_at IS NOT NULL AND p.taken_down_at IS NULL AND p.kind <> 'notice'
     AND (p.to_at IS NULL OR p.to_at > clock_timestamp() - interval '180 days')
   ORDER BY p.number DESC LIMIT 2000`,
);
const rules = statement(
  'content.published_rules',
  `SELECT ${PUBLICATION} FROM content.publication p
   WHERE p.kind IN ('rules_options', 'rules_agreement', 'rules_liquidity', 'rules_lockup') AND p.published_at IS NOT NULL
   ORDER BY p.number DESC LIMIT 200`,
);
const due = statement(
  'content.due_notices',
  `SELECT ${PUBLICATION} FROM content.publication p
   WHERE p.kind = 'notice' AND p.published_at IS NOT NULL AND p.delivered_at IS NULL AND p.taken_down_at IS NULL
     AND p.from_at <= clock_timestamp() AND p.to_at > clock_timestamp()
   ORDER BY p.from_at, p.number LIMIT 100`,
);
const deliver = statement(
  'content.deliver',
  `UPDATE content.publication SET delivered_at = clock_timestamp()
   WHERE id = $1 AND delivered_at IS NULL AND taken_down_at IS NULL RETURNING id`,
);
const insertPicture = statement(
  'content.insert_picture',
  'INSERT INTO content.picture (id, bytes, width, height, made_by) VALUES ($1, $2, $3, $4, $5) RETURNING made_at',
);
const readPicture = statement('content.read_picture', 'SELECT bytes FROM content.picture WHERE id = $1');
const listPictures = statement(
  'content.list_pictures',
  'SELECT id, width, height, made_by, made_at FROM content.picture ORDER BY made_at DESC LIMIT 200',
);
const countPictures = statement('content.count_pictures', 'SELECT count(*) AS pictures FROM content.picture');
const knownPictures = statement('content.known_pictures', 'SELECT id FROM content.picture WHERE id = ANY ($1::text[])');

/** False if an entry with this id exists, or if the kind allows only one entry and has it. */
export async function insertEntryRow(
  queries: Queries,
  id: string,
  kind: ContentKind,
  by: bigint | null,
): Promise<boolean> {
  return (await queries.query(insertEntry, [id, kind, by])).length > 0;
}
export async function findEntry(queries: Queries, id: string): Promise<ContentEntryRow | null> {
  return (await queries.query<ContentEntryRow>(readEntry, [id]))[0] ?? null;
}
export async function lockEntryRow(queries: Queries, id: string): Promise<ContentEntryRow | null> {
  await queries.query(lockEntry, [id]);
  return findEntry(queries, id);
}
export async function insertVersionRow(
  queries: Queries,
  entry: string,
  n: number,
  part: string,
  content: ContentWords | ContentSettings,
  by: bigint | null,
): Promise<void> {
  await queries.query(insertVersion, [entry, n, part, JSON.stringify(content), by]);
}
export const readNewestParts = (queries: Queries, entry: string): Promise<ContentVersionRow[]> =>
  queries.query<ContentVersionRow>(newestParts, [entry]);
export const readEntryVersions = (queries: Queries, entry: string): Promise<ContentVersionRow[]> =>
  queries.query<ContentVersionRow>(listVersions, [entry]);
export async function findVersion(queries: Queries, entry: string, n: number): Promise<ContentVersionRow | null> {
  return (await queries.query<ContentVersionRow>(readVersion, [entry, n]))[0] ?? null;
}

interface NewPublication {
  readonly id: string;
  readonly entry: string;
  readonly kind: ContentKind;
  readonly content: string;
  readonly version: number;
  readonly audience: string;
  readonly from: Date;
  readonly to: Date | null;
  readonly people: 1 | 2;
  readonly approval: string | null;
  readonly madeBy: bigint | null;
  readonly publishedAt: Date | null;
}
export async function insertPublicationRow(queries: Queries, row: NewPublication): Promise<void> {
  const { id, entry, kind, content, version, audience, from, to, people, approval, madeBy, publishedAt } = row;
  const values = [id, entry, kind, content, version, audience, from, to, people, approval, madeBy, publishedAt];
  await queries.query(insertPublication, values);
}
/** False if it is already published, or if the entry was changed since it was read. */
export async function markPublished(queries: Queries, id: string): Promise<boolean> {
  return (await queries.query(publish, [id])).length > 0;
}
/** Returns the ids of the publications that were taken down. */
export async function takeDownPublications(queries: Queries, entry: string, by: bigint): Promise<string[]> {
  return (await queries.query<{ id: string }>(takeDown, [entry, by])).map(({ id }) => id);
}
/** The newest publication that reached these readers or everyone, or null. */
export async function findPublicationFor(
  queries: Queries,
  entry: string,
  audience: string,
): Promise<PublicationRow | null> {
  return (await queries.query<PublicationRow>(findPublishedFor, [entry, audience]))[0] ?? null;
}
export const readEntryPublications = (queries: Queries, entry: string): Promise<PublicationRow[]> =>
  queries.query<PublicationRow>(listPublications, [entry]);

export interface ListedRow extends ContentEntryRow {
  readonly version: number;
  readonly changed_at: Date;
}
export const listEntryPage = (
  queries: Queries,
  kinds: readonly string[],
  before: { readonly at: Date; readonly id: string } | null,
  limit: number,
): Promise<ListedRow[]> => queries.query<ListedRow>(page, [kinds, before?.at ?? null, before?.id ?? null, limit]);

export const readPublicationsInForce = (queries: Queries): Promise<PublicationRow[]> =>
  queries.query<PublicationRow>(inForce);
/** Rules that were or will be in force, newest first. */
export const readRulesPublications = (queries: Queries): Promise<PublicationRow[]> =>
  queries.query<PublicationRow>(rules);
export const readDueNotices = (queries: Queries): Promise<PublicationRow[]> => queries.query<PublicationRow>(due);
/** False if another process delivers it, or if it was taken down. */
export async function markNoticeDelivered(queries: Queries, id: string): Promise<boolean> {
  return (await queries.query(deliver, [id])).length > 0;
}

export async function insertPictureRow(
  queries: Queries,
  row: {
    readonly id: string;
    readonly bytes: Buffer;
    readonly width: number;
    readonly height: number;
    readonly by: bigint;
  },
): Promise<Date> {
  const [made] = await queries.query<{ made_at: Date }>(insertPicture, [
    row.id,
    row.bytes,
    row.width,
    row.height,
    row.by,
  ]);
  if (!made) throw new Error('no picture was kept');
  return made.made_at;
}
export async function readPictureBytes(queries: Queries, id: string): Promise<Buffer | null> {
  return (await queries.query<{ bytes: Buffer }>(readPicture, [id]))[0]?.bytes ?? null;
}
export const listPictureRows = (queries: Queries): Promise<ContentPictureRow[]> =>
  queries.query<ContentPictureRow>(listPictures);
export async function countContentPictures(queries: Queries): Promise<number> {
  return Number((await queries.query<{ pictures: bigint }>(countPictures))[0]?.pictures ?? 0n);
}
export async function findUnknownPictures(queries: Queries, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const known = new Set((await queries.query<{ id: string }>(knownPictures, [ids])).map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}
