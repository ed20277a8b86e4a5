import { listOperators } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import { viewEverybody } from './operator-view.ts';
import type { Room } from './room.ts';

export function listOperatorsHandler({ database }: Room): Handler {
  return handle(listOperators, async () => accept(await viewEverybody(database)));
}
