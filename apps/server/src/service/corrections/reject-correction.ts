import { rejectCorrection } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { closeEndedCorrections, findCorrection, lockCorrection } from './correction-store.ts';
import { viewCorrectionCase } from './correction-view.ts';
import type { CorrectionsDependencies } from './corrections.ts';

export function rejectCorrectionHandler(module: CorrectionsDependencies): Handler {
  const { database, approvals, audit } = module;
  return handle(rejectCorrection, async ({ request, operator, now, language }) => {
    const { id, version, fingerprint, note } = request;
    const refused = await database.transaction(async (transaction) => {
      const row = await lockCorrection(transaction, id);
      if (!row) return refuse('correction_unknown' as const, { field: 'id' });
      if (row.step !== 'proposed') return refuse('correction_decided' as const);
      if (row.version !== version) return refuse('version_stale' as const);
      const voted = await approvals.vote(transaction, { id: row.approval, operator, fingerprint, decision: 'reject' });
      if (!voted.ok) return voted;
      await closeEndedCorrections(transaction);
      await audit.append(transaction, {
        operator,
        what: 'correction.rejected',
        on: { kind: 'correction', id },
        customer: row.customer_id,
        reason: row.reason,
        ...(note !== undefined && { note }),
      });
      return null;
    });
    if (refused !== null) return refused as Decision<never, typeof refused.refusal>;
    const row = await findCorrection(database, id);
    return row ? accept(await viewCorrectionCase(module, row, operator, now, language)) : refuse('correction_unknown');
  });
}
