import { approveApproval } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { decide } from './decide.ts';
import type { OperatorsModule } from './operators.ts';

export function approveApprovalHandler(module: OperatorsModule): Handler {
  return handle(approveApproval, async ({ operator, request: { id, fingerprint, note }, now }) =>
    decide(module, operator, { id, fingerprint, decision: 'approve', note }, now),
  );
}
