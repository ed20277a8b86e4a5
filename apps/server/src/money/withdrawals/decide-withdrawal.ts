import type { DecisionRefusal } from '@sathorn/api';
import { accept, type Decision, isStoppedByFreeze, refuse, type VotedWithdrawal } from '@sathorn/settlement';
import { type HotKind, houseAccount, type Transfer } from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { approvedText } from './progress.ts';
import { ended, loadRows, paidByBank, returned } from './withdrawal-kinds.ts';
import {
  advance,
  IN_REVIEW,
  keepReference,
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

interface Outcome {
  readonly row: WithdrawalRow;
  /** The next step; null if the step does not change. */
  readonly to: WithdrawalStep | null;
  readonly transfers: readonly Transfer[];
  readonly approvals: string;
}
interface DecideContext {
  readonly outcomes: Map<DecideCommand, Decision<Outcome, DecideRefusal>>;
}

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
): Pick<Outcome, 'to' | 'transfers'> {
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

/**
 * An operator's decision: the vote, the transfers, the step and the log entry are one transaction. Votes are cast under
 * the ledger's lock, after the row was found unchanged, so of two operators who vote at once exactly one is last.
 */
export function decideKind({
  approvals,
  audit,
  customers,
}: Pick<WithdrawalsModule, 'approvals' | 'audit' | 'customers'>): HotKind<
  DecideCommand,
  DecideContext,
  null,
  DecideRefusal
> {
  const vote = async (
    transaction: Queries,
    command: DecideCommand,
    row: WithdrawalRow | undefined,
  ): Promise<Decision<Outcome, DecideRefusal>> => {
    const { waiting, operator, decision, reason } = command;
    const refused = refusalOf(row, command);
    if (refused !== null || !row)
      return refuse(
        refused ?? 'withdrawal_unknown',
        refused === 'withdrawal_delayed' ? { params: { until: row?.delayed_until?.toISOString() ?? '' } } : {},
      );
    if (waiting === null) return accept({ row, ...outcomeOf(row, command, true), approvals: '' });
    if (
      isStoppedByFreeze(waiting.what, decision) &&
      (await customers.lockFrozen(transaction, [row.customer_id])).size > 0
    )
      return refuse('customer_frozen');
    const counted = await approvals.vote(transaction, {
      id: waiting.approval,
      operator,
      fingerprint: waiting.fingerprint,
      decision,
      ...(reason !== null && { reason }),
    });
    if (!counted.ok) return counted;
    const { approvals: given, need, isDecided } = counted.effect;
    return accept({ row, ...outcomeOf(row, command, isDecided), approvals: `${given} of ${need}` });
  };

  return {
    name: 'withdrawals.decide',
    customer: (() => null) as HotKind<DecideCommand, DecideContext, null, DecideRefusal>['customer'],
    accounts: () => [BAHT_CAPITAL],
    async load(transaction, commands, turn) {
      const { rows } = await loadRows(transaction, commands, turn);
      const outcomes: DecideContext['outcomes'] = new Map();
      for (const command of commands) {
        const outcome = await vote(transaction, command, rows.get(command.id));
        outcomes.set(command, outcome);
        if (!outcome.ok) continue;
        const { row, to } = outcome.effect;
        // Later commands of this batch see the row as already moved.
        rows.set(row.id, { ...row, step: to ?? row.step, version: row.version + 1 });
      }
      return { outcomes };
    },
    decide(command, funds, { context }) {
      const outcome = context.outcomes.get(command);
      if (!outcome) throw new Error('a decision was not looked at');
      if (!outcome.ok) return outcome;
      const { transfers, row } = outcome.effect;
      const baht = transfers.some(({ code }) => code === 'bank_paid') ? (row.baht ?? 0n) : 0n;
      // The vote is already cast; throwing rolls it back with the transaction.
      if (baht > funds.available(BAHT_CAPITAL)) throw new Error('the house has too little THB for what its bank paid');
      return accept({ transfers, answer: null });
    },
    write: (transaction, { accepted, context }) =>
      accepted.flatMap(({ command, intent }) => {
        const outcome = context.outcomes.get(command);
        if (!outcome?.ok) throw new Error('a decision is lost');
        const { row, to, approvals: given } = outcome.effect;
        const { waiting, operator, decision, at, note } = command;
        const reason = command.reason ?? waiting?.reason ?? null;
        const statements: Promise<unknown>[] = [];
        if (to === 'done' && waiting?.reference) statements.push(keepReference(transaction, row.id, waiting.reference));
        if (to !== null)
          statements.push(
            advance(transaction, row.id, [row.step], to, to === 'returned' ? reason : null, intent.id, at),
          );
        statements.push(
          audit.append(transaction, {
            operator,
            what: `${waiting?.what ?? 'withdrawal'}.${decision === 'approve' ? 'approved' : 'rejected'}`,
            on: { kind: 'withdrawal', id: row.id },
            customer: row.customer_id,
            before: { step: row.step },
            after: { ...approvedText(row), step: to ?? row.step, approvals: given },
            ...(reason !== null && { reason }),
            ...(note !== undefined && { note }),
          }),
        );
        return statements;
      }),
  };
}
