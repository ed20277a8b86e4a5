import { SlotIndex } from './slot-index.ts';
import { NUMBERS_PER_SLOT, PRICE_FIELD, type Slots } from './slots.ts';

const CHUNK = 128;

interface Chunk {
  readonly keys: Float64Array;
  readonly levels: Int32Array;
  count: number;
}

/**
 * One side's prices in order, each with its level's slot (≥ 1). The best price is last, because most orders come and go
 * there.
 *
 * Prices are in chunks of at most 128, so inserting a price moves 64 numbers on average, however many prices there are.
 * A single sorted array would move half of all of them.
 * Invariants: keys rise within a chunk and from chunk to chunk; no chunk is empty unless it is the only one.
 */
export class PriceLadder {
  /** 1 for bids, -1 for asks: a key is the price times this sign, so the best price has the highest key. */
  private readonly sign: 1 | -1;
  private readonly chunks: Chunk[] = [emptyChunk()];
  private readonly spare: Chunk[] = [];
  private last: Chunk;
  private readonly slots: Slots;
  private readonly byPrice: SlotIndex;
  /** The level of the best price. */
  private top = 0;

  constructor(slots: Slots, better: 'higher' | 'lower') {
    this.slots = slots;
    this.byPrice = new SlotIndex(slots, PRICE_FIELD);
    this.sign = better === 'higher' ? 1 : -1;
    this.last = this.chunks[0] as Chunk;
  }

  get size(): number {
    return this.byPrice.size;
  }

  /** The level of the best price; 0 if there is none. */
  best(): number {
    return this.top;
  }

  /** The level at this price; 0 if there is none. */
  find(price: number): number {
    return this.byPrice.get(price);
  }

  /** The price must not be present. */
  insert(level: number): void {
    this.byPrice.add(level);
    const key = this.keyOf(level);
    let index = this.chunkFor(key);
    let chunk = this.chunks[index] as Chunk;
    let at = position(chunk, key);
    if (chunk.count === CHUNK) {
      this.split(index);
      const kept = chunk.count;
      if (at > kept) {
        index++;
        at -= kept;
        chunk = this.chunks[index] as Chunk;
      }
    }
    const { keys, levels } = chunk;
    for (let i = chunk.count; i > at; i--) {
      keys[i] = keys[i - 1] as number;
      levels[i] = levels[i - 1] as number;
    }
    keys[at] = key;
    levels[at] = level;
    chunk.count++;
    this.readTop();
  }

  /** The price must be present. */
  remove(level: number): void {
    const { last } = this;
    this.byPrice.remove(level);
    if (level === this.top && last.count > 1) {
      last.count--;
      this.top = last.levels[last.count - 1] as number;
      return;
    }
    const key = this.keyOf(level);
    const index = this.chunkFor(key);
    const chunk = this.chunks[index] as Chunk;
    const at = position(chunk, key);
    const { keys, levels } = chunk;
    chunk.count--;
    for (let i = at; i < chunk.count; i++) {
      keys[i] = keys[i + 1] as number;
      levels[i] = levels[i + 1] as number;
    }
    if (chunk.count === 0 && this.chunks.length > 1) {
      this.chunks.splice(index, 1);
      this.spare.push(chunk);
      this.last = this.chunks[this.chunks.length - 1] as Chunk;
    }
    this.readTop();
  }

  /** Visits levels from the best price on, until `visit` returns false. The ladder must not change meanwhile. */
  walk(visit: (level: number) => boolean): void {
    for (let index = this.chunks.length - 1; index >= 0; index--) {
      const { levels, count } = this.chunks[index] as Chunk;
      for (let at = count - 1; at >= 0; at--) if (!visit(levels[at] as number)) return;
    }
  }

  private keyOf(level: number): number {
    return (this.slots.numbers[level * NUMBERS_PER_SLOT + PRICE_FIELD] as number) * this.sign;
  }

  private readTop(): void {
    const { levels, count } = this.last;
    this.top = count === 0 ? 0 : (levels[count - 1] as number);
  }

  /** Index of the last chunk that begins at or before the key, or of the first chunk. */
  private chunkFor(key: number): number {
    const { chunks } = this;
    let high = chunks.length - 1;
    if (high === 0 || (this.last.keys[0] as number) <= key) return high;
    let low = 0;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (((chunks[middle] as Chunk).keys[0] as number) <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Moves a full chunk's upper half into a new chunk. */
  private split(index: number): void {
    const chunk = this.chunks[index] as Chunk;
    const upper = this.spare.pop() ?? emptyChunk();
    const kept = CHUNK / 2;
    upper.keys.set(chunk.keys.subarray(kept));
    upper.levels.set(chunk.levels.subarray(kept));
    upper.count = CHUNK - kept;
    chunk.count = kept;
    this.chunks.splice(index + 1, 0, upper);
    this.last = this.chunks[this.chunks.length - 1] as Chunk;
  }
}

function emptyChunk(): Chunk {
  return { keys: new Float64Array(CHUNK), levels: new Int32Array(CHUNK), count: 0 };
}

/** Index of the first key at or after this one. */
function position({ keys, count }: Chunk, key: number): number {
  if (count === 0 || (keys[count - 1] as number) < key) return count;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as number) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
