import type { ElapsedMs } from '../clock.ts';
import type { LimitedNetwork } from './networks.ts';

/** The parameters of a token bucket. */
export interface RateLimit {
  readonly perSecond: number;
  /** How much a caller may take at once after a pause. */
  readonly burst: number;
}

/** Limits the memory that a flood from forged addresses can fill. */
const CALLERS_MAX = 200_000;
const ROUNDING_MS = 1e-6;

/**
 * Charges a bucket, which is stored as the time at which it will be full. Returns the new time. If the bucket has too
 * little, returns the time unchanged, and the wait.
 */
export function takeFromBucket(
  fullAtMs: number,
  cost: number,
  { perSecond, burst }: RateLimit,
  nowMs: number,
): { readonly fullAtMs: number; readonly retryAfterMs: number } {
  const takenMs = Math.max(0, fullAtMs - nowMs);
  const roomMs = ((burst - Math.min(cost, burst)) * 1_000) / perSecond;
  const retryAfterMs = takenMs - roomMs > ROUNDING_MS ? Math.ceil(takenMs - roomMs) : 0;
  return { fullAtMs: retryAfterMs > 0 ? fullAtMs : nowMs + takenMs + (cost * 1_000) / perSecond, retryAfterMs };
}

/**
 * One token bucket per caller or network, stored as the time at which it will be full again. A request is charged to
 * all of its networks, or to none if one of them lacks the tokens.
 */
export class TokenBuckets {
  readonly #limit: RateLimit;
  readonly #elapsedMs: ElapsedMs;
  readonly #fullAtMs = new Map<string, number>();
  readonly #one: [{ name: string; share: number }] = [{ name: '', share: 1 }];

  constructor(limit: RateLimit, elapsedMs: ElapsedMs) {
    this.#limit = limit;
    this.#elapsedMs = elapsedMs;
  }

  /**
   * Takes the cost. Returns 0 if the limit allows it, otherwise the ms until it does. A cost above the burst is taken
   * from a full bucket.
   */
  take(callers: string | readonly LimitedNetwork[], cost = 1): number {
    const networks = typeof callers === 'string' ? this.#named(callers) : callers;
    const nowMs = this.#elapsedMs();
    const retryAfterMs = this.#retryAfterMs(networks, cost, nowMs);
    if (retryAfterMs > 0) return retryAfterMs;
    if (this.#fullAtMs.size >= CALLERS_MAX) this.#forgetFull(nowMs);
    for (const { name, share } of networks)
      this.#fullAtMs.set(name, takeFromBucket(this.#fullAtOf(name), cost / share, this.#limit, nowMs).fullAtMs);
    return 0;
  }

  /** Returns what `take` would return, without taking anything. */
  retryAfterMs(networks: readonly LimitedNetwork[], cost = 1): number {
    return this.#retryAfterMs(networks, cost, this.#elapsedMs());
  }

  /** In how many ms the caller's bucket is full again. */
  fullInMs(caller: string): number {
    return Math.max(0, this.#fullAtOf(caller) - this.#elapsedMs());
  }

  #retryAfterMs(networks: readonly LimitedNetwork[], cost: number, nowMs: number): number {
    let retryAfterMs = 0;
    for (const { name, share } of networks)
      retryAfterMs = Math.max(
        retryAfterMs,
        takeFromBucket(this.#fullAtOf(name), cost / share, this.#limit, nowMs).retryAfterMs,
      );
    return retryAfterMs;
  }

  #fullAtOf(name: string): number {
    return this.#fullAtMs.get(name) ?? 0;
  }

  #named(name: string): readonly LimitedNetwork[] {
    this.#one[0].name = name;
    return this.#one;
  }

  #forgetFull(now: number): void {
    for (const [name, fullAtMs] of this.#fullAtMs) if (fullAtMs <= now) this.#fullAtMs.delete(name);
    if (this.#fullAtMs.size >= CALLERS_MAX) this.#fullAtMs.clear();
  }
}
