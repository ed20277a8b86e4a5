import { readCorrection } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { closeEnded, findCorrection } from './correction-store.ts';
import { caseOf } from './correction-view.ts';
import type { CorrectionsRoom } from './room.ts';

export function readCorrectionHandler(room: CorrectionsRoom): Handler {
  return handle(readCorrection, async ({ request: { id }, operator, now, language }) => {
    await closeEnded(room.database);
    const row = await findCorrection(room.database, id);
    return row
      ? accept(await caseOf(room, row, operator, now, language))
      : refuse('correction_unknown', { field: 'id' });
  });
}
