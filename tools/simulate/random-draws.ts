import { hash } from 'node:crypto';

/** Random numbers that depend only on the seed, so that a seed repeats its day. */
export class RandomDraws {
  readonly #seed: string;
  #drawn = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** An integer from 0 to below `below`, which is at most 2^32. */
  below(below: number): number {
    return Number.parseInt(this.#next().slice(0, 12), 16) % below;
  }

  one<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to draw from');
    return item;
  }

  /** Has the form of a UUID of version 4. */
  uuid(): string {
    const hex = this.#next();
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  #next(): string {
    this.#drawn += 1;
    return hash('sha256', `${this.#seed}\n${this.#drawn}`);
  }
}
