import { stopApproval } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readApprovalRow } from './approval-store.ts';
import { viewApproval } from './approval-view.ts';
import { rereadApproval } from './cast-vote.ts';
import type { OperatorsModule } from './operators.ts';

export function stopApprovalHandler(module: OperatorsModule): Handler {
  const { database, approvals, audit, kinds } = module;
  return handle(stopApproval, async ({ operator, request: { id, reason }, now }) => {
    const row = await readApprovalRow(database, id);
    // An approval for other roles gets the same answer as one that does not exist.
    if (!row || !(row.made_by === operator.id || operator.roles.some((role) => row.roles.includes(role))))
      return refuse('approval_unknown', { field: 'id' });
    const kind = kinds.get(row.kind);
    if (!kind?.stop) return refuse('already_effective');
    const { stop, customerOf } = kind;
    const refusal = await database.transaction(async (transaction) => {
      const refused = await approvals.stop(transaction, id, operator);
      if (refused !== null) return refused;
      await stop(transaction, row, operator);
      const customer = customerOf(row);
      await audit.append(transaction, {
        operator,
        what: 'approval.stopped',
        on: { kind: row.kind, id: row.subject },
        ...(customer !== null && { customer }),
        after: { approval: id },
        note: reason,
      });
      return null;
    });
    if (refusal !== null) return refuse(refusal);
    await kind.ended?.(row);
    return accept(await viewApproval(module, database, await rereadApproval(database, id), operator, now));
  });
}
