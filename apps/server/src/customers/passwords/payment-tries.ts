import { accept, type Decision, refuse } from '@sathorn/settlement';

/** Limits of the payment password: five wrong tries lock it for a day, a hundred in a row until it is reset. */
export const PAYMENT_TRIES_MAX = 5;
export const PAYMENT_TRIES_IN_ALL_MAX = 100;
export const PAYMENT_LOCK_MS = 24 * 60 * 60 * 1_000;
const NEVER = new Date('9999-12-31T00:00:00Z');

export interface PaymentTries {
  readonly wrong: number;
  readonly wrongInAll: number;
  readonly lockedUntil: Date | null;
}

/**
 * Counts each try as wrong before it is checked, so that parallel tries cannot share one. A correct one resets the
 * count.
 */
export function chargePaymentTry(tries: PaymentTries, now: Date): Decision<PaymentTries, 'paypass_locked'> {
  const { lockedUntil } = tries;
  if (lockedUntil !== null && lockedUntil > now)
    return refuse('paypass_locked', { params: { until: lockedUntil.toISOString() } });
  const wrong = (lockedUntil === null ? tries.wrong : 0) + 1;
  const wrongInAll = tries.wrongInAll + 1;
  if (wrongInAll >= PAYMENT_TRIES_IN_ALL_MAX) return accept({ wrong, wrongInAll, lockedUntil: NEVER });
  const isLast = wrong >= PAYMENT_TRIES_MAX;
  return accept({ wrong, wrongInAll, lockedUntil: isLast ? new Date(now.getTime() + PAYMENT_LOCK_MS) : null });
}
