import { hash } from 'node:crypto';
import type { Elapsed } from '../clock.ts';
import { type Intent, uuidOfName } from '../intent.ts';
import type { Fields } from './parse-form.ts';

const KEY = /^[A-Za-z0-9_-]{8,64}$/;
/** Without a key, the same request of the same customer within this time is taken for a retry. */
export const DERIVED_WINDOW_MS = 10_000;

interface Start {
  readonly atMs: number;
  /** What the id is made of: the clock is what nodes have in common. */
  readonly clockMs: number;
}

/**
 * When each request without a key first came: its ten seconds begin then, not with the clock's, or a retry a second later
 * could be a second purchase. Another node knows only the clock's ten seconds.
 */
export class RetryWindows {
  readonly #elapsedMs: Elapsed;
  #starts = new Map<string, Start>();
  #startsBefore = new Map<string, Start>();
  #turnedMs = Number.NEGATIVE_INFINITY;

  constructor(elapsedMs: Elapsed) {
    this.#elapsedMs = elapsedMs;
  }

  /** `request` says who asks for what. */
  startOf(request: string, now: Date): number {
    const atMs = this.#elapsedMs();
    if (atMs - this.#turnedMs >= DERIVED_WINDOW_MS) {
      this.#startsBefore = this.#starts;
      this.#starts = new Map();
      this.#turnedMs = atMs;
    }
    const known = this.#starts.get(request) ?? this.#startsBefore.get(request);
    // Its age is not the clock's to say: one that steps would make a retry a second purchase.
    if (known !== undefined && atMs - known.atMs < DERIVED_WINDOW_MS) return known.clockMs;
    this.#starts.set(request, { atMs, clockMs: now.getTime() });
    return now.getTime();
  }
}

export function isIdempotencyKey(text: string): boolean {
  return KEY.test(text);
}

/** One text for one content: the fields that the call knows, by name, in the order of `names`. */
function canonical(names: readonly string[], fields: Fields): string {
  return JSON.stringify(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}

/**
 * Who asked (`customer`, 0 for nobody), for what (`route`, the fields), under which id. The id is bound to customer and route, so a
 * key of one customer can never meet that of another.
 */
export function deriveIntent(
  customer: bigint,
  route: string,
  names: readonly string[],
  fields: Fields,
  key: string | null,
  now: Date,
  windows: RetryWindows,
): Intent {
  const digest = hash('sha256', `${route}\n${canonical(names, fields)}`, 'hex');
  // A key of the caller's has no dot, so a derived one can't be forged or hit by chance.
  const name =
    key ?? `derived.${digest}.${Math.floor(windows.startOf(`${customer} ${digest}`, now) / DERIVED_WINDOW_MS)}`;
  return { id: uuidOfName(`${customer}\n${route}\n${name}`), digest };
}
