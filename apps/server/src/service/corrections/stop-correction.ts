import { stopCorrection } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { findCorrection, stopCorrectionRow } from './correction-store.ts';
import { viewCorrectionCase } from './correction-view.ts';
import type { CorrectionsDependencies } from './corrections.ts';

export function stopCorrectionHandler(module: CorrectionsDependencies, tell: (now: Date) => Promise<void>): Handler {
  const { database, audit, onFault } = module;
  return handle(stopCorrection, async ({ request: { id, note }, operator, now, language }) => {
    const before = await findCorrection(database, id);
    if (!before) return refuse('correction_unknown', { field: 'id' });
    const isStopped = await database.transaction(async (transaction) => {
      if (!(await stopCorrectionRow(transaction, id, operator.id, now))) return false;
      await audit.append(transaction, {
        operator,
        what: 'correction.stopped',
        on: { kind: 'correction', id },
        customer: before.customer_id,
        reason: before.reason,
        note,
      });
      return true;
    });
    if (!isStopped) return refuse('correction_decided');
    await tell(now).catch(onFault);
    const row = await findCorrection(database, id);
    return row ? accept(await viewCorrectionCase(module, row, operator, now, language)) : refuse('correction_unknown');
  });
}
