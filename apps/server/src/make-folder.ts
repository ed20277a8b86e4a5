import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder and those above it. Node's own way (`recursive`) never comes back where nothing can be made though it
 * is said to be there, as in /proc.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (existsSync(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another server made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}

/**
 * The folder of the configuration. Others may pass, for the database's own user lives below; they may not look. Says
 * why it is no use.
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
