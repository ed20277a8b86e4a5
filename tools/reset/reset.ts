import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * The place of a data folder's embedded database if the database's user cannot enter that folder;
 * `embedded-postgres.ts` chooses it.
 */
const ELSEWHERE = '/var/lib/sathorn';

/** Returns all existing folders to which a start on this data folder writes. */
export function foldersToRemove(dataDir: string, elsewhere = ELSEWHERE): string[] {
  const id = createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 12);
  return [path.resolve(dataDir), path.join(elsewhere, id)].filter((folder) => existsSync(folder));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True if a database still runs in the folder. It would continue writing to removed files. */
export function isInUse(folder: string): boolean {
  return [folder, path.join(folder, 'postgres')].some((place) => {
    const file = path.join(place, 'postmaster.pid');
    return existsSync(file) && isAlive(Number(readFileSync(file, 'utf8').split('\n')[0]));
  });
}

/** True if a start has written the folder. A folder with any other content belongs to somebody else. */
export function looksLikeOurFolder(folder: string): boolean {
  return ['secrets', 'secrets.json', 'postgres'].some((name) => existsSync(path.join(folder, name)));
}

export function removeFolders(folders: readonly string[]): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
