import type { ApprovalView, DecisionRefusal } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { type ApprovalRow, readApprovalRow } from './approval-store.ts';
import { viewApproval } from './approval-view.ts';
import type { OperatorsModule } from './operators.ts';

/** Thrown to roll the transaction back. */
class Refused extends Error {
  readonly refusal: DecisionRefusal | 'subject_changed';
  constructor(refusal: DecisionRefusal | 'subject_changed') {
    super(refusal);
    this.refusal = refusal;
  }
}

export async function castVote(
  module: OperatorsModule,
  operator: OperatorSession,
  vote: {
    readonly id: string;
    readonly fingerprint: string;
    readonly decision: 'approve' | 'reject';
    readonly note: string | undefined;
  },
  now: Date,
): Promise<Decision<ApprovalView, DecisionRefusal | 'decided_on_subject' | 'subject_changed'>> {
  const { database, approvals, audit, kinds } = module;
  const before = await readApprovalRow(database, vote.id);
  if (!before) return refuse('approval_unknown', { field: 'id' });
  const kind = kinds.get(before.kind);
  if (!kind) return refuse('decided_on_subject');
  if (await kind.isConcerned?.(database, before, operator)) return refuse('conflict_of_interest');
  try {
    const isApplied = await database.transaction(async (transaction) => {
      const counted = await approvals.vote(transaction, { ...vote, operator });
      if (!counted.ok) throw new Refused(counted.refusal);
      const isApproved = vote.decision === 'approve' && counted.effect.isDecided;
      if (isApproved && !(await kind.apply(transaction, before, operator))) throw new Refused('subject_changed');
      if (vote.decision === 'reject') await kind.rejected?.(transaction, before);
      const customer = kind.customerOf(before);
      await audit.append(transaction, {
        operator,
        what: vote.decision === 'approve' ? 'approval.approved' : 'approval.rejected',
        on: { kind: before.kind, id: before.subject },
        ...(customer !== null && { customer }),
        after: {
          approval: before.id,
          approvals: `${counted.effect.approvals} of ${counted.effect.need}`,
          fingerprint: vote.fingerprint,
        },
        ...(vote.note !== undefined && { note: vote.note }),
      });
      return isApproved;
    });
    if (isApplied) await kind.applied?.();
    if (vote.decision === 'reject') await kind.ended?.(before);
  } catch (error) {
    if (error instanceof Refused) return refuse(error.refusal);
    throw error;
  }
  return accept(await viewApproval(module, database, await rereadApproval(database, vote.id), operator, now));
}

export async function rereadApproval(queries: Queries, id: string): Promise<ApprovalRow> {
  const row = await readApprovalRow(queries, id);
  if (!row) throw new Error(`no approval ${id}`);
  return row;
}
