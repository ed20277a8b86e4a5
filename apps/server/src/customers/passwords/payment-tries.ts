import { accept, type Decision, refuse } from '@sathorn/settlement';

/** The payment password's own limiter: five wrong ones lock it for a day, a hundred in a row until it is set again. */
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
 * Every try is counted as wrong before it is looked at, so that parallel tries can't share one; a right one clears the
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
