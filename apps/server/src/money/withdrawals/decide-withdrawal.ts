import type { DecisionRefusal } from '@sathorn/api';
import {
  accept,
  type Decision,
  decideWithdrawalVote,
  effectOfWithdrawalVote,
  isStoppedByFreeze,
  refuse,
  type VotedWithdrawal,
  type WithdrawalVoteEffect,
} from '@sathorn/settlement';
import { houseAccount, type Transfer } from '../../ledger/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { votedKind } from '../../staff/operators/index.ts';
import { approvalContentOf } from './advance-withdrawal.ts';
import { ended, paidByBank, returned } from './withdrawal-kinds.ts';
import {
  advanceStep,
  isInRun,
  lockWithdrawal,
  storeBankReference,
  type WithdrawalReason,
  type WithdrawalRow,
} from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

export interface WithdrawalDecisionCommand {
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
export type WithdrawalDecisionRefusal =
  | DecisionRefusal
  | 'withdrawal_unknown'
  | 'withdrawal_decided'
  | 'withdrawal_delayed'
  | 'withdrawal_in_run'
  | 'customer_frozen'
  | 'version_stale'
  | 'house_short';

const BAHT_CAPITAL = houseAccount('house_capital', 'THB');

const transfersOf = (row: WithdrawalRow, money: WithdrawalVoteEffect['money']): readonly Transfer[] => {
  if (money === null) return [];
  if (money === 'give_back') return returned(row);
  return money === 'paid_by_bank' ? paidByBank(row) : ended(row, money);
};

/** An operator's decision about a withdrawal. `to` is its next step; null if the step does not change. */
export const withdrawalDecisionKind = ({
  approvals,
  audit,
  customers,
}: Pick<WithdrawalsModule, 'approvals' | 'audit' | 'customers'>) =>
  votedKind(audit, {
    name: 'withdrawals.decide',
    accounts: () => [BAHT_CAPITAL],
    lock: (transaction, { id }: WithdrawalDecisionCommand) => lockWithdrawal(transaction, id),

    async check(
      transaction,
      { version, decision, waiting },
      row,
    ): Promise<Decision<WithdrawalRow, WithdrawalDecisionRefusal>> {
      if (!row) return refuse('withdrawal_unknown');
      const { step, delayed_until: delayedUntil } = row;
      const isStale = row.version !== version;
      const decided = decideWithdrawalVote({ what: waiting?.what ?? null, decision, step, isStale, delayedUntil });
      if (!decided.ok) return decided;
      const isStopped = waiting !== null && isStoppedByFreeze(waiting.what, decision);
      if (isStopped && (await customers.lockFrozen(transaction, [row.customer_id])).size > 0)
        return refuse('customer_frozen');
      // A vote that gives a payout back waits until nobody can send it any more.
      if (step === 'approved' && (await isInRun(transaction, row.id))) return refuse('withdrawal_in_run');
      return accept(row);
    },

    async vote(transaction, { waiting, operator, decision, reason }) {
      if (waiting === null) return accept({ ...effectOfWithdrawalVote(null, decision, true), given: '' });
      const { approval: id, fingerprint, what } = waiting;
      const vote = { id, operator, fingerprint, decision, ...(reason !== null && { reason }) };
      const counted = await approvals.vote(transaction, vote);
      if (!counted.ok) return counted;
      const { approvals: given, need, isDecided } = counted.effect;
      return accept({ ...effectOfWithdrawalVote(what, decision, isDecided), given: `${given} of ${need}` });
    },

    transfers: ({ found: row, cast: { money } }) => transfersOf(row, money),

    advance(transaction, { command: { waiting, at, reason }, found: row, cast: { to }, journal }) {
      if (to === null) return [];
      const why = to === 'returned' ? (reason ?? waiting?.reason ?? null) : null;
      return [
        ...(to === 'done' && waiting?.reference ? [storeBankReference(transaction, row.id, waiting.reference)] : []),
        advanceStep(transaction, row.id, [row.step], to, why, journal, at),
      ];
    },

    entry({ command: { waiting, decision, reason }, found: row, cast: { to, given } }) {
      const why = reason ?? waiting?.reason ?? null;
      return {
        what: `${waiting?.what ?? 'withdrawal'}.${decision === 'approve' ? 'approved' : 'rejected'}`,
        on: { kind: 'withdrawal', id: row.id },
        customer: row.customer_id,
        before: { step: row.step },
        after: { ...approvalContentOf(row), step: to ?? row.step, approvals: given },
        ...(why !== null && { reason: why }),
      };
    },
  });
