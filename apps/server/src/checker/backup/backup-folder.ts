import { existsSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type FolderLock, lockFile } from '../../platform/lock-data-dir.ts';
import { writeFileAtomically } from '../../platform/write-file-atomically.ts';

/** Pause between two passes of `--follow`. A lost machine loses at most the data of this time and of one pass. */
export const FOLLOW_EVERY_MS = 10_000;
const LOCK = 'backup.lock';
const HOLDER = 'running.json';
/** A pass of `--follow` ends within this time, but a copy of the whole cluster may take longer. */
const LOCK_PATIENCE_MS = 30_000;
const LOCK_LOOK_MS = 250;

interface Holder {
  readonly pid: number;
  readonly since: string;
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

export class BackupRunningError extends Error {}

/** Waits for another backup into the folder, for at most `patienceMs`. */
export async function lockBackup(folder: string, patienceMs = LOCK_PATIENCE_MS): Promise<FolderLock> {
  const holderFile = path.join(folder, HOLDER);
  const until = performance.now() + patienceMs;
  for (;;) {
    const lock = lockFile(path.join(folder, LOCK));
    if (lock !== null) {
      writeFileAtomically(holderFile, `${JSON.stringify({ pid: process.pid, since: new Date().toISOString() })}\n`);
      return {
        release: async () => {
          rmSync(holderFile, { force: true });
          await lock.release();
        },
      };
    }
    if (performance.now() > until) {
      const holder = readHolder(holderFile);
      const who = holder === null ? '' : ` (process ${holder.pid}, since ${holder.since})`;
      throw new BackupRunningError(`another backup into ${folder} is running${who}`);
    }
    await pause(LOCK_LOOK_MS);
  }
}

export const totalBytesOf = (root: string, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (statSync(path.join(root, name), { throwIfNoEntry: false })?.size ?? 0), 0);

const MEGABYTE = 1e6;
const inMegabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(0);

/** Throws before anything is written if the disk lacks the space. */
export function assertDiskSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free < bytes)
    throw new Error(`the copy needs ${inMegabytes(bytes)} MB, and ${inMegabytes(free)} MB are free in ${folder}`);
}

/** The newest pass of one backup, as noted in the platform's folder. */
interface NotedBackup {
  readonly slot: string;
  readonly folder: string;
  readonly at: string;
}

const notedFile = (dataDir: string): string => path.join(dataDir, 'backups.json');

export function readNotedBackups(dataDir: string): NotedBackup[] {
  const file = notedFile(dataDir);
  if (!existsSync(file)) return [];
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as NotedBackup[];
  } catch {
    return [];
  }
}

/** Notes when and where a backup was made, so that the platform can tell how old its newest one is. */
export function noteBackup(dataDir: string, noted: NotedBackup): void {
  const others = readNotedBackups(dataDir).filter(({ slot }) => slot !== noted.slot);
  writeFileAtomically(notedFile(dataDir), `${JSON.stringify([...others, noted], null, 1)}\n`);
}

export function forgetNotedBackup(dataDir: string, slot: string): void {
  const others = readNotedBackups(dataDir).filter((noted) => noted.slot !== slot);
  writeFileAtomically(notedFile(dataDir), `${JSON.stringify(others, null, 1)}\n`);
}

/** The line that a start prints if there is no backup. Null with an external database, which other tools back up. */
export const missingBackupWarning = (dataDir: string, databaseUrl: string | null): string | null =>
  databaseUrl !== null || readNotedBackups(dataDir).length > 0
    ? null
    : `No backup yet: whoever loses ${dataDir} loses everything in it. npm run backup -- FOLDER --follow keeps a copy that lacks some seconds at most.`;
