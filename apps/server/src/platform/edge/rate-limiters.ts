import type { ElapsedMs } from '../clock.ts';
import type { EdgeLimits } from './limits.ts';
import type { LimitedNetwork } from './networks.ts';
import { TokenBuckets } from './token-buckets.ts';

/** A caller may not spend a whole minute's calls at once, because we would have to do a minute's work at once. */
const BURST_SHARE = 10;
/** An app that starts, or 52 pictures sent together, are not an attack. */
const BURST_MIN = 100;

/** A limit and what a caller has left of it, as the headers RateLimit-Policy and RateLimit say it. */
export interface LimitState {
  /** Calls that may be made at once after a pause, and the seconds of that pause. */
  readonly quota: number;
  readonly windowSeconds: number;
  readonly left: number;
  /** Until all of the quota is left again. */
  readonly resetSeconds: number;
}

/** Limits calls per minute of each caller. */
export class RateLimiter {
  readonly #buckets: TokenBuckets;
  readonly #perSecond: number;
  readonly #burst: number;

  constructor(perMinute: number, elapsedMs: ElapsedMs) {
    this.#burst = Math.max(Math.min(perMinute, BURST_MIN), perMinute / BURST_SHARE);
    this.#perSecond = perMinute / 60;
    this.#buckets = new TokenBuckets({ perSecond: this.#perSecond, burst: this.#burst }, elapsedMs);
  }

  /** Takes one call. Returns 0 if the limit allows it, otherwise the seconds until it will. */
  take(callers: string | readonly LimitedNetwork[]): number {
    return Math.ceil(this.#buckets.take(callers) / 1_000);
  }

  stateOf(caller: string): LimitState {
    const takenSeconds = this.#buckets.fullInMs(caller) / 1_000;
    return {
      quota: Math.floor(this.#burst),
      windowSeconds: Math.ceil(this.#burst / this.#perSecond),
      // A charge that is given back within a rounding error is given back.
      left: Math.max(0, Math.floor(this.#burst - takenSeconds * this.#perSecond + 1e-6)),
      resetSeconds: Math.ceil(takenSeconds),
    };
  }
}

/** The headers of the current draft (draft-ietf-httpapi-ratelimit-headers), a member for each limit. */
export function rateLimitHeaders(limits: Readonly<Record<string, LimitState>>): Record<string, string> {
  const write = (item: (state: LimitState) => string): string =>
    Object.entries(limits)
      .map(([name, state]) => `"${name}";${item(state)}`)
      .join(', ');
  return {
    'ratelimit-policy': write(({ quota, windowSeconds }) => `q=${quota};w=${windowSeconds}`),
    ratelimit: write(({ left, resetSeconds }) => `r=${left};t=${resetSeconds}`),
  };
}

export interface RateLimiters {
  readonly address: RateLimiter;
  readonly signIn: RateLimiter;
  /** The key is the session that was found and not the token, so that invented tokens get no extra limit. */
  readonly session: RateLimiter;
  /** Charged once the signature is verified, so that only the key's holder can use it up. */
  readonly apiKey: RateLimiter;
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
    apiKey: new RateLimiter(limits.requestsPerKey, elapsedMs),
    operator: new RateLimiter(limits.requestsPerOperator, elapsedMs),
    operatorSignIn: new RateLimiter(limits.operatorSignInsPerAddress, elapsedMs),
    money: new RateLimiter(limits.moneyCallsPerCustomer, elapsedMs),
    upload: new RateLimiter(limits.uploadsPerCustomer, elapsedMs),
    rows: new TokenBuckets({ perSecond: limits.rowsPerSecond, burst: limits.rowsAtOnce }, elapsedMs),
  };
}
