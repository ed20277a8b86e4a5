import { accept, type Decision, refuse } from '@sathorn/settlement';
import { RUN_LINES_MAX } from './decide-transaction.ts';

export interface BankRunOpening {
  /** True while the books must be reconciled after a restoration: nothing leaves. */
  readonly isHeld: boolean;
  /** True while another run is open. */
  readonly isBusy: boolean;
  /** Ids of the wanted withdrawals. */
  readonly wanted: readonly string[];
  /** Ids of approved bank payments that were authorised. */
  readonly payable: ReadonlySet<string>;
  /** Ids of those that the checker has scanned without a finding. */
  readonly cleared: ReadonlySet<string>;
}
export type BankRunOpeningRefusal =
  | 'after_restoration'
  | 'run_open'
  | 'run_empty'
  | 'run_too_long'
  | 'run_line_unknown'
  | 'payments_unchecked';

/** Decides whether a run of the bank's file may be opened. */
export function decideBankRunOpening(asked: BankRunOpening): Decision<null, BankRunOpeningRefusal> {
  const { wanted, payable, cleared } = asked;
  if (asked.isHeld) return refuse('after_restoration');
  if (asked.isBusy) return refuse('run_open');
  if (wanted.length === 0) return refuse('run_empty', { field: 'withdrawals' });
  if (wanted.length > RUN_LINES_MAX)
    return refuse('run_too_long', { field: 'withdrawals', params: { max: `${RUN_LINES_MAX}` } });
  if (!wanted.every((id) => payable.has(id))) return refuse('run_line_unknown', { field: 'withdrawals' });
  // No signer verifies votes before a bank pays, so the checker must find a planted one before the file exists.
  return wanted.every((id) => cleared.has(id)) ? accept(null) : refuse('payments_unchecked');
}

export interface BankRunSigning {
  /** Null for an unknown run. */
  readonly step: string | null;
  readonly hasLapsed: boolean;
  readonly hasSigned: boolean;
  /** This person has examined a line of the run. */
  readonly hasExamined: boolean;
  /** The file of the lines as they are now has the hash of the run and of the person's console. */
  readonly isSameHash: boolean;
  readonly isHeld: boolean;
  /** The checker has scanned every line, and has no finding now. */
  readonly isCleared: boolean;
}
export type BankRunSigningRefusal =
  | 'run_unknown'
  | 'run_closed'
  | 'run_lapsed'
  | 'already_signed'
  | 'examined_by_you'
  | 'run_hash_differs'
  | 'after_restoration'
  | 'payments_unchecked';

/** Decides whether a person may sign a run. The signature itself is verified after this. */
export function decideBankRunSigning(asked: BankRunSigning): Decision<null, BankRunSigningRefusal> {
  if (asked.step === null) return refuse('run_unknown', { field: 'id' });
  if (asked.step !== 'open') return refuse('run_closed');
  if (asked.hasLapsed) return refuse('run_lapsed');
  if (asked.hasSigned) return refuse('already_signed');
  if (asked.hasExamined) return refuse('examined_by_you');
  if (!asked.isSameHash) return refuse('run_hash_differs', { field: 'hash' });
  if (asked.isHeld) return refuse('after_restoration');
  return asked.isCleared ? accept(null) : refuse('payments_unchecked');
}
