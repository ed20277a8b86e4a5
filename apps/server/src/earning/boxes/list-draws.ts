import { listDraws } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Boxes } from './boxes.ts';

export function listDrawsHandler(boxes: Boxes): Handler {
  return handle(listDraws, ({ customer, request: { id = null, page = null }, language }) =>
    boxes.draws(customer.id, { id, page }, language),
  );
}
