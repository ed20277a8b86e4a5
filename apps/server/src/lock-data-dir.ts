import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDataDir } from './make-folder.ts';

export interface DataDirLock {
  release(): Promise<void>;
}

/** SQLite's error code for a file that another process has locked. */
const BUSY = 5;
/** Keeps the databases referenced: garbage collection would close them and release the lock. */
const held = new Set<DatabaseSync>();

function lockFile(dataDir: string): DatabaseSync {
  try {
    // Node has no file locks, but it includes SQLite, which has them on every platform. Nothing is ever written.
    const lock = new DatabaseSync(path.join(dataDir, 'server.lock'));
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    const isHeld = cause instanceof Error && 'errcode' in cause && cause.errcode === BUSY;
    if (isHeld) throw new Error(`another server is running on ${dataDir}; stop it, or give this one its own DATA_DIR`);
    throw new Error(`DATA_DIR=${dataDir} can't be locked`, { cause });
  }
}

/**
 * Ensures one server per data folder. A second one would share and stop the first one's embedded database, or, in
 * another container, start a second PostgreSQL on the same files. The lock is on a file, so every container that mounts
 * the folder sees it, and the system releases it when the process ends in any way. Throws if another process holds it.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  makeDataDir(dataDir);
  const lock = lockFile(dataDir);
  held.add(lock);
  return {
    release: async () => {
      if (held.delete(lock)) lock.close();
    },
  };
}
