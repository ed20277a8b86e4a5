import { isDue, type TriggerTick } from '@sathorn/settlement';
import type { WaitingRow } from './waiting-order.ts';

/**
 * The waiting orders of one coin. A batch's changes overlay the committed rows until `commit` or `rollback`, as in the
 * book.
 */
export class WaitingOrders {
  #live = new Map<number, WaitingRow>();
  readonly #changed = new Map<number, WaitingRow>();
  readonly #added = new Set<number>();
  /** Waiting orders by the resting order that they are paired with. */
  readonly #pairs = new Map<number, number>();
  /** The numbers of each customer's orders, in order of acceptance, so that placing one does not walk over all. */
  readonly #ofCustomer = new Map<bigint, Set<number>>();
  /** The rows in order of acceptance that were due at a tick when it was first asked for, and how many are done. */
  #due: { tick: bigint; rows: readonly number[]; done: number } | null = null;

  restore(rows: readonly WaitingRow[]): void {
    this.#live = new Map(rows.map((row) => [row.sequence, row]));
    this.#pairs.clear();
    this.#ofCustomer.clear();
    for (const row of rows) this.#index(row);
    this.#clear();
  }

  /** Undefined if the order no longer waits. */
  find(sequence: number): WaitingRow | undefined {
    const row = this.#changed.get(sequence) ?? this.#live.get(sequence);
    return row?.state === 'waiting' ? row : undefined;
  }

  /** The owner of an order that ended in this batch. */
  ownerOfEnded(sequence: number): bigint | undefined {
    const row = this.#changed.get(sequence);
    return row === undefined || row.state === 'waiting' ? undefined : row.customer;
  }

  /** All that wait, in order of acceptance. */
  *all(): Generator<WaitingRow> {
    for (const { sequence } of this.#live.values()) {
      const row = this.find(sequence);
      if (row !== undefined) yield row;
    }
    for (const sequence of this.#added) {
      const row = this.find(sequence);
      if (row !== undefined) yield row;
    }
  }

  /** The order that waits beside a resting one; undefined if none does. */
  pairOf(resting: number): WaitingRow | undefined {
    const sequence = this.#pairs.get(resting);
    const row = sequence === undefined ? undefined : this.find(sequence);
    // After a rollback another order may have the number.
    return row?.pair === resting ? row : undefined;
  }

  ofCustomer(customer: bigint): WaitingRow[] {
    const rows = [...(this.#ofCustomer.get(customer) ?? [])].flatMap((sequence) => {
      const row = this.find(sequence);
      // After a rollback another customer's order may have the number.
      return row?.customer === customer ? row : [];
    });
    return rows.sort((a, b) => a.sequence - b.sequence);
  }

  get isEmpty(): boolean {
    return this.#live.size === 0 && this.#added.size === 0;
  }

  /** The first accepted of the orders that this tick triggers; undefined if there is none. */
  nextDue(tick: TriggerTick): WaitingRow | undefined {
    if (this.#due?.tick !== tick.sequence) {
      const rows = [...this.all()].filter((row) => isDue(row, tick)).map(({ sequence }) => sequence);
      this.#due = { tick: tick.sequence, rows, done: 0 };
    }
    const due = this.#due;
    for (; due.done < due.rows.length; due.done++) {
      const row = this.find(due.rows[due.done] as number);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  /** How many orders this tick triggers. */
  countDue(tick: TriggerTick): number {
    let count = 0;
    for (const row of this.all()) if (isDue(row, tick)) count += 1;
    return count;
  }

  add(row: WaitingRow): void {
    this.#changed.set(row.sequence, row);
    this.#added.add(row.sequence);
    this.#index(row);
  }

  /** Returns the row in the state that this batch may change. */
  change(sequence: number): WaitingRow {
    const row = this.find(sequence);
    if (row === undefined) throw new Error(`order ${sequence} does not wait`);
    if (this.#changed.has(sequence)) return row;
    const copy = { ...row };
    this.#changed.set(sequence, copy);
    return copy;
  }

  changes(): { readonly inserted: readonly WaitingRow[]; readonly updated: readonly WaitingRow[] } {
    const rows = [...this.#changed.values()];
    return {
      inserted: rows.filter(({ sequence }) => this.#added.has(sequence)),
      updated: rows.filter(({ sequence }) => !this.#added.has(sequence)),
    };
  }

  /** Calls `ended` with each order that no longer waits. */
  commit(ended: (row: WaitingRow) => void): void {
    for (const [sequence, row] of this.#changed) {
      if (row.state === 'waiting') this.#live.set(sequence, row);
      else {
        this.#live.delete(sequence);
        this.#unindex(row);
        ended(row);
      }
    }
    this.#changed.clear();
    this.#added.clear();
  }

  rollback(): void {
    this.#clear();
  }

  #index({ sequence, customer, pair }: WaitingRow): void {
    if (pair !== null) this.#pairs.set(pair, sequence);
    const own = this.#ofCustomer.get(customer);
    if (own === undefined) this.#ofCustomer.set(customer, new Set([sequence]));
    else own.add(sequence);
  }

  #unindex({ sequence, customer, pair }: WaitingRow): void {
    if (pair !== null && this.#pairs.get(pair) === sequence) this.#pairs.delete(pair);
    const own = this.#ofCustomer.get(customer);
    own?.delete(sequence);
    if (own?.size === 0) this.#ofCustomer.delete(customer);
  }

  #clear(): void {
    this.#changed.clear();
    this.#added.clear();
    // Orders that were done may wait again.
    this.#due = null;
  }
}
