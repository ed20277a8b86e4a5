import { column, type Queries, type RowOf, statement, type Transaction, table } from '../database/index.ts';

export type PictureKind = 'picture' | 'avatar' | 'document' | 'attachment' | 'answer' | 'visitor';

const { uuid, text, bigint, integer, time } = column;
const PICTURE = {
  id: uuid,
  owner: bigint,
  kind: text<PictureKind>(),
  width: integer,
  height: integer,
  bytes: integer,
  at: time,
};
export type PictureRow = RowOf<typeof PICTURE>;
const PICTURES = table<PictureRow>(PICTURE);

const LOCK_OWNER = statement(
  'files.lock_owner',
  `SELECT pg_advisory_xact_lock(hashtextextended('files.picture ' || $1::text, 0))`,
);
const COUNT = statement(
  'files.count_pictures',
  'SELECT count(*) AS pictures FROM files.picture WHERE owner = $1 AND kind = $2',
);
const INSERT = statement('files.insert_picture', PICTURES.insertOneInto('files.picture'));
const FIND = statement(
  'files.find_picture',
  `SELECT ${PICTURES.names} FROM files.picture WHERE owner = $1 AND id = $2`,
);
const DELETE_OLD_AVATARS = statement(
  'files.delete_old_avatars',
  `DELETE FROM files.picture WHERE id IN (
     SELECT id FROM files.picture WHERE owner = $1 AND kind = 'avatar' ORDER BY at DESC, id OFFSET $2
   ) RETURNING id`,
);

const DELETE_UNUSED = statement(
  'files.delete_unused_pictures',
  `DELETE FROM files.picture WHERE owner = $1 AND kind = 'picture' AND at < $2 RETURNING id`,
);

const DELETE = statement('files.delete_picture', 'DELETE FROM files.picture WHERE owner = $1 AND id = $2 RETURNING id');

/** Serialises uploads, so that concurrent ones cannot exceed the quota. */
export async function lockPictureOwner(transaction: Transaction, owner: bigint): Promise<void> {
  await transaction.query(LOCK_OWNER, [owner]);
}

export async function countPictures(queries: Queries, owner: bigint, kind: PictureKind): Promise<number> {
  const [row] = await queries.query<{ pictures: bigint }>(COUNT, [owner, kind]);
  return Number(row?.pictures ?? 0n);
}

export async function insertPicture(queries: Queries, row: PictureRow): Promise<void> {
  await queries.query(INSERT, PICTURES.valuesOf(row));
}

/** Null if it does not exist or is somebody else's, so that the caller cannot tell them apart. */
export async function findPicture(queries: Queries, owner: bigint, id: string): Promise<PictureRow | null> {
  const [row] = await PICTURES.query(queries, FIND, [owner, id]);
  return row ?? null;
}

/** Deletes all but the newest; returns the ids of the deleted ones. */
export async function deleteOldAvatars(queries: Queries, owner: bigint, kept: number): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(DELETE_OLD_AVATARS, [owner, kept]);
  return rows.map(({ id }) => id);
}

/** Deletes uploads that were not used in time; returns their ids. */
export async function deleteUnusedPictures(queries: Queries, owner: bigint, before: Date): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(DELETE_UNUSED, [owner, before]);
  return rows.map(({ id }) => id);
}

/** False if it does not exist or is somebody else's. */
export async function deletePicture(queries: Queries, owner: bigint, id: string): Promise<boolean> {
  return (await queries.query(DELETE, [owner, id])).length > 0;
}
