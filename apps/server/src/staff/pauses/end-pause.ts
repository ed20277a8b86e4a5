import { endPause } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readPause } from './pause-store.ts';
import type { PausesModule } from './pauses.ts';
import { PAUSE_END_APPROVAL } from './start-pause.ts';

/** Asks a second person to end the pause; until they agree, the subject stays paused. */
export function endPauseHandler({ database, approvals, audit, findWaiting }: PausesModule): Handler {
  return handle(endPause, async ({ operator, request: { id, reason } }) => {
    const row = await readPause(database, id);
    if (!row || row.ended_at !== null) return refuse('pause_unknown', { field: 'id' });
    return database.transaction(async (transaction) => {
      if (await findWaiting(transaction, PAUSE_END_APPROVAL, id)) return refuse('approval_open');
      const opened = await approvals.propose(transaction, operator, {
        kind: PAUSE_END_APPROVAL,
        subject: id,
        fingerprintOf: { kind: row.kind, subject: row.subject, since: row.started_at.toISOString() },
        roles: ['compliance', 'finance', 'admin'],
        reason,
      });
      if (!opened.ok) return opened;
      const { id: approval } = opened.effect;
      await audit.append(transaction, {
        operator,
        what: 'pause_end.asked',
        on: { kind: 'pause', id },
        after: { approval },
        note: reason,
      });
      return accept({ approval });
    });
  });
}
