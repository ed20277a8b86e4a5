import { longer } from './order-slots.ts';

/** Every price that has orders, as a slot in columns: its queue, and the sum and number of what rests there. */
export class LevelSlots {
  price!: Float64Array;
  quantity!: Float64Array;
  orders!: Int32Array;
  head!: Int32Array;
  tail!: Int32Array;
  /** 0 buys, 1 sells. */
  side!: Uint8Array;
  private unused = 1;
  private free = 0;

  constructor(capacity = 256) {
    this.resize(capacity);
  }

  /** An empty level. May replace the columns: read them anew after it. */
  take(side: number, price: number): number {
    let slot = this.free;
    if (slot !== 0) this.free = this.head[slot] as number;
    else {
      if (this.unused === this.price.length) this.resize(this.price.length * 2);
      slot = this.unused++;
    }
    this.side[slot] = side;
    this.price[slot] = price;
    this.quantity[slot] = 0;
    this.orders[slot] = 0;
    this.head[slot] = 0;
    this.tail[slot] = 0;
    return slot;
  }

  give(slot: number): void {
    this.head[slot] = this.free;
    this.free = slot;
  }

  private resize(capacity: number): void {
    this.price = longer(Float64Array, this.price, capacity);
    this.quantity = longer(Float64Array, this.quantity, capacity);
    this.orders = longer(Int32Array, this.orders, capacity);
    this.head = longer(Int32Array, this.head, capacity);
    this.tail = longer(Int32Array, this.tail, capacity);
    this.side = longer(Uint8Array, this.side, capacity);
  }
}
