import { seedDraw } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Boxes } from './boxes.ts';

export function seedDrawHandler(boxes: Boxes): Handler {
  return handle(seedDraw, ({ customer, request: { id, client_seed }, language, now }) =>
    boxes.seed(customer.id, { id, seed: client_seed }, language, now),
  );
}
