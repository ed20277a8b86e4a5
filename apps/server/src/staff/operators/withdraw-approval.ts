import { withdrawApproval } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readApprovalRow } from './approval-store.ts';
import type { OperatorsModule } from './operators.ts';

export function withdrawApprovalHandler({ database, approvals, audit }: OperatorsModule): Handler {
  return handle(withdrawApproval, async ({ operator, request: { id } }) => {
    const row = await readApprovalRow(database, id);
    // Another operator's approval gets the same answer as one that does not exist.
    if (row?.made_by !== operator.id) return refuse('approval_unknown', { field: 'id' });
    return database.transaction(async (transaction) => {
      if (!(await approvals.close(transaction, id, 'withdrawn', operator.id)))
        return refuse('approval_unknown', { field: 'id' });
      await audit.append(transaction, {
        operator,
        what: 'approval.withdrawn',
        on: { kind: row.kind, id: row.subject },
        after: { approval: id },
      });
      return accept({});
    });
  });
}
