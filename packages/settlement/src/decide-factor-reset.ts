import { accept, type Decision, refuse } from './decision.ts';

const DAY_MS = 24 * 3_600_000;
/** The published time between a request and the removal of the second factor, in which the owner can stop it. */
export const FACTOR_RESET_MS = 7 * DAY_MS;
/** The owner is notified again this long before the end. */
export const FACTOR_RESET_REMINDER_MS = DAY_MS;
/** A new request must wait this long after the last one. Otherwise a thief with the password could ask endlessly. */
export const FACTOR_RESET_REST_MS = 7 * DAY_MS;
/** A request without two people's approval lapses after this time. */
export const FACTOR_RESET_LAPSE_MS = 30 * DAY_MS;
/** This many different people must agree. */
export const FACTOR_RESET_PEOPLE = 2;

export type FactorResetState = 'waiting' | 'stopped' | 'rejected' | 'done' | 'lapsed';

export interface FactorReset {
  readonly state: FactorResetState;
  readonly askedAt: Date;
  /** The operators who approved. An operator listed twice counts once. */
  readonly approvedBy: readonly string[];
  /** The latest use of an authenticator, a passkey or a recovery code; null for never. */
  readonly factorUsedAt: Date | null;
  /** Staff have frozen the account's sign-in. */
  readonly isFrozen: boolean;
}

type FactorResetRefusal = 'reset_over' | 'factor_in_use' | 'account_frozen' | 'reset_too_early' | 'reset_not_approved';

/** Decides whether a customer's second factor may be removed now. `now` must be the database's time. */
export function decideFactorReset(reset: FactorReset, now: Date): Decision<null, FactorResetRefusal> {
  const { state, askedAt, approvedBy, factorUsedAt, isFrozen } = reset;
  if (state !== 'waiting') return refuse('reset_over');
  // A person who used the factor has not lost it, so somebody else has asked for the reset.
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

/** Decides whether a customer who has proved the login password may begin a reset. */
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
