import { createCipheriv, createHmac } from 'node:crypto';

const BLOCK = 16;
/** The most draws requested together: one per level of a random walk. */
const TOGETHER_MAX = 32;
/** The sum of eight 16-bit numbers, minus its mean and divided by its deviation, is nearly normal. */
const SUM_MEAN = 8 * 32_767.5;
const SUM_DEVIATION = Math.sqrt((8 * (65_536 ** 2 - 1)) / 12);

/** Caches the answer for the latest index until another index is requested. */
export function cacheLatestAnswer<Answer>(work: (index: number) => Answer): (index: number) => Answer {
  let known: { readonly index: number; readonly answer: Answer } | undefined;
  return (index) => {
    if (known?.index !== index) known = { index, answer: work(index) };
    return known.answer;
  };
}

/**
 * Random numbers as a function of a seed, a name, a kind and an index. AES-256 encrypts kind and index under a key that
 * HMAC-SHA256 derives from the whole seed and the name. Published numbers reveal neither others nor the key, and draws
 * under one name reveal nothing of another. The result is the same on every machine.
 */
export class KeyedRandom {
  readonly #cipher;
  readonly #asked = Buffer.alloc(BLOCK * TOGETHER_MAX);

  constructor(seed: string, name: string) {
    const key = createHmac('sha256', seed).update(`simulator/2\n${name}`).digest();
    this.#cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  }

  /** A fraction in [0, 1) with 48 bits. */
  share(kind: number, index: number): number {
    this.#ask(0, kind, index);
    return this.#answer(1).readUIntBE(0, 6) / 2 ** 48;
  }

  /** Four fractions in [0, 1) with 32 bits each, for the cost of one draw. */
  shares(kind: number, index: number): [number, number, number, number] {
    this.#ask(0, kind, index);
    const bytes = this.#answer(1);
    const at = (place: number): number => bytes.readUInt32BE(place) / 2 ** 32;
    return [at(0), at(4), at(8), at(12)];
  }

  /** An integer from 0 up to but not including `end`. */
  below(end: number, kind: number, index: number): number {
    return Math.floor(this.share(kind, index) * end);
  }

  /** Nearly normal numbers with mean 0 and deviation 1, one per kind and index. Many cost little more than one. */
  normals(kinds: readonly number[], indexes: readonly number[]): number[] {
    for (const [n, kind] of kinds.entries()) this.#ask(n, kind, indexes[n] ?? 0);
    const bytes = this.#answer(kinds.length);
    return kinds.map((_, n) => {
      let sum = 0;
      for (let at = n * BLOCK; at < (n + 1) * BLOCK; at += 2) sum += bytes.readUInt16BE(at);
      return (sum - SUM_MEAN) / SUM_DEVIATION;
    });
  }

  #ask(place: number, kind: number, index: number): void {
    this.#asked.writeDoubleBE(kind, place * BLOCK);
    this.#asked.writeDoubleBE(index, place * BLOCK + 8);
  }

  #answer(count: number): Buffer {
    return this.#cipher.update(this.#asked.subarray(0, count * BLOCK));
  }
}
