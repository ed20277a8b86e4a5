import { readBoxFile } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Boxes } from './boxes.ts';

export function readBoxFileHandler(boxes: Boxes): Handler {
  return handle(readBoxFile, ({ request, now }) => boxes.file(request.id, now), { rowsOf: () => 2_000 });
}
