import { readOperator } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { OPERATOR_SESSION_IDLE_MS } from './operator-sessions.ts';

export function readOperatorHandler(): Handler {
  return handle(readOperator, async ({ operator: { id, workName, roles, endsAt } }) =>
    accept({
      operator: { id: String(id), work_name: workName, roles: [...roles] },
      idle_seconds: OPERATOR_SESSION_IDLE_MS / 1_000,
      ends_at: endsAt.toISOString(),
    }),
  );
}
