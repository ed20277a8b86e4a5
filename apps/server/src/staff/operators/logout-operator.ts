import { logoutOperator } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OperatorsModule } from './operators.ts';

export function logoutOperatorHandler({ sessions }: OperatorsModule): Handler {
  return handle(logoutOperator, async ({ operator, now }) => {
    await sessions.end(operator.sessionId, 'logout', now);
    return accept({});
  });
}
