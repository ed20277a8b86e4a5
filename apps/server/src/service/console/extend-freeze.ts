import { extendFreeze } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { askToChange } from './change-freeze.ts';
import type { Room } from './room.ts';

export function extendFreezeHandler(room: Room): Handler {
  return handle(extendFreeze, async ({ operator, request: { id, freeze, reason, until }, now }) =>
    askToChange(room, operator, { customer: id, freeze, reason, until: new Date(until) }, now),
  );
}
