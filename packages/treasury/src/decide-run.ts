import { accept, type Decision, refuse } from '@sathorn/settlement';
import { RUN_LINES_MAX } from './decide-transaction.ts';

/** A withdrawal that one person has examined, as the database says now. */
export interface ExaminedPayment {
  readonly id: string;
  readonly receiver: string;
  /** In units of the token. */
  readonly units: bigint;
}

export interface RunOpening {
  /** False while the chain has no treasury, or none was read. */
  readonly hasTreasury: boolean;
  /** True while another run is open, signed or on its way. */
  readonly isBusy: boolean;
  readonly wanted: readonly string[];
  /** Those of the wanted withdrawals that may be paid. */
  readonly found: readonly ExaminedPayment[];
  /** What goes to the hot wallet; 0 for nothing. In units of the token, like the next three. */
  readonly topUp: bigint;
  readonly held: bigint;
  readonly hotHeld: bigint;
  readonly hotMax: bigint;
}
export type RunOpeningRefusal =
  | 'treasury_missing'
  | 'run_open'
  | 'run_empty'
  | 'run_too_long'
  | 'run_line_unknown'
  | 'run_lines_equal'
  | 'top_up_too_high'
  | 'treasury_short';

/** Decides whether a payment run may be opened. Returns its sum in units of the token. */
export function decideRunOpening(asked: RunOpening): Decision<bigint, RunOpeningRefusal> {
  const { wanted, found, topUp } = asked;
  if (!asked.hasTreasury) return refuse('treasury_missing');
  if (asked.isBusy) return refuse('run_open');
  const lines = wanted.length + (topUp > 0n ? 1 : 0);
  if (lines === 0) return refuse('run_empty', { field: 'withdrawals' });
  if (lines > RUN_LINES_MAX)
    return refuse('run_too_long', { field: 'withdrawals', params: { max: `${RUN_LINES_MAX}` } });
  const known = new Set(found.map(({ id }) => id));
  if (!wanted.every((id) => known.has(id))) return refuse('run_line_unknown', { field: 'withdrawals' });
  // Within one transaction nobody could tell which of them was paid.
  if (new Set(found.map(({ receiver, units }) => `${receiver} ${units}`)).size < found.length)
    return refuse('run_lines_equal', { field: 'withdrawals' });
  if (topUp > 0n && asked.hotHeld + topUp > asked.hotMax) return refuse('top_up_too_high', { field: 'top_up' });
  const sum = found.reduce((all, { units }) => all + units, topUp);
  return sum > asked.held ? refuse('treasury_short', { field: 'withdrawals' }) : accept(sum);
}

export interface RunSigning {
  /** Null for an unknown run. */
  readonly step: string | null;
  readonly hasLapsed: boolean;
  /** True if the run has the Safe's next nonce. Two signed runs of different nonces could both pay a withdrawal. */
  readonly isNext: boolean;
  readonly isSameHash: boolean;
  /** True if the chain counts a key of this person. */
  readonly isOwner: boolean;
  readonly hasSigned: boolean;
  /** This person has examined a line of the run. */
  readonly hasExamined: boolean;
}
export type RunSigningRefusal =
  | 'run_unknown'
  | 'run_closed'
  | 'run_lapsed'
  | 'run_hash_differs'
  | 'not_owner'
  | 'already_signed'
  | 'examined_by_you';

/** Decides whether a person may sign a run. The signature itself is verified by the chain. */
export function decideRunSigning(asked: RunSigning): Decision<null, RunSigningRefusal> {
  if (asked.step === null) return refuse('run_unknown', { field: 'id' });
  if (asked.step !== 'open' || !asked.isNext) return refuse('run_closed');
  if (asked.hasLapsed) return refuse('run_lapsed');
  if (!asked.isOwner) return refuse('not_owner');
  if (asked.hasSigned) return refuse('already_signed');
  if (asked.hasExamined) return refuse('examined_by_you');
  return asked.isSameHash ? accept(null) : refuse('run_hash_differs', { field: 'hash' });
}
