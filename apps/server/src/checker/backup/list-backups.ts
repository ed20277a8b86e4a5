import type pg from 'pg';
import { readNotedBackups } from './backup-folder.ts';
import { readBackupSlots } from './backup-slots.ts';
import { readManifest } from './manifest.ts';

const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

function copiesIn(folder: string): string[] {
  try {
    return (readManifest(folder)?.bases ?? []).map(
      ({ folder: name, finishedAt }) => `  ${name}, complete at ${finishedAt}`,
    );
  } catch (error) {
    return [`  ${(error as Error).message}`];
  }
}

/** Returns one line for each backup of this server, with its copies and the log that PostgreSQL keeps for it. */
export async function listBackups(client: pg.ClientBase, dataDir: string): Promise<string[]> {
  const noted = readNotedBackups(dataDir);
  const slots = await readBackupSlots(client);
  const known = slots.map((slot) => ({ slot, backup: noted.find((one) => one.slot === slot.name) }));
  const lines = known.flatMap(({ slot, backup }) => [
    `${backup === undefined ? 'a backup that was never completed' : `${backup.folder}, up to ${backup.at}`}`,
    ...(backup === undefined ? [] : copiesIn(backup.folder)),
    `  ${slot.name} holds back ${inMegabytes(slot.heldBytes)} of the log${slot.isWhole ? '' : '; some of it is gone, so the next pass copies everything'}`,
  ]);
  return lines.length > 0 ? lines : ['There is no backup of this server.'];
}
