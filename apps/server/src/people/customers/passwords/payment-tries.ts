import type { Decision } from '@sathorn/settlement';

/** Limits of the payment password: five wrong tries lock it for a day; a hundred in a row lock it until it is reset. */
export const PAYMENT_TRIES_MAX = 5;
const PAYMENT_TRIES_IN_ALL_MAX = 100;
const PAYMENT_LOCK_MS = 24 * 60 * 60 * 1_000;
const NEVER = new Date('9999-12-31T00:00:00Z');

export interface PaymentTries {
  readonly wrong: number;
  readonly wrongInAll: number;
  readonly lockedUntil: Date | null;
}

/** The stricter of what is stored and what this process remembers of the same password. */
export const stricterTries = (stored: PaymentTries, remembered: PaymentTries | undefined): PaymentTries =>
  remembered === undefined
    ? stored
    : {
        wrong: Math.max(stored.wrong, remembered.wrong),
        wrongInAll: Math.max(stored.wrongInAll, remembered.wrongInAll),
        lockedUntil:
          (stored.lockedUntil?.getTime() ?? 0) >= (remembered.lockedUntil?.getTime() ?? 0)
            ? stored.lockedUntil
            : remembered.lockedUntil,
      };

type JudgedTry = 'right' | 'wrong' | 'locked';

/**
 * Counts one try whose digits have been compared, while the credential is locked. During the lockout a right try gets
 * the same answer as a wrong one, so tries that were compared at the same time reveal at most five answers. A right try
 * resets the count.
 */
export function judgePaymentTry(
  tries: PaymentTries,
  isRight: boolean,
  now: Date,
): { readonly judged: JudgedTry; readonly tries: PaymentTries } {
  const { lockedUntil } = tries;
  if (lockedUntil !== null && lockedUntil > now) return { judged: 'locked', tries };
  if (isRight) return { judged: 'right', tries: { wrong: 0, wrongInAll: 0, lockedUntil: null } };
  const wrong = (lockedUntil === null ? tries.wrong : 0) + 1;
  const wrongInAll = tries.wrongInAll + 1;
  const isLast = wrong >= PAYMENT_TRIES_MAX;
  const dayLock = isLast ? new Date(now.getTime() + PAYMENT_LOCK_MS) : null;
  return {
    judged: 'wrong',
    tries: { wrong, wrongInAll, lockedUntil: wrongInAll >= PAYMENT_TRIES_IN_ALL_MAX ? NEVER : dayLock },
  };
}

export interface PaymentPasswords {
  /** Makes one try. Parallel tries are counted one by one; at most five wrong ones are answered per day. */
  check(customer: bigint, paypass: string, now: Date): Promise<Decision<null, 'paypass_wrong' | 'paypass_locked'>>;
}
