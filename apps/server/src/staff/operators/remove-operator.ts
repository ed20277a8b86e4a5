import { removeOperator } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Room } from './room.ts';
import { stopOperator } from './stop-operator.ts';

export function removeOperatorHandler(room: Room): Handler {
  return handle(removeOperator, async ({ operator, request }) => stopOperator(room, operator, 'remove', request));
}
