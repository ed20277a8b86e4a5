import type { Clock } from '../../platform/clock.ts';
import type { Queries } from '../../platform/database/index.ts';
import { everyJob, type Module } from '../../platform/module.ts';
import { readNotedBackups } from './backup-folder.ts';
import { type BackupSlot, queryBackupSlots } from './backup-slots.ts';

const LOOK_EVERY_MS = 60_000;
/** Raises the alarm when a daily backup is late by two hours. */
const OLD_MS = 26 * 3_600_000;
/** Half of what PostgreSQL keeps at most (`max_slot_wal_keep_size`). */
const HELD_MAX_BYTES = 2e9;

interface BackupsDependencies {
  readonly database: Queries;
  readonly dataDir: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly onFault: (error: unknown) => void;
}

const HOUR_MS = 3_600_000;

/** Reports how old the newest backup is, and how much log PostgreSQL keeps for backups. */
export function watchBackups({ database, dataDir, clock, onFault }: BackupsDependencies): Module<null> {
  let slots: readonly BackupSlot[] = [];
  let newestMs: number | null = null;
  const heldBytes = (): number => Math.max(0, ...slots.map((slot) => slot.heldBytes));
  const ageMs = (now: Date): number | null => newestMs && now.getTime() - newestMs;
  const look = async (): Promise<void> => {
    const times = readNotedBackups(dataDir).map(({ at }) => Date.parse(at));
    newestMs = times.length > 0 ? Math.max(...times) : null;
    slots = await queryBackupSlots(database);
  };
  const alarm = async (): Promise<void> => {
    const age = ageMs(clock.now());
    if (age !== null && age > OLD_MS)
      onFault(new Error(`alarm: the newest backup is ${Math.floor(age / HOUR_MS)} hours old`));
    if (heldBytes() > HELD_MAX_BYTES)
      onFault(
        new Error(
          'alarm: PostgreSQL keeps over 2 GB of its log for a backup that is not continued: npm run backup -- --list',
        ),
      );
  };
  return {
    api: null,
    handlers: [],
    metrics: [
      {
        name: 'sathorn_backup_age_seconds',
        help: 'Since the end of the newest backup; -1 if there is none.',
        read: (now) => Math.round((ageMs(now) ?? -1_000) / 1_000),
      },
      { name: 'sathorn_backup_slots', help: 'Backups for which PostgreSQL keeps its log.', read: () => slots.length },
      {
        name: 'sathorn_backup_held_bytes',
        help: 'The most that PostgreSQL keeps of its log for one backup; at 4 GB it discards some.',
        read: heldBytes,
      },
    ],
    jobs: [{ ...everyJob(LOOK_EVERY_MS, onFault, look), on: 'every process' }, everyJob(HOUR_MS, onFault, alarm)],
  };
}
