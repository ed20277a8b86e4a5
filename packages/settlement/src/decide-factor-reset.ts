import { accept, type Decision, refuse } from './decision.ts';

const DAY_MS = 24 * 3_600_000;
/** The published time between a request and the removal of the second factor, in which the owner can stop it. */
export const FACTOR_RESET_MS = 7 * DAY_MS;
/** The owner is notified again this long before the end. */
export const FACTOR_RESET_REMINDER_MS = DAY_MS;
/**
 * After one has ended, another cannot begin for this long: whoever has the password could otherwise ask without end.
 */
export const FACTOR_RESET_REST_MS = 7 * DAY_MS;
/** Without two people's approval a request lapses. */
export const FACTOR_RESET_LAPSE_MS = 30 * DAY_MS;
/** How many different people must agree. */
export const FACTOR_RESET_PEOPLE = 2;

export type FactorResetState = 'waiting' | 'stopped' | 'rejected' | 'done' | 'lapsed';

export interface FactorReset {
  readonly state: FactorResetState;
  readonly askedAt: Date;
  /** Operators who approved. One who is named twice counts once. */
  readonly approvedBy: readonly string[];
  /** The latest use of an authenticator, a passkey or a recovery code; null for never. */
  readonly factorUsedAt: Date | null;
  /** Staff have frozen the account's sign-in. */
  readonly isFrozen: boolean;
}

export type FactorResetRefusal =
  | 'reset_over'
  | 'factor_in_use'
  | 'account_frozen'
  | 'reset_too_early'
  | 'reset_not_approved';

/** Whether a customer's second factor may be removed now. `now` must be the database's time, which nobody here sets. */
export function decideFactorReset(reset: FactorReset, now: Date): Decision<null, FactorResetRefusal> {
  const { state, askedAt, approvedBy, factorUsedAt, isFrozen } = reset;
  if (state !== 'waiting') return refuse('reset_over');
  // Whoever used it has not lost it, so somebody else has asked.
  if (factorUsedAt !== null && factorUsedAt >= askedAt) return refuse('factor_in_use');
  if (isFrozen) return refuse('account_frozen');
  if (now.getTime() < askedAt.getTime() + FACTOR_RESET_MS) return refuse('reset_too_early');
  if (new Set(approvedBy).size < FACTOR_RESET_PEOPLE) return refuse('reset_not_approved');
  return accept(null);
}

export interface FactorResetRequest {
  readonly hasFactor: boolean;
  /** Staff have frozen the account's sign-in. */
  readonly isFrozen: boolean;
  /** When the latest request ended, however it ended; null if there was none. */
  readonly lastEndedAt: Date | null;
}

/** Whether a customer who has proved the login password may begin a reset. */
export function decideFactorResetRequest(
  { hasFactor, isFrozen, lastEndedAt }: FactorResetRequest,
  now: Date,
): Decision<null, 'second_factor_off' | 'account_frozen' | 'reset_rests'> {
  if (isFrozen) return refuse('account_frozen');
  if (!hasFactor) return refuse('second_factor_off');
  const until = lastEndedAt && new Date(lastEndedAt.getTime() + FACTOR_RESET_REST_MS);
  if (until && now < until) return refuse('reset_rests', { params: { until: until.toISOString() } });
  return accept(null);
}
