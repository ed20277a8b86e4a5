/**
 * Of each thing one read at a time. All who ask while it is under way share the next one, which begins after it: so nobody is
 * given what is older than their question, and however many ask, the database is asked by one.
 */
export class SharedReads<Value> {
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
