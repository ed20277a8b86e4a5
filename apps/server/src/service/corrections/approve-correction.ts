import { approveCorrection } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { closeEnded, findCorrection } from './correction-store.ts';
import { caseOf } from './correction-view.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import { type DecideRefusal, decideKind } from './decide-correction.ts';

export function approveCorrectionHandler(module: CorrectionsDependencies, tell: (now: Date) => Promise<void>): Handler {
  const { database, ledger, onFault } = module;
  const kind = decideKind(module);
  return handle(approveCorrection, async ({ request, operator, intent, now, language }) => {
    await closeEnded(database);
    const { id, version, fingerprint, note } = request;
    const proposed = await findCorrection(database, id);
    if (!proposed) return refuse('correction_unknown', { field: 'id' });
    const posted = await ledger.post(kind, { row: proposed, version, fingerprint, note, operator, at: now }, intent);
    if (!posted.ok) return posted as Decision<never, DecideRefusal>;
    await tell(now).catch(onFault);
    const row = await findCorrection(database, id);
    return row ? accept(await caseOf(module, row, operator, now, language)) : refuse('correction_unknown');
  });
}
