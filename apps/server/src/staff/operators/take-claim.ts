import { takeClaim } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { takeClaimRow, viewClaim } from './claims.ts';
import type { OperatorsModule } from './operators.ts';

export function takeClaimHandler({ database }: OperatorsModule): Handler {
  return handle(takeClaim, async ({ operator, request, now }) => {
    const claim = { ...request, operator: operator.id, isByForce: false };
    const row = await takeClaimRow(database, claim, now);
    if (row.operator !== operator.id) return refuse('taken_by_other', { params: { by: row.work_name } });
    return accept(viewClaim(row));
  });
}
