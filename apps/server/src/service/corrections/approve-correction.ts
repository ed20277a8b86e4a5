import { approveCorrection } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { closeEndedCorrections, findCorrection } from './correction-store.ts';
import { viewCorrectionCase } from './correction-view.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import { type CorrectionDecisionRefusal, correctionDecisionKind } from './decide-correction.ts';

export function approveCorrectionHandler(module: CorrectionsDependencies, tell: (now: Date) => Promise<void>): Handler {
  const { database, ledger, onFault } = module;
  const kind = correctionDecisionKind(module);
  return handle(approveCorrection, async ({ request, operator, intent, now, language }) => {
    await closeEndedCorrections(database);
    const { id, version, fingerprint, note } = request;
    const proposed = await findCorrection(database, id);
    if (!proposed) return refuse('correction_unknown', { field: 'id' });
    const posted = await ledger.post(kind, { row: proposed, version, fingerprint, note, operator, at: now }, intent);
    if (!posted.ok) return posted as Decision<never, CorrectionDecisionRefusal>;
    await tell(now).catch(onFault);
    const row = await findCorrection(database, id);
    return row ? accept(await viewCorrectionCase(module, row, operator, now, language)) : refuse('correction_unknown');
  });
}
