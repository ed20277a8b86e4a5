const LOCKED_FIRST_MAX = 64;
/** So many batches that were right make up for one that was not: who spoils every fourth on purpose is not forgiven in between. */
const RIGHT_FOR_ONE = 8;

/**
 * Whether batches are decided on what memory has, ahead of the ledger's lock. Who posts alone is right then and need not ask; who was wrong
 * has done a batch in vain, so each further time it takes twice as many batches under the lock until memory is trusted again.
 */
export class Foresight {
  #lockedFirst = 1;
  #afterNextFault = 1;
  #rightInARow = 0;

  get isTrusted(): boolean {
    return this.#lockedFirst === 0;
  }

  wasRight(): void {
    this.#rightInARow += 1;
    if (this.#rightInARow % RIGHT_FOR_ONE === 0) this.#afterNextFault = Math.max(this.#afterNextFault / 2, 1);
  }

  wasWrong(): void {
    this.#rightInARow = 0;
    this.#lockedFirst = this.#afterNextFault;
    this.#afterNextFault = Math.min(this.#afterNextFault * 2, LOCKED_FIRST_MAX);
  }

  /** A batch was decided under the lock; `isAlone` when nobody else had posted since the one before. */
  wasLocked(isAlone: boolean): void {
    if (!isAlone) this.othersPost();
    else if (this.#lockedFirst > 0) this.#lockedFirst -= 1;
  }

  othersPost(): void {
    this.#lockedFirst = Math.max(this.#lockedFirst, 1);
  }
}
