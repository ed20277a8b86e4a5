import { leaveClaim } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { leaveClaimRow } from './claims.ts';
import type { OperatorsModule } from './operators.ts';

export function leaveClaimHandler({ database }: OperatorsModule): Handler {
  return handle(leaveClaim, async ({ operator, request }) => {
    await leaveClaimRow(database, request.kind, request.id, operator.id);
    return accept({});
  });
}
