import { type Queries, statement, type Transaction } from '../database/index.ts';

export type PictureKind = 'picture' | 'avatar' | 'document' | 'attachment' | 'answer' | 'visitor';

export interface PictureRow {
  readonly id: string;
  readonly owner: bigint;
  readonly kind: PictureKind;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly at: Date;
}

const LOCK_OWNER = statement(
  'files.lock_owner',
  `SELECT pg_advisory_xact_lock(hashtextextended('files.picture ' || $1::text, 0))`,
);
const COUNT = statement(
  'files.count_pictures',
  'SELECT count(*) AS pictures FROM files.picture WHERE owner = $1 AND kind = $2',
);
const INSERT = statement(
  'files.insert_picture',
  'INSERT INTO files.picture (id, owner, kind, width, height, bytes, at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
);
const FIND = statement(
  'files.find_picture',
  'SELECT id, owner, kind, width, height, bytes, at FROM files.picture WHERE owner = $1 AND id = $2',
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
export async function lockOwner(transaction: Transaction, owner: bigint): Promise<void> {
  await transaction.query(LOCK_OWNER, [owner]);
}

export async function countPictures(queries: Queries, owner: bigint, kind: PictureKind): Promise<number> {
  const [row] = await queries.query<{ pictures: bigint }>(COUNT, [owner, kind]);
  return Number(row?.pictures ?? 0n);
}

export async function insertPicture(queries: Queries, row: PictureRow): Promise<void> {
  await queries.query(INSERT, [row.id, row.owner, row.kind, row.width, row.height, row.bytes, row.at]);
}

/** Null if it does not exist or is somebody else's, so that the caller cannot tell them apart. */
export async function findPicture(queries: Queries, owner: bigint, id: string): Promise<PictureRow | null> {
  const [row] = await queries.query<PictureRow>(FIND, [owner, id]);
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
