import { isMore, type Money } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';

/** The second person must have one of these roles. */
export const correctionVoters = (isLarge: boolean) =>
  isLarge ? (['compliance'] as const) : (['finance', 'compliance', 'admin'] as const);

/** A proposed correction, read under the lock before the second person's vote is cast. */
export interface AskedCorrectionVote {
  readonly step: string;
  /** The proposal has changed since the second person read it. */
  readonly isStale: boolean;
  /** The amount and the house account's available balance; null for a debit, which is announced first. */
  readonly pays: { readonly amount: Money; readonly available: Money } | null;
  /** A reorganisation has removed the wrong transfer since the proposal. */
  readonly isUndone: boolean;
  /** The lost deposit; `isOwn` if the second person also stated the loss, `isTaken` if it is already corrected. */
  readonly lost: { readonly isLost: boolean; readonly isOwn: boolean; readonly isTaken: boolean } | null;
  /** True if the kept receipt is still worth exactly this correction's amount. */
  readonly isWorth: boolean;
}
export type CorrectionVoteRefusal =
  | 'correction_decided'
  | 'version_stale'
  | 'account_short'
  | 'already_corrected'
  | 'deposit_not_lost'
  | 'conflict_of_interest'
  | 'kept_nothing_due';

/** Checks in the order written here. */
export function decideCorrectionVote({
  step,
  isStale,
  pays,
  isUndone,
  lost,
  isWorth,
}: AskedCorrectionVote): Decision<null, CorrectionVoteRefusal> {
  if (step !== 'proposed') return refuse('correction_decided');
  if (isStale) return refuse('version_stale');
  if (pays && isMore(pays.amount, pays.available)) return refuse('account_short');
  if (isUndone) return refuse('already_corrected');
  if (lost && !lost.isLost) return refuse('deposit_not_lost');
  if (lost?.isOwn) return refuse('conflict_of_interest');
  if (lost?.isTaken) return refuse('already_corrected');
  if (!isWorth) return refuse('kept_nothing_due');
  return accept(null);
}
