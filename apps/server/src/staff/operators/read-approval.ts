import { readApproval } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readApprovalRow } from './approval-store.ts';
import { viewApproval } from './approval-view.ts';
import type { OperatorsModule } from './operators.ts';

export function readApprovalHandler(module: OperatorsModule): Handler {
  return handle(readApproval, async ({ operator, request, now }) => {
    const row = await readApprovalRow(module.database, request.id);
    // An approval for other roles gets the same answer as one that does not exist.
    if (!row || !(row.made_by === operator.id || operator.roles.some((role) => row.roles.includes(role))))
      return refuse('approval_unknown', { field: 'id' });
    return accept(await viewApproval(module, module.database, row, operator, now));
  });
}
