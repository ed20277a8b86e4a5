import { listBoxes, listDraws, readBoxFile, seedDraw } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Boxes } from './boxes.ts';

export const boxCalls = (boxes: Boxes): Handler[] => [
  handle(listBoxes, async ({ language, now }) => accept({ lists: await boxes.list(language, now) }), {
    rowsOf: () => 200,
  }),
  handle(listDraws, ({ customer, request: { id = null, page = null }, language }) =>
    boxes.draws(customer.id, { id, page }, language),
  ),
  handle(readBoxFile, ({ request, now }) => boxes.file(request.id, now), { rowsOf: () => 2_000 }),
  handle(seedDraw, ({ customer, request: { id, client_seed }, language, now }) =>
    boxes.seed(customer.id, { id, seed: client_seed }, language, now),
  ),
];
