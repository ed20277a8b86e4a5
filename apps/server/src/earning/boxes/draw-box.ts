import { drawBox } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Boxes, BoxesDependencies } from './boxes.ts';

export function drawBoxHandler(
  boxes: Boxes,
  { pausedRefusal, isLocked }: Pick<BoxesDependencies, 'pausedRefusal' | 'isLocked'>,
): Handler {
  return handle(drawBox, async ({ customer, request, intent, language }) => {
    const paused = await pausedRefusal(customer.id);
    // A prize would be a reward that is not locked.
    if (!paused && (await isLocked(customer.id))) return refuse('primary_required');
    return paused ?? boxes.draw({ customer: customer.id, box: request.id }, intent, language);
  });
}
