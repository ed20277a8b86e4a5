import { takeOverClaim } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { takeClaimRow, viewClaim } from './claims.ts';
import type { OperatorsModule } from './operators.ts';

export function takeOverClaimHandler({ database, audit }: OperatorsModule): Handler {
  return handle(takeOverClaim, async ({ operator, request: { kind, id, reason }, now }) =>
    database.transaction(async (transaction) => {
      const row = await takeClaimRow(transaction, { kind, id, operator: operator.id, isByForce: true }, now);
      await audit.append(transaction, { operator, what: 'claim.taken_over', on: { kind, id }, note: reason });
      return accept(viewClaim(row));
    }),
  );
}
