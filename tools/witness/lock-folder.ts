import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export const LOCK_FILE = 'lock';

/** Keeps them referenced: garbage collection would close them, and so free the lock. */
const open = new Set<DatabaseSync>();

/**
 * Locks a folder for one program, `who`, and returns how to free it. The system frees the lock when a process ends in
 * any way.
 */
export function lockFolder(folder: string, who: string): () => void {
  // Node has no locks of files, but it includes SQLite, which has them on every platform.
  const held = new DatabaseSync(path.join(folder, LOCK_FILE));
  try {
    held.exec('BEGIN EXCLUSIVE');
  } catch {
    held.close();
    throw new Error(`another ${who} runs on ${folder}`);
  }
  open.add(held);
  return () => {
    if (open.delete(held)) held.close();
  };
}
