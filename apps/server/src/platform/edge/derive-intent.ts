import { hash } from 'node:crypto';
import { SECRET_FIELDS } from '@sathorn/api';
import type { ElapsedMs } from '../clock.ts';
import { type Intent, uuidOfName } from '../intent.ts';
import type { FormFields } from './parse-form.ts';

const KEY = /^[A-Za-z0-9_-]{8,64}$/;
/** Without a key, an identical request by the same customer within this time counts as a retry. */
const RETRY_WINDOW_MS = 10_000;

interface Start {
  readonly atMs: number;
  /** The clock's ten-second interval, in ms. All processes derive the same id from it. */
  readonly clockMs: number;
}

/**
 * Remembers when each request without a key first arrived. Its ten seconds start then and not at a clock boundary:
 * otherwise a retry one second later could become a second purchase. Another process knows only the clock boundary.
 */
export class RetryWindows {
  readonly #elapsedMs: ElapsedMs;
  #starts = new Map<string, Start>();
  #startsBefore = new Map<string, Start>();
  #turnedMs = Number.NEGATIVE_INFINITY;

  constructor(elapsedMs: ElapsedMs) {
    this.#elapsedMs = elapsedMs;
  }

  /** `request` identifies the caller and the content. */
  startOf(request: string, now: Date): number {
    const atMs = this.#elapsedMs();
    if (atMs - this.#turnedMs >= RETRY_WINDOW_MS) {
      this.#startsBefore = this.#starts;
      this.#starts = new Map();
      this.#turnedMs = atMs;
    }
    const known = this.#starts.get(request) ?? this.#startsBefore.get(request);
    // Uses elapsed time: with the clock's time, setting the clock would turn a retry into a second purchase.
    if (known !== undefined && atMs - known.atMs < RETRY_WINDOW_MS) return known.clockMs;
    this.#starts.set(request, { atMs, clockMs: now.getTime() });
    return now.getTime();
  }
}

export function isIdempotencyKey(text: string): boolean {
  return KEY.test(text);
}

/** The canonical text of a request: the call's known fields without secrets, in the order of `names`. */
function canonical(names: readonly string[], fields: FormFields): string {
  const shown = names.filter((name) => name in fields && !SECRET_FIELDS.has(name));
  return JSON.stringify(shown.map((name) => [name, fields[name]]));
}

/**
 * The id and digest of a request. `customer` is 0 for a visitor. The id includes customer and route, so keys of
 * different customers never collide.
 */
export function deriveIntent(
  customer: bigint,
  route: string,
  names: readonly string[],
  fields: FormFields,
  key: string | null,
  now: Date,
  windows: RetryWindows,
): Intent {
  const digest = hash('sha256', `${route}\n${canonical(names, fields)}`, 'hex');
  // A caller's key cannot contain a dot, so it never equals a derived one.
  const name =
    key ?? `derived.${digest}.${Math.floor(windows.startOf(`${customer} ${digest}`, now) / RETRY_WINDOW_MS)}`;
  return { id: uuidOfName(`${customer}\n${route}\n${name}`), digest };
}
