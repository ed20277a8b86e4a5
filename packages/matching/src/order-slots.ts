/**
 * Every resting order as a slot in columns. A slot is in two lists at once: the queue of its level (`next`, `previous`,
 * oldest first) and its owner's orders (`ownerNext`, `ownerPrevious`, newest first). 0 ends a list; slot 0 is never used.
 *
 * A slot that is taken off keeps its fields until it is freed, so an undo can put it back between the same neighbours.
 */
export class OrderSlots {
  id!: Float64Array;
  owner!: Float64Array;
  quantity!: Float64Array;
  /** Counts up over the life of a book: who came first, across levels. */
  arrival!: Float64Array;
  level!: Int32Array;
  next!: Int32Array;
  previous!: Int32Array;
  ownerNext!: Int32Array;
  ownerPrevious!: Int32Array;
  private unused = 1;
  private free = 0;

  constructor(capacity = 1024) {
    this.resize(capacity);
  }

  /** May replace the columns: read them anew after it. */
  take(): number {
    const slot = this.free;
    if (slot !== 0) {
      this.free = this.next[slot] as number;
      return slot;
    }
    if (this.unused === this.id.length) this.resize(this.id.length * 2);
    return this.unused++;
  }

  give(slot: number): void {
    this.next[slot] = this.free;
    this.free = slot;
  }

  private resize(capacity: number): void {
    this.id = longer(Float64Array, this.id, capacity);
    this.owner = longer(Float64Array, this.owner, capacity);
    this.quantity = longer(Float64Array, this.quantity, capacity);
    this.arrival = longer(Float64Array, this.arrival, capacity);
    this.level = longer(Int32Array, this.level, capacity);
    this.next = longer(Int32Array, this.next, capacity);
    this.previous = longer(Int32Array, this.previous, capacity);
    this.ownerNext = longer(Int32Array, this.ownerNext, capacity);
    this.ownerPrevious = longer(Int32Array, this.ownerPrevious, capacity);
  }
}

interface Column {
  set(values: ArrayLike<number>): void;
}

/** The column with more room, what it held in front. */
export function longer<C extends Column & ArrayLike<number>>(
  Kind: new (capacity: number) => C,
  column: C | undefined,
  capacity: number,
): C {
  const wider = new Kind(capacity);
  if (column) wider.set(column);
  return wider;
}
