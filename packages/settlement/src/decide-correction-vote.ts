import { isMore, type Money } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';

/** The roles of which the second person must have one. */
export const correctionVoters = (isLarge: boolean) =>
  isLarge ? (['compliance'] as const) : (['finance', 'compliance', 'admin'] as const);

/** A proposed correction as it is found under the lock, before the second person's vote is cast. */
export interface AskedCorrectionVote {
  readonly step: string;
  /** It has changed since the second person read it. */
  readonly isStale: boolean;
  /** What it pays and what its account of the house has; null for a debit, which is announced first. */
  readonly pays: { readonly amount: Money; readonly available: Money } | null;
  /** The chain has taken the wrong transfer back since the proposal. */
  readonly isUndone: boolean;
  /** The deposit that was lost; `isOwn` if the second person stated the loss. */
  readonly lost: { readonly isLost: boolean; readonly isOwn: boolean; readonly isTaken: boolean } | null;
  /** A kept receipt is still worth exactly this. */
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
