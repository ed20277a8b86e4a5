import { drawBox } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Boxes, BoxesDependencies } from './boxes.ts';

export function drawBoxHandler(boxes: Boxes, { isLocked }: Pick<BoxesDependencies, 'isLocked'>): Handler {
  return handle(drawBox, async ({ customer, request, intent, language }) => {
    // A prize would be a reward that escapes the lock.
    if (await isLocked(customer.id)) return refuse('primary_required');
    return boxes.draw({ customer: customer.id, box: request.id }, intent, language);
  });
}
