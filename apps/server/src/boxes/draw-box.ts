import { drawBox } from '@sathorn/api';
import { type Handler, handle } from '../edge/index.ts';
import type { Boxes, BoxesDependencies } from './open-boxes.ts';

export function drawBoxHandler(boxes: Boxes, pausedRefusal: BoxesDependencies['pausedRefusal']): Handler {
  return handle(drawBox, async ({ customer, request, intent, language }) => {
    const paused = await pausedRefusal(customer.id);
    return paused ?? boxes.draw({ customer: customer.id, box: request.id }, intent, language);
  });
}
