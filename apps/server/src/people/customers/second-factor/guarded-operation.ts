import type { GuardedChange } from '@sathorn/api';

/**
 * The act that a second factor confirms. `subject` identifies exactly what was shown: a withdrawal's quote, a payee's
 * address or account, the deposit and the wallet to which it returns, or the change of a factor, password or contact. A
 * proof for one subject is invalid for any other.
 */
export interface GuardedOperation {
  readonly kind: 'withdrawal' | 'payee' | 'return' | GuardedChange;
  readonly subject: string;
}

export type StepUpRefusal = 'second_factor_required' | 'second_factor_wrong' | 'second_factor_delayed';

/**
 * How long withdrawals are delayed after a change of a password, a contact or a second factor. Nobody can shorten it.
 */
export const CREDENTIALS_WAIT_MS = 24 * 60 * 60 * 1_000;
