/** Where a slot's whole numbers lie in `numbers`, from `slot * NUMBERS`. */
export const NUMBERS = 8;
/** Of an order. */
export const ID = 0;
/** Of an order and an owner. */
export const OWNER = 1;
/** Of an order what is left of it, of a level the sum over its queue. */
export const QUANTITY = 2;
/** Of an order. Counts up over the life of a book: who came first, across levels. */
export const ARRIVAL = 3;
/** Of a level. */
export const PRICE = 0;

/** Where its links lie in `links`, from `slot * LINKS`: the same 64 bytes, behind the four numbers. */
export const LINKS = 16;
/** Of an order: its level's slot. */
export const LEVEL = 8;
/** Of a level: 0 buys, 1 sells; and the length of its queue. */
export const SIDE = 8;
export const ORDERS = 9;

/** Through a level and its orders, oldest first. */
export const QUEUE = 10;
/** Through an owner and their orders, oldest first. */
export const OWN = 12;
export type Ring = typeof QUEUE | typeof OWN;

/** Of a ring, from `slot * LINKS + ring`. */
export const NEXT = 0;
const PREVIOUS = 1;

/** Through the slots that nobody has. */
const FREE = 14;

const BYTES = 64;

/**
 * Orders, the levels they rest at and their owners, each a slot of 64 bytes, a line of the processor's cache: with
 * columns, to link an order touched nine lines. Slot 0 is never used.
 *
 * An order is in two rings at once: behind its level, and behind its owner. A ring goes through its head, so who joins
 * or leaves has two neighbours always, and nothing has to be asked: a processor guesses wrong every second time who is
 * first or last in a queue. Who leaves keeps its fields until the slot is taken again, so an undo can put it back
 * between the same neighbours.
 */
export class Slots {
  numbers: Float64Array;
  links: Int32Array;
  private capacity: number;
  private unused = 1;
  private free = 0;
  /** The newest and the oldest of those that were dropped. */
  private dropped = 0;
  private firstDropped = 0;

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
      this.free = this.links[slot * LINKS + FREE] as number;
      return slot;
    }
    if (this.unused === this.capacity) this.grow();
    return this.unused++;
  }

  give(slot: number): void {
    this.links[slot * LINKS + FREE] = this.free;
    this.free = slot;
  }

  /** Gives it once there is no way back: until then it keeps its fields. */
  drop(slot: number): void {
    if (this.dropped === 0) this.firstDropped = slot;
    this.links[slot * LINKS + FREE] = this.dropped;
    this.dropped = slot;
  }

  /** Takes back the newest that was dropped. */
  undrop(): void {
    this.dropped = this.links[this.dropped * LINKS + FREE] as number;
  }

  giveDropped(): void {
    if (this.dropped === 0) return;
    this.links[this.firstDropped * LINKS + FREE] = this.free;
    this.free = this.dropped;
    this.dropped = 0;
  }

  /** A slot that is the head of a ring, with nobody behind it. */
  takeHead(ring: Ring): number {
    const head = this.take();
    this.links[head * LINKS + ring + NEXT] = head;
    this.links[head * LINKS + ring + PREVIOUS] = head;
    return head;
  }

  /** As the last of a ring. */
  join(ring: Ring, head: number, slot: number): void {
    const { links } = this;
    const last = links[head * LINKS + ring + PREVIOUS] as number;
    links[slot * LINKS + ring + NEXT] = head;
    links[slot * LINKS + ring + PREVIOUS] = last;
    links[last * LINKS + ring + NEXT] = slot;
    links[head * LINKS + ring + PREVIOUS] = slot;
  }

  leave(ring: Ring, slot: number): void {
    const { links } = this;
    const next = links[slot * LINKS + ring + NEXT] as number;
    const previous = links[slot * LINKS + ring + PREVIOUS] as number;
    links[previous * LINKS + ring + NEXT] = next;
    links[next * LINKS + ring + PREVIOUS] = previous;
  }

  /** Undoes `leave`: between the neighbours that the slot names, which must be as they were then. */
  rejoin(ring: Ring, slot: number): void {
    const { links } = this;
    const next = links[slot * LINKS + ring + NEXT] as number;
    const previous = links[slot * LINKS + ring + PREVIOUS] as number;
    links[previous * LINKS + ring + NEXT] = slot;
    links[next * LINKS + ring + PREVIOUS] = slot;
  }

  /** The slots behind the head of a ring, first to last. The one that is visited may leave. */
  walk(ring: Ring, head: number, visit: (slot: number) => void): void {
    let slot = this.links[head * LINKS + ring + NEXT] as number;
    while (slot !== head) {
      const next = this.links[slot * LINKS + ring + NEXT] as number;
      visit(slot);
      slot = next;
    }
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
