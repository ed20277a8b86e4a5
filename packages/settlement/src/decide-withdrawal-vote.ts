/** Decides whether people may vote on a withdrawal, and what a vote moves. */

import type { VotedWithdrawal } from './decide-withdrawal.ts';
import { accept, type Decision, refuse } from './decision.ts';

/** The steps of a withdrawal at which people may make each decision. */
const STEPS: Readonly<Record<VotedWithdrawal, readonly string[]>> = {
  withdrawal: ['delayed', 'first_check', 'second_check'],
  payout_release: ['approved'],
  payout_return: ['approved'],
  withdrawal_paid: ['sending', 'sent_unknown'],
  withdrawal_failed: ['sending', 'sent_unknown'],
  withdrawal_lost: ['sending', 'sent_unknown'],
};

export interface AskedWithdrawalVote {
  /** Null for a withdrawal that needs no approval: it proceeds by itself, and one operator may stop it. */
  readonly what: VotedWithdrawal | null;
  readonly decision: 'approve' | 'reject';
  readonly step: string;
  /** The withdrawal has changed since the operator read it. */
  readonly isStale: boolean;
  readonly delayedUntil: Date | null;
}
export type WithdrawalVoteRefusal = 'withdrawal_decided' | 'version_stale' | 'withdrawal_delayed' | 'approval_unknown';

/** Checks in the order written here, before the vote is cast. */
export function decideWithdrawalVote({
  what,
  decision,
  step,
  isStale,
  delayedUntil,
}: AskedWithdrawalVote): Decision<null, WithdrawalVoteRefusal> {
  if (!STEPS[what ?? 'withdrawal'].includes(step)) return refuse('withdrawal_decided');
  if (isStale) return refuse('version_stale');
  if (decision === 'approve' && step === 'delayed')
    return refuse('withdrawal_delayed', { params: { until: delayedUntil?.toISOString() ?? '' } });
  if (decision === 'approve' && what === null) return refuse('approval_unknown');
  return accept(null);
}

export interface WithdrawalVoteEffect {
  /** The next step; null if it does not change. */
  readonly to: 'second_check' | 'approved' | 'returned' | 'done' | null;
  /**
   * `post` or `void` the holds; `give_back` a payout that left the customer's account; book the bank's payment
   * (`paid_by_bank`). Null moves nothing.
   */
  readonly money: 'post' | 'void' | 'give_back' | 'paid_by_bank' | null;
}
const NOTHING: WithdrawalVoteEffect = { to: null, money: null };

/** `isDecided` is true if enough people have approved with this vote. One rejection is enough. */
export function effectOfWithdrawalVote(
  what: VotedWithdrawal | null,
  decision: 'approve' | 'reject',
  isDecided: boolean,
): WithdrawalVoteEffect {
  if (what === null || what === 'withdrawal') {
    if (decision === 'reject') return { to: 'returned', money: 'void' };
    return isDecided ? { to: 'approved', money: 'post' } : { to: 'second_check', money: null };
  }
  // Releasing a payout moves nothing, because the signer pays it. A rejection returns the money to the customer.
  if (what === 'payout_release') return decision === 'reject' ? { to: 'returned', money: 'give_back' } : NOTHING;
  // A rejected report changes nothing. Only the chain's evidence gives a lost payout back, not this vote.
  if (decision === 'reject' || !isDecided || what === 'withdrawal_lost') return NOTHING;
  return what === 'withdrawal_paid' ? { to: 'done', money: 'paid_by_bank' } : { to: 'returned', money: 'give_back' };
}
