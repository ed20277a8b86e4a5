import type { ApprovalView, DecisionRefusal } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Queries, Transaction } from '../database/index.ts';
import type { OperatorSession } from '../edge/index.ts';
import { type ApprovalRow, readApprovalRow } from './approval-store.ts';
import { viewApproval } from './approval-view.ts';
import type { Room } from './room.ts';

/** What follows when all who are needed have approved. Kinds without one are decided on the page of their subject. */
export interface ApprovalKind {
  /** In the transaction of the last vote. False: what it is about has changed meanwhile, and nothing happens. */
  apply(transaction: Transaction, approval: ApprovalRow, operator: OperatorSession): Promise<boolean>;
  /** After that transaction has committed: nothing that matters may depend on it. */
  applied?(): Promise<void>;
  /** Whose staff actions show it. */
  customerOf(approval: ApprovalRow): bigint | null;
}

/** Leaves the transaction, which is rolled back. */
class Refused extends Error {
  readonly refusal: DecisionRefusal | 'subject_changed';
  constructor(refusal: DecisionRefusal | 'subject_changed') {
    super(refusal);
    this.refusal = refusal;
  }
}

export async function decide(
  room: Room,
  operator: OperatorSession,
  vote: {
    readonly id: string;
    readonly fingerprint: string;
    readonly decision: 'approve' | 'reject';
    readonly note: string | undefined;
  },
): Promise<Decision<ApprovalView, DecisionRefusal | 'decided_on_subject' | 'subject_changed'>> {
  const { database, approvals, audit, kinds } = room;
  const before = await readApprovalRow(database, vote.id);
  if (!before) return refuse('approval_unknown');
  const kind = kinds.get(before.kind);
  if (!kind) return refuse('decided_on_subject');
  try {
    const isApplied = await database.transaction(async (transaction) => {
      const counted = await approvals.vote(transaction, { ...vote, operator });
      if (!counted.ok) throw new Refused(counted.refusal);
      const isApproved = vote.decision === 'approve' && counted.effect.isDecided;
      if (isApproved && !(await kind.apply(transaction, before, operator))) throw new Refused('subject_changed');
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
  } catch (error) {
    if (error instanceof Refused) return refuse(error.refusal);
    throw error;
  }
  return accept(await viewApproval(room, database, await reread(database, vote.id), operator));
}

async function reread(queries: Queries, id: string): Promise<ApprovalRow> {
  const row = await readApprovalRow(queries, id);
  if (!row) throw new Error(`no approval ${id}`);
  return row;
}
