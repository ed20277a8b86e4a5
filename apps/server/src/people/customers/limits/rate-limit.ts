/** The tries counted for one subject. Pure: state and time come in, the new state or the wait comes out. */
export interface LimitState {
  readonly count: number;
  /** When the first counted try was made; `at` is the latest one. */
  readonly since: Date;
  readonly at: Date;
  readonly blockedUntil: Date | null;
}

/** At most `max` tries in a fixed window, which starts with the first try. */
export interface WindowLimit {
  readonly kind: 'window';
  readonly max: number;
  readonly windowMs: number;
  /** This limit counts guesses, so the process remembers its state beside the row. A backoff always counts guesses. */
  readonly isOfGuesses?: true;
}

export type RateLimit =
  /** After `free` tries each one doubles the wait. Resets after `forgetMs` without a try. */
  | {
      readonly kind: 'backoff';
      readonly free: number;
      readonly firstMs: number;
      readonly maxMs: number;
      readonly forgetMs: number;
    }
  | WindowLimit;

const isExpired = (state: LimitState, limit: RateLimit, now: Date): boolean =>
  limit.kind === 'window'
    ? now.getTime() - state.since.getTime() >= limit.windowMs
    : now.getTime() - state.at.getTime() >= limit.forgetMs && (state.blockedUntil?.getTime() ?? 0) <= now.getTime();

/** Whoever can set a stored state back must not get more guesses by it. */
export const isOfGuesses = (limit: RateLimit): boolean => limit.kind === 'backoff' || limit.isOfGuesses === true;

/** Milliseconds until the next try is allowed; 0 if it is allowed now. */
export function retryAfterMs(state: LimitState | null, limit: RateLimit, now: Date): number {
  if (state === null || isExpired(state, limit, now)) return 0;
  if (limit.kind === 'backoff') return Math.max(0, (state.blockedUntil?.getTime() ?? 0) - now.getTime());
  return state.count < limit.max ? 0 : state.since.getTime() + limit.windowMs - now.getTime();
}

/** The stricter of a stored and a remembered state. */
export function stricterLimitState(
  stored: LimitState | null,
  remembered: LimitState | null,
  limit: RateLimit,
  now: Date,
): LimitState | null {
  if (remembered === null || isExpired(remembered, limit, now)) return stored;
  if (stored === null || isExpired(stored, limit, now)) return remembered;
  const longer = retryAfterMs(remembered, limit, now) - retryAfterMs(stored, limit, now);
  return longer > 0 || (longer === 0 && remembered.count > stored.count) ? remembered : stored;
}

/** The state after one more try. Call `retryAfterMs` first. */
export function limitStateAfterTry(state: LimitState | null, limit: RateLimit, now: Date): LimitState {
  const known = state === null || isExpired(state, limit, now) ? null : state;
  const count = (known?.count ?? 0) + 1;
  const since = known?.since ?? now;
  if (limit.kind === 'window') return { count, since, at: now, blockedUntil: null };
  // Caps the exponent: beyond 2^20 the delay has long reached its maximum.
  const delayMs = count < limit.free ? 0 : Math.min(limit.firstMs * 2 ** Math.min(count - limit.free, 20), limit.maxMs);
  return { count, since, at: now, blockedUntil: delayMs === 0 ? null : new Date(now.getTime() + delayMs) };
}
