import { liftFreeze } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { askToChange } from './change-freeze.ts';
import type { Room } from './room.ts';

export function liftFreezeHandler(room: Room): Handler {
  return handle(liftFreeze, async ({ operator, request: { id, freeze, reason }, now }) =>
    askToChange(room, operator, { customer: id, freeze, reason, until: null }, now),
  );
}
