import { listBoxes } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Boxes } from './boxes.ts';

export function listBoxesHandler(boxes: Boxes): Handler {
  return handle(listBoxes, async ({ language, now }) => accept({ lists: await boxes.list(language, now) }), {
    rowsOf: () => 200,
  });
}
