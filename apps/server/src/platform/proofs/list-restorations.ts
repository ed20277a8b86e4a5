import { listRestorations } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Queries, statement } from '../database/index.ts';
import { type Handler, handle } from '../edge/handle.ts';

export interface RestorationRow {
  readonly id: bigint;
  readonly restoredAt: Date;
  readonly endsAt: Date;
  readonly knownAt: Date;
  readonly transfers: bigint;
  readonly knownTransfers: bigint;
  readonly ticks: Record<string, string>;
  readonly knownTicks: Record<string, string>;
}

const RESTORATIONS = statement(
  'proofs.list_restorations',
  `SELECT id, restored_at AS "restoredAt", ends_at AS "endsAt", known_at AS "knownAt", transfers, known_transfers AS "knownTransfers", ticks,
     known_ticks AS "knownTicks" FROM proofs.restoration ORDER BY id DESC LIMIT 100`,
);

export const readRestorations = (database: Queries): Promise<RestorationRow[]> =>
  database.query<RestorationRow>(RESTORATIONS);

export function listRestorationsHandler(database: Queries): Handler {
  return handle(listRestorations, async () => {
    const rows = await readRestorations(database);
    return accept({
      items: rows.map((row) => ({
        restored_at: row.restoredAt.toISOString(),
        ends_at: row.endsAt.toISOString(),
        known_at: row.knownAt.toISOString(),
        transfers: String(row.transfers),
        known_transfers: String(row.knownTransfers),
        ticks: row.ticks,
        known_ticks: row.knownTicks,
      })),
    });
  });
}
