import { existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDataDir } from './make-folder.ts';

export interface FolderLock {
  release(): Promise<void>;
}

/** SQLite's error code for a file that another process has locked. */
const BUSY = 5;
/** Keeps the databases referenced: garbage collection would close them and release the lock. */
const held = new Set<DatabaseSync>();

/** Null if another process holds the lock. The system releases it when the process ends in any way. */
export function lockFile(file: string): FolderLock | null {
  let lock: DatabaseSync;
  try {
    // Node has no file locks, but it includes SQLite, which has them on every platform. Nothing is ever written.
    lock = new DatabaseSync(file);
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === BUSY) return null;
    throw new Error(`${file} can't be locked`, { cause });
  }
  held.add(lock);
  return {
    release: async () => {
      if (held.delete(lock)) lock.close();
    },
  };
}

/**
 * Ensures one server per data folder. A second one would share and stop the first one's embedded database, or, in
 * another container, start a second PostgreSQL on the same files. The lock is on a file, so every container that mounts
 * the folder sees it, and the system releases it when the process ends in any way. Throws if another process holds it.
 */
export async function lockDataDir(dataDir: string): Promise<FolderLock> {
  makeDataDir(dataDir);
  const lock = lockFile(path.join(dataDir, 'server.lock'));
  if (lock === null)
    throw new Error(`another server is running on ${dataDir}; stop it, or give this one its own DATA_DIR`);
  return lock;
}

/** Exists while a restore is incomplete. The next one removes what it finds, and no server starts there. */
export const restoreMarkerOf = (dataDir: string): string => path.join(dataDir, 'restore-unfinished');

export function assertNotHalfRestored(dataDir: string): void {
  if (existsSync(restoreMarkerOf(dataDir)))
    throw new Error(`a restore into ${dataDir} was interrupted. Run npm run restore again`);
}
