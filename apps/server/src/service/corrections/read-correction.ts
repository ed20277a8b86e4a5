import { readCorrection } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { closeEndedCorrections, findCorrection } from './correction-store.ts';
import { viewCorrectionCase } from './correction-view.ts';
import type { CorrectionsDependencies } from './corrections.ts';

export function readCorrectionHandler(module: CorrectionsDependencies): Handler {
  return handle(readCorrection, async ({ request: { id }, operator, now, language }) => {
    await closeEndedCorrections(module.database);
    const row = await findCorrection(module.database, id);
    return row
      ? accept(await viewCorrectionCase(module, row, operator, now, language))
      : refuse('correction_unknown', { field: 'id' });
  });
}
