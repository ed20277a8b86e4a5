import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDataDir } from './make-folder.ts';

export interface HeldFolder {
  release(): Promise<void>;
}

/** SQLite's own, for a file that another holds. */
const BUSY = 5;
/** What nobody refers to is closed when memory is collected, and the lock would be gone. */
const held = new Set<DatabaseSync>();

function lockFile(dataDir: string): DatabaseSync {
  try {
    // Node has no locks of files, but it has SQLite, which has them wherever it runs. Nothing is ever written.
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
 * One server a data folder: a second one would share the embedded database with the first and stop it under it, or, in
 * another container, start another one on the same files. The lock is the file's, so it is seen by whoever has the
 * folder mounted, and the system frees it when the process ends, however it ends. Throws when another holds the folder.
 */
export async function holdDataDir(dataDir: string): Promise<HeldFolder> {
  makeDataDir(dataDir);
  const lock = lockFile(dataDir);
  held.add(lock);
  return {
    release: async () => {
      if (held.delete(lock)) lock.close();
    },
  };
}
