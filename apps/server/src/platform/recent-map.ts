/** Keeps the entries that were set last, at most `max` of them. */
export class RecentMap<Key, Value> {
  readonly #max: number;
  readonly #entries = new Map<Key, Value>();
  constructor(max: number) {
    this.#max = max;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#max) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}

/**
 * How many subjects with wrong tries a process remembers beside their rows. Whoever has the application's login can set
 * the rows back, but not this. Wrong tries for some thousand other subjects push one out.
 */
export const REMEMBERED_SUBJECTS = 10_000;
