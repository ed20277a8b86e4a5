const WINDOW_MS = 3_600_000;
/** A customer with this many void options within an hour may have caused them. */
const MANY = 5;

/** Counts void options per customer over the last hour, and reports customers with many once per hour. Times in ms. */
export class VoidWatch {
  readonly #onMany: (customer: bigint, voids: number) => void;
  readonly #times = new Map<bigint, number[]>();
  readonly #reportedAt = new Map<bigint, number>();

  constructor(onMany: (customer: bigint, voids: number) => void) {
    this.#onMany = onMany;
  }

  add(customer: bigint, nowMs: number): void {
    const times = [...(this.#times.get(customer) ?? []).filter((at) => nowMs - at < WINDOW_MS), nowMs];
    this.#times.set(customer, times);
    if (times.length < MANY || nowMs - (this.#reportedAt.get(customer) ?? Number.NEGATIVE_INFINITY) < WINDOW_MS) return;
    this.#reportedAt.set(customer, nowMs);
    this.#onMany(customer, times.length);
  }

  /** Forgets customers without a void option in the last hour. */
  sweep(nowMs: number): void {
    for (const [customer, times] of this.#times) {
      if (nowMs - (times.at(-1) ?? 0) < WINDOW_MS) continue;
      this.#times.delete(customer);
      this.#reportedAt.delete(customer);
    }
  }
}
