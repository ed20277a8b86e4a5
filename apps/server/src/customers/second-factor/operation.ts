/**
 * What a second factor vouches for. `subject` says exactly what was shown: for a withdrawal its quote, for a payee its
 * address or account. A proof for one operation is worth nothing for another.
 */
export interface Operation {
  readonly kind: 'withdrawal' | 'payee';
  readonly subject: string;
}

export type StepUpRefusal = 'second_factor_required' | 'second_factor_wrong' | 'second_factor_delayed';

/** Withdrawals wait so long after a change of a password, a contact or a second factor. Nobody can shorten it. */
export const CREDENTIALS_WAIT_MS = 24 * 60 * 60 * 1_000;
