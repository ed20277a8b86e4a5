/**
 * Whole numbers (0 to 2^53 - 1) to slots (1 to 2^31 - 1), in typed arrays: open addressing with linear probing.
 *
 * It stands where a `Map` would: a `Map` boxes each key above 2^31 and took most of a cancel. Deleting moves the
 * followers back instead of leaving marks, so a table never wears out.
 */
export class NumberTable {
  private keys: Float64Array;
  /** 0 where the place is empty. */
  private slots: Int32Array;
  private shift: number;
  private count = 0;

  constructor(places = 1024) {
    if (places < 2 || !Number.isInteger(Math.log2(places))) throw new RangeError('places is a power of two');
    this.keys = new Float64Array(places);
    this.slots = new Int32Array(places);
    this.shift = 32 - Math.log2(places);
  }

  get size(): number {
    return this.count;
  }

  /** 0 when the key is not there. */
  get(key: number): number {
    return this.slots[this.place(key)] as number;
  }

  set(key: number, slot: number): void {
    const place = this.place(key);
    if (this.slots[place] === 0) {
      this.keys[place] = key;
      this.count++;
      this.slots[place] = slot;
      if (this.count * 2 > this.slots.length) this.grow();
    } else this.slots[place] = slot;
  }

  delete(key: number): void {
    const { keys, slots } = this;
    const mask = slots.length - 1;
    let hole = this.place(key);
    if (slots[hole] === 0) return;
    this.count--;
    for (let at = (hole + 1) & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const home = this.home(keys[at] as number);
      // Only those may move back that still lie at or after their home.
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      keys[hole] = keys[at] as number;
      slots[hole] = slots[at] as number;
      hole = at;
    }
    slots[hole] = 0;
  }

  private home(key: number): number {
    // Fibonacci hashing spreads ids that count up; the upper half of a large id is folded in first.
    const upper = key > 0xffffffff ? Math.floor(key / 0x100000000) : 0;
    return Math.imul((key | 0) ^ Math.imul(upper, 0x85ebca6b), 0x9e3779b1) >>> this.shift;
  }

  /** Where the key is, or the empty place where it would be. */
  private place(key: number): number {
    const { keys, slots } = this;
    const mask = slots.length - 1;
    let at = this.home(key);
    while (slots[at] !== 0 && keys[at] !== key) at = (at + 1) & mask;
    return at;
  }

  private grow(): void {
    const { keys, slots } = this;
    this.keys = new Float64Array(slots.length * 2);
    this.slots = new Int32Array(slots.length * 2);
    this.shift--;
    for (let at = 0; at < slots.length; at++) {
      if (slots[at] === 0) continue;
      const place = this.place(keys[at] as number);
      this.keys[place] = keys[at] as number;
      this.slots[place] = slots[at] as number;
    }
  }
}
