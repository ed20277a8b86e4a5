import type { ApprovalView, DecisionRefusal } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Queries, Transaction } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { type ApprovalRow, readApprovalRow } from './approval-store.ts';
import { viewApproval } from './approval-view.ts';
import type { Room } from './room.ts';

/** What happens when an approval of this kind has all its votes. Kinds without one are decided on their own pages. */
export interface ApprovalKind {
  /**
   * Runs in the transaction of the last vote. Returns false, and changes nothing, if the subject has changed meanwhile.
   */
  apply(transaction: Transaction, approval: ApprovalRow, operator: OperatorSession): Promise<boolean>;
  /** Runs after the transaction has committed. It may fail, so nothing essential may depend on it. */
  applied?(): Promise<void>;
  /**
   * Runs in the transaction in which one person stops the decision before its `effectiveFrom`, and undoes what `apply`
   * wrote for later. Kinds without it take effect at once and cannot be stopped.
   */
  stop?(transaction: Transaction, approval: ApprovalRow, operator: OperatorSession): Promise<void>;
  /** Runs in the transaction in which one person rejects it, for subjects that wait for the decision. */
  rejected?(transaction: Transaction, approval: ApprovalRow): Promise<void>;
  /** Runs after a rejection or a stop has committed, to notify whoever waits. It may fail. */
  ended?(approval: ApprovalRow): Promise<void>;
  /** Whether this person opened the case, and so takes no part in deciding it. */
  isConcerned?(queries: Queries, approval: ApprovalRow, operator: OperatorSession): Promise<boolean>;
  /** The customer whose list of staff actions shows it. */
  customerOf(approval: ApprovalRow): bigint | null;
}

/** Thrown to roll the transaction back. */
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
  now: Date,
): Promise<Decision<ApprovalView, DecisionRefusal | 'decided_on_subject' | 'subject_changed'>> {
  const { database, approvals, audit, kinds } = room;
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
  return accept(await viewApproval(room, database, await reread(database, vote.id), operator, now));
}

export async function reread(queries: Queries, id: string): Promise<ApprovalRow> {
  const row = await readApprovalRow(queries, id);
  if (!row) throw new Error(`no approval ${id}`);
  return row;
}
