import type { DecisionRefusal } from '@sathorn/api';
import { accept, type Decision, isStoppedByFreeze, refuse, type VotedWithdrawal } from '@sathorn/settlement';
import { houseAccount, type Transfer } from '../../ledger/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { votedKind } from '../../staff/operators/index.ts';
import { approvedText } from './progress.ts';
import { ended, paidByBank, returned } from './withdrawal-kinds.ts';
import {
  advance,
  IN_REVIEW,
  keepReference,
  lockWithdrawal,
  type WithdrawalReason,
  type WithdrawalRow,
  type WithdrawalStep,
} from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

export interface DecideCommand {
  readonly id: string;
  readonly at: Date;
  readonly version: number;
  readonly operator: OperatorSession;
  readonly decision: 'approve' | 'reject';
  readonly reason: WithdrawalReason | null;
  readonly note: string | undefined;
  /** The open approval as it was read before the transaction; null if no approval is needed. */
  readonly waiting: {
    readonly approval: string;
    readonly what: VotedWithdrawal;
    readonly fingerprint: string;
    /** The bank payment's reference. */
    readonly reference: string | null;
    readonly reason: WithdrawalReason | null;
  } | null;
}
export type DecideRefusal =
  | DecisionRefusal
  | 'withdrawal_unknown'
  | 'withdrawal_decided'
  | 'withdrawal_delayed'
  | 'customer_frozen'
  | 'version_stale'
  | 'house_short';

const BAHT_CAPITAL = houseAccount('house_capital', 'THB');

/** Why no decision is possible, checked before a vote is cast. */
function refusalOf(
  row: WithdrawalRow | undefined,
  { version, decision, waiting }: DecideCommand,
): DecideRefusal | null {
  if (!row) return 'withdrawal_unknown';
  const what = waiting?.what ?? 'withdrawal';
  const steps: readonly WithdrawalStep[] =
    what === 'withdrawal'
      ? IN_REVIEW
      : what === 'payout_release' || what === 'payout_return'
        ? ['approved']
        : ['sending', 'sent_unknown'];
  if (!steps.includes(row.step)) return 'withdrawal_decided';
  if (row.version !== version) return 'version_stale';
  if (decision === 'approve' && row.step === 'delayed') return 'withdrawal_delayed';
  // This withdrawal needs no approval. It proceeds by itself, and one operator may stop it.
  if (decision === 'approve' && waiting === null) return 'approval_unknown';
  return null;
}

function outcomeOf(
  row: WithdrawalRow,
  { decision, waiting }: DecideCommand,
  isDecided: boolean,
): { readonly to: WithdrawalStep | null; readonly transfers: readonly Transfer[] } {
  const what = waiting?.what ?? 'withdrawal';
  if (what === 'withdrawal') {
    if (decision === 'reject') return { to: 'returned', transfers: ended(row, 'void') };
    return isDecided ? { to: 'approved', transfers: ended(row, 'post') } : { to: 'second_check', transfers: [] };
  }
  // Nothing moves when it is released: the signer pays it. Refused, the money is the customer's again.
  if (what === 'payout_release')
    return decision === 'reject' ? { to: 'returned', transfers: returned(row) } : { to: null, transfers: [] };
  if (what === 'payout_return')
    return decision === 'approve' && isDecided
      ? { to: 'returned', transfers: returned(row) }
      : { to: null, transfers: [] };
  // A rejected report changes nothing. A lost payout is returned by the chain's evidence and not by this vote.
  if (decision === 'reject' || what === 'withdrawal_lost') return { to: null, transfers: [] };
  return what === 'withdrawal_paid'
    ? { to: 'done', transfers: paidByBank(row) }
    : { to: 'returned', transfers: returned(row) };
}

/** An operator's decision about a withdrawal. `to` is its next step; null if the step does not change. */
export const decideKind = ({
  approvals,
  audit,
  customers,
}: Pick<WithdrawalsModule, 'approvals' | 'audit' | 'customers'>) =>
  votedKind(audit, {
    name: 'withdrawals.decide',
    accounts: () => [BAHT_CAPITAL],
    lock: (transaction, { id }: DecideCommand) => lockWithdrawal(transaction, id),

    async check(transaction, command, row): Promise<Decision<WithdrawalRow, DecideRefusal>> {
      const refused = refusalOf(row, command);
      if (refused === 'withdrawal_delayed')
        return refuse(refused, { params: { until: row?.delayed_until?.toISOString() ?? '' } });
      if (refused !== null || !row) return refuse(refused ?? 'withdrawal_unknown');
      const { waiting, decision } = command;
      const isStopped = waiting !== null && isStoppedByFreeze(waiting.what, decision);
      if (isStopped && (await customers.lockFrozen(transaction, [row.customer_id])).size > 0)
        return refuse('customer_frozen');
      return accept(row);
    },

    async vote(transaction, command, row) {
      const { waiting, operator, decision, reason } = command;
      if (waiting === null) return accept({ ...outcomeOf(row, command, true), given: '' });
      const { approval: id, fingerprint } = waiting;
      const vote = { id, operator, fingerprint, decision, ...(reason !== null && { reason }) };
      const counted = await approvals.vote(transaction, vote);
      if (!counted.ok) return counted;
      const { approvals: given, need, isDecided } = counted.effect;
      return accept({ ...outcomeOf(row, command, isDecided), given: `${given} of ${need}` });
    },

    transfers: ({ cast }) => cast.transfers,

    advance(transaction, { command: { waiting, at, reason }, found: row, cast: { to }, journal }) {
      if (to === null) return [];
      const why = to === 'returned' ? (reason ?? waiting?.reason ?? null) : null;
      return [
        ...(to === 'done' && waiting?.reference ? [keepReference(transaction, row.id, waiting.reference)] : []),
        advance(transaction, row.id, [row.step], to, why, journal, at),
      ];
    },

    entry({ command: { waiting, decision, reason }, found: row, cast: { to, given } }) {
      const why = reason ?? waiting?.reason ?? null;
      return {
        what: `${waiting?.what ?? 'withdrawal'}.${decision === 'approve' ? 'approved' : 'rejected'}`,
        on: { kind: 'withdrawal', id: row.id },
        customer: row.customer_id,
        before: { step: row.step },
        after: { ...approvedText(row), step: to ?? row.step, approvals: given },
        ...(why !== null && { reason: why }),
      };
    },
  });
