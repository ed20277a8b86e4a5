import { listPauses } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { listPauseRows } from './pause-store.ts';
import type { PausesModule } from './pauses.ts';
import { PAUSE_END_APPROVAL } from './start-pause.ts';

export function listPausesHandler({ database, findWaiting, workNameOf, channels }: PausesModule): Handler {
  return handle(listPauses, async () => {
    const rows = await listPauseRows(database);
    const items = await Promise.all(
      rows.map(async (row) => ({
        id: row.id,
        kind: row.kind,
        subject: row.subject,
        texts: { ...row.texts },
        started_at: row.started_at.toISOString(),
        started_by: await workNameOf(row.started_by),
        ended_at: row.ended_at?.toISOString() ?? null,
        waiting: row.ended_at === null ? ((await findWaiting(database, PAUSE_END_APPROVAL, row.id))?.id ?? null) : null,
      })),
    );
    return accept({ items, next: null, channels: [...channels] });
  });
}
