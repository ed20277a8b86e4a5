import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Creates a folder and its parents. Node's `recursive` option hangs if a parent exists but nothing can be created in
 * it, as in /proc.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (existsSync(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another server has created it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}

/**
 * Creates the data folder. Other users may enter but not list it, because the database's user has a subfolder. Throws
 * with the reason if the folder cannot be used.
 */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir, 0o711);
    if (!statSync(dataDir).isDirectory()) throw new Error('it is not a folder');
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    throw new Error(`DATA_DIR=${dataDir} can't be used`, { cause });
  }
}
