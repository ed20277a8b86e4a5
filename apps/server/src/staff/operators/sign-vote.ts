import { signVote } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readApprovalRow } from './approval-store.ts';
import { viewApproval } from './approval-view.ts';
import { rereadApproval } from './cast-vote.ts';
import type { OperatorsModule } from './operators.ts';

/** Confirms a vote that the operator cast before votes were signed. It decides nothing. */
export function signVoteHandler(module: OperatorsModule): Handler {
  const { database, approvals, audit } = module;
  return handle(signVote, async ({ operator, request: { id, fingerprint }, now }) => {
    const row = await readApprovalRow(database, id);
    const own = row?.votes.find((vote) => vote.operator === String(operator.id));
    if (!row || !own) return refuse('approval_unknown', { field: 'id' });
    const refusal = await database.transaction(async (transaction) => {
      const vote = { id, operator, fingerprint, decision: own.decision };
      const refused = await approvals.sign(transaction, vote);
      if (refused === null)
        await audit.append(transaction, {
          operator,
          what: 'approval.signed',
          on: { kind: row.kind, id: row.subject },
          after: { approval: id, decision: own.decision, fingerprint },
        });
      return refused;
    });
    if (refusal !== null) return refuse(refusal);
    return accept(await viewApproval(module, database, await rereadApproval(database, id), operator, now));
  });
}
