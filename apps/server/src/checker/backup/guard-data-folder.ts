import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Connection } from '../../platform/database/index.ts';
import { type ChainHeads, describeMissingHeads, readChainHeads, withOwnerClient } from './chain-heads.ts';

const KEPT = 'newest-kept.json';
const RUNNING = 'running';
const EVERY_MS = 10_000;

export interface DataFolderGuard {
  /** Called after this process's last write: from then on the folder is complete and may be copied. */
  release(): Promise<void>;
}

function writeFlushed(file: string, text: string): void {
  const beside = `${file}.new`;
  const handle = openSync(beside, 'w', 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(beside, file);
}

/** A running server writes the marker with its own inode number; in a copied folder the inode differs. */
function isCopyOfRunning(marker: string): boolean {
  const found = statSync(marker, { throwIfNoEntry: false });
  return found !== undefined && readFileSync(marker, 'utf8').trim() !== String(found.ino);
}

function readKept(file: string): ChainHeads | null {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ChainHeads;
  } catch {
    throw new Error(`${file} is damaged; remove it if the database beside it is known to be whole`);
  }
}

/**
 * Detects at startup that a data folder lacks acknowledged data, because it was copied while a server wrote to it, or
 * assembled from parts of different ages. The newest heads are recorded beside the database every ten seconds, and a
 * database that ends before them is not opened. A copy of a running server's folder may be complete, so it is opened,
 * with an alarm.
 */
export async function guardDataFolder(
  dataDir: string,
  owner: Connection,
  print: (line: string) => void,
): Promise<DataFolderGuard> {
  const [kept, marker] = [path.join(dataDir, KEPT), path.join(dataDir, RUNNING)];
  const wanted = readKept(kept);
  const heads = await withOwnerClient(owner, readChainHeads);
  const missing = wanted === null ? [] : describeMissingHeads(heads, wanted);
  if (wanted !== null && missing.length > 0)
    throw new Error(
      `the database of ${dataDir} lacks what was acknowledged by ${wanted.at} (${missing.join(', ')}): this is a copy that was made while the ` +
        `server ran, or writes were lost. Restore a backup (npm run restore), or remove ${kept} to go on without them`,
    );
  if (isCopyOfRunning(marker))
    print(
      `alarm: ${dataDir} is a copy of a folder whose server was running. Nothing that was noted is missing, but such a copy may be torn: ` +
        'make copies with npm run backup, or after the server has ended',
    );
  rmSync(marker, { force: true });
  writeFileSync(marker, '', { mode: 0o600 });
  writeFileSync(marker, `${statSync(marker).ino}\n`);

  const note = async (): Promise<void> =>
    writeFlushed(kept, `${JSON.stringify(await withOwnerClient(owner, readChainHeads), null, 1)}\n`);
  await note();
  let noting: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // If the database is unavailable or the disk is full, other parts raise the alarm; the last record stays valid.
    noting = noting.then(note).catch(() => undefined);
  }, EVERY_MS);
  return {
    release: async () => {
      clearInterval(timer);
      await noting;
      await note().catch(() => undefined);
      rmSync(marker, { force: true });
    },
  };
}
