import { logoutOperator } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Room } from './room.ts';

export function logoutOperatorHandler({ sessions }: Room): Handler {
  return handle(logoutOperator, async ({ operator, now }) => {
    await sessions.end(operator.sessionId, 'logout', now);
    return accept({});
  });
}
