/**
 * Runs one read per key at a time. Callers that arrive during a read share the next one, which starts after it. So no
 * answer is older than its request, and the database runs one read for any number of callers.
 */
export class CoalescedReads<Value> {
  readonly #underWay = new Map<string, Promise<Value>>();
  readonly #next = new Map<string, Promise<Value>>();

  read(key: string, work: () => Promise<Value>): Promise<Value> {
    const next = this.#next.get(key);
    if (next !== undefined) return next;
    const underWay = this.#underWay.get(key);
    if (underWay === undefined) return this.#begin(key, work);
    const begin = (): Promise<Value> => {
      this.#next.delete(key);
      return this.#begin(key, work);
    };
    const following = underWay.then(begin, begin);
    this.#next.set(key, following);
    return following;
  }

  #begin(key: string, work: () => Promise<Value>): Promise<Value> {
    const reading = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, reading);
    return reading;
  }
}
