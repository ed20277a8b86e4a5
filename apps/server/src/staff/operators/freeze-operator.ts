import { freezeOperator } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Room } from './room.ts';
import { stopOperator } from './stop-operator.ts';

export function freezeOperatorHandler(room: Room): Handler {
  return handle(freezeOperator, async ({ operator, request }) => stopOperator(room, operator, 'freeze', request));
}
