import { type ID_FIELD, NUMBERS_PER_SLOT, type OWNER_FIELD, type PRICE_FIELD, type Slots } from './slots.ts';

/**
 * Finds slots by one of their numbers: open addressing with linear probing. It replaces a `Map`, which boxes each key
 * above 2^31 and reads three places in memory. The keys stay in the slots, so an entry takes four bytes and a lookup
 * reads only the slots that it probes. Removing an entry moves later ones back instead of leaving tombstones, so the
 * index never degrades. At most a quarter of the entries is used, so probes are short.
 */
export class SlotIndex {
  private readonly slots: Slots;
  private readonly key: typeof ID_FIELD | typeof OWNER_FIELD | typeof PRICE_FIELD;
  /** 0 marks an empty place. */
  private places: Int32Array;
  private mask: number;
  private shift: number;
  private count = 0;

  constructor(slots: Slots, key: typeof ID_FIELD | typeof OWNER_FIELD | typeof PRICE_FIELD, places = 1024) {
    if (places < 8 || !Number.isInteger(Math.log2(places)))
      throw new RangeError('places is a power of two, at least 8');
    this.slots = slots;
    this.key = key;
    this.places = new Int32Array(places);
    this.mask = places - 1;
    this.shift = 34 - Math.log2(places);
  }

  get size(): number {
    return this.count;
  }

  /** 0 if there is none. */
  get(key: number): number {
    const { places, mask } = this;
    const { numbers } = this.slots;
    let at = this.home(key);
    let slot = places[at] as number;
    while (slot !== 0 && numbers[slot * NUMBERS_PER_SLOT + this.key] !== key) {
      at = (at + 1) & mask;
      slot = places[at] as number;
    }
    return slot;
  }

  /** The caller must not add a slot whose number is present. */
  add(slot: number): void {
    this.count++;
    if (this.count * 4 > this.places.length) this.grow();
    this.put(slot);
  }

  /** The slot must be present. */
  remove(slot: number): void {
    const { places, mask } = this;
    let hole = this.homeOf(slot);
    while (places[hole] !== slot) {
      if (places[hole] === 0) throw new RangeError(`slot ${slot} is not in this index`);
      hole = (hole + 1) & mask;
    }
    this.count--;
    for (let at = (hole + 1) & mask; places[at] !== 0; at = (at + 1) & mask) {
      const follower = places[at] as number;
      // Moving this entry in front of its home position would make it unfindable.
      if (((at - this.homeOf(follower)) & mask) < ((at - hole) & mask)) continue;
      places[hole] = follower;
      hole = at;
    }
    places[hole] = 0;
  }

  private put(slot: number): void {
    const { places, mask } = this;
    let at = this.homeOf(slot);
    while (places[at] !== 0) at = (at + 1) & mask;
    places[at] = slot;
  }

  private homeOf(slot: number): number {
    return this.home(this.slots.numbers[slot * NUMBERS_PER_SLOT + this.key] as number);
  }

  private home(key: number): number {
    // Four consecutive keys share a cache line; the groups of four are spread by Fibonacci hashing, after the upper
    // half of a large key is folded in. Without spreading, ids that wrap around would cluster.
    const upper = key > 0xffffffff ? Math.floor(key / 0x100000000) : 0;
    const low = key | 0;
    return ((Math.imul((low >>> 2) ^ Math.imul(upper, 0x85ebca6b), 0x9e3779b1) >>> this.shift) << 2) | (low & 3);
  }

  private grow(): void {
    const { places } = this;
    this.places = new Int32Array(places.length * 2);
    this.mask = this.mask * 2 + 1;
    this.shift--;
    for (const slot of places) if (slot !== 0) this.put(slot);
  }
}
