import type pg from 'pg';
import { type Queries, statement } from '../../platform/database/index.ts';
import type { Manifest } from './manifest.ts';

const SLOTS = 'sathorn_backup_';

/** The replication slot that makes the server keep the log that a backup has not fetched yet. */
export const slotNameOf = ({ id }: Pick<Manifest, 'id'>): string => `${SLOTS}${id}`;

export interface BackupSlot {
  readonly name: string;
  /** Bytes of the log that the server keeps for this backup. */
  readonly heldBytes: number;
  /** False if the server had to discard log that the backup had not fetched: its next pass copies the whole cluster. */
  readonly isWhole: boolean;
}

interface SlotRow {
  readonly name: string;
  readonly held: string | null;
  readonly status: string | null;
}

const SELECT_SLOTS = statement(
  'backup.select_slots',
  `SELECT slot_name::text AS name, wal_status AS status, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::text AS held
   FROM pg_replication_slots WHERE starts_with(slot_name, '${SLOTS}') ORDER BY slot_name`,
);

const slotsFrom = (rows: readonly SlotRow[]): BackupSlot[] =>
  rows.map(({ name, held, status }) => ({ name, heldBytes: Number(held ?? 0), isWhole: isSlotWhole(status) }));

/** False if the server had to discard some of the log that the slot should have kept. */
export const isSlotWhole = (status: string | null): boolean => status !== 'lost' && status !== 'unreserved';

export const readBackupSlots = async (client: pg.ClientBase): Promise<BackupSlot[]> =>
  slotsFrom((await client.query<SlotRow>(SELECT_SLOTS.text)).rows);

export const queryBackupSlots = async (database: Queries): Promise<BackupSlot[]> =>
  slotsFrom(await database.query<SlotRow>(SELECT_SLOTS));

export async function dropBackupSlot(client: pg.ClientBase, name: string): Promise<void> {
  if (!name.startsWith(SLOTS)) throw new Error(`${name} is not the slot of a backup`);
  const { rowCount } = await client.query(
    'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1',
    [name],
  );
  if (rowCount === 0) throw new Error(`there is no slot ${name}: npm run backup -- --list shows them`);
}
