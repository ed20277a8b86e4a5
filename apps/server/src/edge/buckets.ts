import type { Elapsed } from '../clock.ts';
import type { Network } from './networks.ts';

export interface Rate {
  readonly perSecond: number;
  /** The most that a caller may take at once after a quiet time. */
  readonly burst: number;
}

/** A flood from invented addresses must not fill the memory. */
const CALLERS_MAX = 200_000;
const ROUNDING_MS = 1e-6;

/**
 * A bucket is the moment at which it is full again. Gives that moment after the cost is taken, or how long the cost has
 * to wait.
 */
export function takeFrom(
  fullAtMs: number,
  cost: number,
  { perSecond, burst }: Rate,
  nowMs: number,
): { readonly fullAtMs: number; readonly waitMs: number } {
  const takenMs = Math.max(0, fullAtMs - nowMs);
  const roomMs = ((burst - Math.min(cost, burst)) * 1_000) / perSecond;
  const waitMs = takenMs - roomMs > ROUNDING_MS ? Math.ceil(takenMs - roomMs) : 0;
  return { fullAtMs: waitMs > 0 ? fullAtMs : nowMs + takenMs + (cost * 1_000) / perSecond, waitMs };
}

/**
 * A token bucket per caller, kept as one number: the moment at which its bucket is full again. A request takes its cost
 * from all networks that it is counted by, or from none.
 */
export class Buckets {
  readonly #rate: Rate;
  readonly #elapsedMs: Elapsed;
  readonly #fullAtMs = new Map<string, number>();
  readonly #one: [{ name: string; share: number }] = [{ name: '', share: 1 }];

  constructor(rate: Rate, elapsedMs: Elapsed) {
    this.#rate = rate;
    this.#elapsedMs = elapsedMs;
  }

  /**
   * Takes the cost: 0 when it was there, otherwise the ms until it is. A cost above the burst is taken from a full
   * bucket.
   */
  take(callers: string | readonly Network[], cost = 1): number {
    const networks = typeof callers === 'string' ? this.#named(callers) : callers;
    const nowMs = this.#elapsedMs();
    const waitMs = this.#waitOf(networks, cost, nowMs);
    if (waitMs > 0) return waitMs;
    if (this.#fullAtMs.size >= CALLERS_MAX) this.#forgetFull(nowMs);
    for (const { name, share } of networks)
      this.#fullAtMs.set(name, takeFrom(this.#fullAtOf(name), cost / share, this.#rate, nowMs).fullAtMs);
    return 0;
  }

  /** Returns what `take` would return, without taking anything. */
  waitOf(networks: readonly Network[], cost = 1): number {
    return this.#waitOf(networks, cost, this.#elapsedMs());
  }

  #waitOf(networks: readonly Network[], cost: number, nowMs: number): number {
    let waitMs = 0;
    for (const { name, share } of networks)
      waitMs = Math.max(waitMs, takeFrom(this.#fullAtOf(name), cost / share, this.#rate, nowMs).waitMs);
    return waitMs;
  }

  #fullAtOf(name: string): number {
    return this.#fullAtMs.get(name) ?? 0;
  }

  #named(name: string): readonly Network[] {
    this.#one[0].name = name;
    return this.#one;
  }

  #forgetFull(now: number): void {
    for (const [name, fullAtMs] of this.#fullAtMs) if (fullAtMs <= now) this.#fullAtMs.delete(name);
    if (this.#fullAtMs.size >= CALLERS_MAX) this.#fullAtMs.clear();
  }
}
