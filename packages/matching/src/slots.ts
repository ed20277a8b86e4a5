/** Numbers per slot; a slot's numbers begin at `slot * NUMBERS`. */
export const NUMBERS_PER_SLOT = 8;
/** An order's id. */
export const ID_FIELD = 0;
/** An order's owner; also the number of an owner's slot. */
export const OWNER_FIELD = 1;
/** An order's open quantity; for a level, the sum over its queue. */
export const QUANTITY_FIELD = 2;
/** An order's arrival number. It increases over the book's life and gives the order in time across levels. */
export const ARRIVAL_FIELD = 3;
/** A level's price. */
export const PRICE_FIELD = 0;

/** Links per slot; a slot's links begin at `slot * LINKS`. They share the same 64 bytes, after the four numbers. */
export const LINKS_PER_SLOT = 16;
/** The slot of an order's level. */
export const LEVEL_LINK = 8;
/** A level's side (0 buys, 1 sells) and the length of its queue. */
export const SIDE_LINK = 8;
export const QUEUE_LENGTH_LINK = 9;

/** The ring of a level and its orders, oldest first. */
export const QUEUE_RING = 10;
/** The ring of an owner and their orders, oldest first. */
export const OWNER_RING = 12;
type SlotRing = typeof QUEUE_RING | typeof OWNER_RING;

/** A ring's links, at `slot * LINKS + ring`. */
export const NEXT_LINK = 0;
const PREVIOUS = 1;

/** Links the free slots. */
const FREE = 14;

const BYTES = 64;

/**
 * Orders, their price levels and their owners, each in a slot of 64 bytes, which is one cache line: with one array per
 * field, linking an order touched nine lines. Slot 0 is never used.
 *
 * An order is in two rings at once: its level's and its owner's. The head is part of the ring, so an order always has
 * two neighbours and joining or leaving needs no branch; the processor would mispredict every second test for first or
 * last in a queue. A removed order keeps its fields until its slot is reused, so an undo can put it back between the
 * same neighbours.
 */
export class Slots {
  numbers: Float64Array;
  links: Int32Array;
  private capacity: number;
  private unused = 1;
  private free = 0;
  /** The newest and the oldest of the dropped slots. */
  private dropped = 0;
  private firstDropped = 0;

  constructor(capacity = 1024) {
    const memory = new ArrayBuffer(capacity * BYTES);
    this.capacity = capacity;
    this.numbers = new Float64Array(memory);
    this.links = new Int32Array(memory);
  }

  /** May replace `numbers` and `links`, so read both again afterwards. */
  take(): number {
    const slot = this.free;
    if (slot !== 0) {
      this.free = this.links[slot * LINKS_PER_SLOT + FREE] as number;
      return slot;
    }
    if (this.unused === this.capacity) this.grow();
    return this.unused++;
  }

  give(slot: number): void {
    this.links[slot * LINKS_PER_SLOT + FREE] = this.free;
    this.free = slot;
  }

  /** Frees the slot once a rollback is impossible; until then it keeps its fields. */
  drop(slot: number): void {
    if (this.dropped === 0) this.firstDropped = slot;
    this.links[slot * LINKS_PER_SLOT + FREE] = this.dropped;
    this.dropped = slot;
  }

  /** Restores the most recently dropped slot. */
  undrop(): void {
    this.dropped = this.links[this.dropped * LINKS_PER_SLOT + FREE] as number;
  }

  giveDropped(): void {
    if (this.dropped === 0) return;
    this.links[this.firstDropped * LINKS_PER_SLOT + FREE] = this.free;
    this.free = this.dropped;
    this.dropped = 0;
  }

  /** Takes a slot as the head of an empty ring. */
  takeHead(ring: SlotRing): number {
    const head = this.take();
    this.links[head * LINKS_PER_SLOT + ring + NEXT_LINK] = head;
    this.links[head * LINKS_PER_SLOT + ring + PREVIOUS] = head;
    return head;
  }

  /** Adds a slot to the end of a ring. */
  join(ring: SlotRing, head: number, slot: number): void {
    const { links } = this;
    const last = links[head * LINKS_PER_SLOT + ring + PREVIOUS] as number;
    links[slot * LINKS_PER_SLOT + ring + NEXT_LINK] = head;
    links[slot * LINKS_PER_SLOT + ring + PREVIOUS] = last;
    links[last * LINKS_PER_SLOT + ring + NEXT_LINK] = slot;
    links[head * LINKS_PER_SLOT + ring + PREVIOUS] = slot;
  }

  leave(ring: SlotRing, slot: number): void {
    const { links } = this;
    const next = links[slot * LINKS_PER_SLOT + ring + NEXT_LINK] as number;
    const previous = links[slot * LINKS_PER_SLOT + ring + PREVIOUS] as number;
    links[previous * LINKS_PER_SLOT + ring + NEXT_LINK] = next;
    links[next * LINKS_PER_SLOT + ring + PREVIOUS] = previous;
  }

  /** Undoes `leave`: puts the slot back between the neighbours that it stores, which must be as they were then. */
  rejoin(ring: SlotRing, slot: number): void {
    const { links } = this;
    const next = links[slot * LINKS_PER_SLOT + ring + NEXT_LINK] as number;
    const previous = links[slot * LINKS_PER_SLOT + ring + PREVIOUS] as number;
    links[previous * LINKS_PER_SLOT + ring + NEXT_LINK] = slot;
    links[next * LINKS_PER_SLOT + ring + PREVIOUS] = slot;
  }

  /** Visits the slots of a ring after its head, first to last. The visited slot may leave. */
  walk(ring: SlotRing, head: number, visit: (slot: number) => void): void {
    let slot = this.links[head * LINKS_PER_SLOT + ring + NEXT_LINK] as number;
    while (slot !== head) {
      const next = this.links[slot * LINKS_PER_SLOT + ring + NEXT_LINK] as number;
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
