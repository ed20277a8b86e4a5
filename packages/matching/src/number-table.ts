/** Bytes of a place: the key, its slot, and four to spare so that no place lies across two lines of the cache. */
const BYTES = 16;
/** Where a place's key lies in `keys`, from `place * KEYS`; and where its slot lies in `slots`, from `place * SLOTS`. */
const KEYS = 2;
const SLOTS = 4;
const SLOT = 2;

/**
 * Whole numbers (0 to 2^53 - 1) to slots (1 to 2^31 - 1), in one piece of memory: open addressing with linear probing.
 *
 * It stands where a `Map` would: a `Map` boxes each key above 2^31, and looks in three places where this looks in one.
 * Deleting moves the followers back instead of leaving marks, so a table never wears out.
 */
export class NumberTable {
  private keys: Float64Array;
  /** 0 where the place is empty. */
  private slots: Int32Array;
  private mask: number;
  private shift: number;
  private count = 0;

  constructor(places = 1024) {
    if (places < 8 || !Number.isInteger(Math.log2(places)))
      throw new RangeError('places is a power of two, at least 8');
    const memory = new ArrayBuffer(places * BYTES);
    this.keys = new Float64Array(memory);
    this.slots = new Int32Array(memory);
    this.mask = places - 1;
    this.shift = 34 - Math.log2(places);
  }

  get size(): number {
    return this.count;
  }

  /** 0 when the key is not there. */
  get(key: number): number {
    return this.slots[this.place(key) * SLOTS + SLOT] as number;
  }

  /** Gives what was there, or 0. */
  set(key: number, slot: number): number {
    const { slots } = this;
    const place = this.place(key);
    const before = slots[place * SLOTS + SLOT] as number;
    slots[place * SLOTS + SLOT] = slot;
    if (before !== 0) return before;
    this.keys[place * KEYS] = key;
    this.count++;
    if (this.count * 2 > this.mask) this.grow();
    return 0;
  }

  delete(key: number): void {
    const { keys, slots, mask } = this;
    let hole = this.place(key);
    if (slots[hole * SLOTS + SLOT] === 0) return;
    this.count--;
    for (let at = (hole + 1) & mask; slots[at * SLOTS + SLOT] !== 0; at = (at + 1) & mask) {
      const home = this.home(keys[at * KEYS] as number);
      // One whose home lies after the hole would be lost before it.
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      keys[hole * KEYS] = keys[at * KEYS] as number;
      slots[hole * SLOTS + SLOT] = slots[at * SLOTS + SLOT] as number;
      hole = at;
    }
    slots[hole * SLOTS + SLOT] = 0;
  }

  private home(key: number): number {
    // Four ids in a row share a line of the processor's cache; the fours are spread by Fibonacci hashing, after the upper
    // half of a large id is folded in. Without the spreading, ids that wrap around the table would pile up.
    const upper = key > 0xffffffff ? Math.floor(key / 0x100000000) : 0;
    const low = key | 0;
    return ((Math.imul((low >>> 2) ^ Math.imul(upper, 0x85ebca6b), 0x9e3779b1) >>> this.shift) << 2) | (low & 3);
  }

  /** Where the key is, or the empty place where it would be. */
  private place(key: number): number {
    const { keys, slots, mask } = this;
    let at = this.home(key);
    while (slots[at * SLOTS + SLOT] !== 0 && keys[at * KEYS] !== key) at = (at + 1) & mask;
    return at;
  }

  private grow(): void {
    const { keys, slots, mask } = this;
    const memory = new ArrayBuffer((mask + 1) * 2 * BYTES);
    this.keys = new Float64Array(memory);
    this.slots = new Int32Array(memory);
    this.mask = mask * 2 + 1;
    this.shift--;
    for (let from = 0; from <= mask; from++) {
      const slot = slots[from * SLOTS + SLOT] as number;
      if (slot === 0) continue;
      const key = keys[from * KEYS] as number;
      const to = this.place(key);
      this.keys[to * KEYS] = key;
      this.slots[to * SLOTS + SLOT] = slot;
    }
  }
}
