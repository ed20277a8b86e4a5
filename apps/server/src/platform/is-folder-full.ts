import { statfs } from 'node:fs/promises';

/** PostgreSQL's next segment of the write-ahead log may not fit into less space. */
const ROOM_MIN_BYTES = 16 * 1024 * 1024;

/** True if a folder's disk is too full for the next writes. */
export async function isFolderFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < ROOM_MIN_BYTES;
}
