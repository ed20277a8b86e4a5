/** Where a slot's whole numbers lie in `numbers`, from `slot * NUMBERS`. */
export const NUMBERS = 8;
export const ID = 0;
export const OWNER = 1;
export const QUANTITY = 2;
/** Counts up over the life of a book: who came first, across levels. */
export const ARRIVAL = 3;

/** Where its links lie in `links`, from `slot * LINKS`: the same 64 bytes, behind the four numbers. */
export const LINKS = 16;
export const LEVEL = 8;
export const NEXT = 9;
export const PREVIOUS = 10;
export const OWNER_NEXT = 11;
export const OWNER_PREVIOUS = 12;

const BYTES = 64;

/**
 * Every resting order as a slot of 64 bytes, a line of the processor's cache: with columns, to link an order touched nine
 * lines. A slot is in two lists at once: the queue of its level (next, previous; oldest first) and its owner's orders
 * (newest first). 0 ends a list; slot 0 is never used.
 *
 * A slot that is taken off keeps its fields until it is freed, so an undo can put it back between the same neighbours.
 */
export class OrderSlots {
  numbers: Float64Array;
  links: Int32Array;
  private capacity: number;
  private unused = 1;
  private free = 0;

  constructor(capacity = 1024) {
    const memory = new ArrayBuffer(capacity * BYTES);
    this.capacity = capacity;
    this.numbers = new Float64Array(memory);
    this.links = new Int32Array(memory);
  }

  /** May replace `numbers` and `links`: read them anew after it. */
  take(): number {
    const slot = this.free;
    if (slot !== 0) {
      this.free = this.links[slot * LINKS + NEXT] as number;
      return slot;
    }
    if (this.unused === this.capacity) this.grow();
    return this.unused++;
  }

  give(slot: number): void {
    this.links[slot * LINKS + NEXT] = this.free;
    this.free = slot;
  }

  private grow(): void {
    this.capacity *= 2;
    const memory = new ArrayBuffer(this.capacity * BYTES);
    const numbers = new Float64Array(memory);
    numbers.set(this.numbers);
    this.numbers = numbers;
    this.links = new Int32Array(memory);
  }
}
