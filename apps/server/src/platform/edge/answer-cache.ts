/** A cache of encoded answers that never change. Evicts the least recently used. */
export class AnswerCache {
  readonly #bytesMax: number;
  readonly #answers = new Map<string, Buffer>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(key: string): Buffer | undefined {
    const body = this.#answers.get(key);
    if (body === undefined) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, body);
    return body;
  }

  keep(key: string, body: Buffer): void {
    this.#drop(key);
    this.#answers.set(key, body);
    this.#bytes += body.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#answers.get(key)?.length ?? 0;
    this.#answers.delete(key);
  }
}
