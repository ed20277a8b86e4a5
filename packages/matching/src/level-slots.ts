/** Where a level's whole numbers lie in `sums`, from `slot * SUMS`. */
export const SUMS = 4;
export const PRICE = 0;
/** Sum over the queue. */
export const LEVEL_QUANTITY = 1;

/** Where the rest lies in `queues`, from `slot * QUEUES`: the same 32 bytes, behind the two numbers. */
export const QUEUES = 8;
export const HEAD = 4;
export const TAIL = 5;
/** Length of the queue. */
export const ORDERS = 6;
/** 0 buys, 1 sells. */
export const SIDE = 7;

const BYTES = 32;

/** Every price that has orders, as a slot of 32 bytes: its queue of orders, and the sum and number of what rests there. */
export class LevelSlots {
  sums: Float64Array;
  queues: Int32Array;
  private capacity: number;
  private unused = 1;
  private free = 0;

  constructor(capacity = 256) {
    const memory = new ArrayBuffer(capacity * BYTES);
    this.capacity = capacity;
    this.sums = new Float64Array(memory);
    this.queues = new Int32Array(memory);
  }

  /** An empty level. May replace `sums` and `queues`: read them anew after it. */
  take(side: number, price: number): number {
    let slot = this.free;
    if (slot !== 0) this.free = this.queues[slot * QUEUES + HEAD] as number;
    else {
      if (this.unused === this.capacity) this.grow();
      slot = this.unused++;
    }
    this.sums[slot * SUMS + PRICE] = price;
    this.sums[slot * SUMS + LEVEL_QUANTITY] = 0;
    this.queues[slot * QUEUES + HEAD] = 0;
    this.queues[slot * QUEUES + TAIL] = 0;
    this.queues[slot * QUEUES + ORDERS] = 0;
    this.queues[slot * QUEUES + SIDE] = side;
    return slot;
  }

  give(slot: number): void {
    this.queues[slot * QUEUES + HEAD] = this.free;
    this.free = slot;
  }

  private grow(): void {
    this.capacity *= 2;
    const memory = new ArrayBuffer(this.capacity * BYTES);
    const sums = new Float64Array(memory);
    sums.set(this.sums);
    this.sums = sums;
    this.queues = new Int32Array(memory);
  }
}
