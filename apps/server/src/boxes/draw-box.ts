import { drawBox } from '@sathorn/api';
import { type Handler, handle } from '../edge/index.ts';
import type { Boxes } from './open-boxes.ts';

export function drawBoxHandler(boxes: Boxes): Handler {
  return handle(drawBox, ({ customer, request, intent, language }) =>
    boxes.draw({ customer: customer.id, box: request.id }, intent, language),
  );
}
