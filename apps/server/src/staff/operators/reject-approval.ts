import { rejectApproval } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { castVote } from './cast-vote.ts';
import type { OperatorsModule } from './operators.ts';

export function rejectApprovalHandler(module: OperatorsModule): Handler {
  return handle(rejectApproval, async ({ operator, request: { id, fingerprint, reason }, now }) => {
    const decided = await castVote(module, operator, { id, fingerprint, decision: 'reject', note: reason }, now);
    if (decided.ok) return decided;
    // A rejection applies nothing, so a changed subject does not matter.
    const { refusal, field, params } = decided;
    const detail = { ...(field === undefined ? {} : { field }), ...(params === undefined ? {} : { params }) };
    return refuse(refusal === 'subject_changed' ? 'already_decided' : refusal, detail);
  });
}
