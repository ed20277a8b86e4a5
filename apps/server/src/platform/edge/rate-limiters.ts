import type { ElapsedMs } from '../clock.ts';
import type { EdgeLimits } from './limits.ts';
import type { LimitedNetwork } from './networks.ts';
import { TokenBuckets } from './token-buckets.ts';

/** A caller may not spend a whole minute's calls at once, because we would have to do a minute's work at once. */
const BURST_SHARE = 10;
/** An app that starts, or 52 pictures sent together, are not an attack. */
const BURST_MIN = 100;

/** Limits calls per minute of each caller. */
export class RateLimiter {
  readonly #buckets: TokenBuckets;

  constructor(perMinute: number, elapsedMs: ElapsedMs) {
    const burst = Math.max(Math.min(perMinute, BURST_MIN), perMinute / BURST_SHARE);
    this.#buckets = new TokenBuckets({ perSecond: perMinute / 60, burst }, elapsedMs);
  }

  /** Takes one call. Returns 0 if the limit allows it, otherwise the seconds until it will. */
  take(callers: string | readonly LimitedNetwork[]): number {
    return Math.ceil(this.#buckets.take(callers) / 1_000);
  }
}

export interface RateLimiters {
  readonly address: RateLimiter;
  readonly signIn: RateLimiter;
  /** The key is the session that was found and not the token, so that invented tokens get no extra limit. */
  readonly session: RateLimiter;
  readonly operator: RateLimiter;
  readonly operatorSignIn: RateLimiter;
  /** The key is the customer, so that a hundred sessions share one limit. */
  readonly money: RateLimiter;
  readonly upload: RateLimiter;
  /** Rows of public reads, because a read's cost grows with its rows and not with the number of calls. */
  readonly rows: TokenBuckets;
}

export function openRateLimiters(limits: EdgeLimits, elapsedMs: ElapsedMs): RateLimiters {
  return {
    address: new RateLimiter(limits.requestsPerAddress, elapsedMs),
    signIn: new RateLimiter(limits.signInsPerAddress, elapsedMs),
    session: new RateLimiter(limits.requestsPerSession, elapsedMs),
    operator: new RateLimiter(limits.requestsPerOperator, elapsedMs),
    operatorSignIn: new RateLimiter(limits.operatorSignInsPerAddress, elapsedMs),
    money: new RateLimiter(limits.moneyCallsPerCustomer, elapsedMs),
    upload: new RateLimiter(limits.uploadsPerCustomer, elapsedMs),
    rows: new TokenBuckets({ perSecond: limits.rowsPerSecond, burst: limits.rowsAtOnce }, elapsedMs),
  };
}
