const LOCKED_FIRST_MAX = 64;
/**
 * This many correct guesses halve the penalty of a wrong one, so a caller who breaks every fourth batch never earns it
 * back.
 */
const RIGHT_FOR_ONE = 8;

/**
 * Decides whether batches may be speculative, that is, decided from memory ahead of the ledger's lock. While a process
 * posts alone, its memory is right. A wrong guess costs a batch, so each further one doubles the number of batches that
 * are decided under the lock before memory is trusted again.
 */
export class SpeculationGate {
  #lockedFirst = 1;
  #afterNextFault = 1;
  #rightInARow = 0;

  get isOpen(): boolean {
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

  /** Call it after a batch under the lock. `isAlone`: no other process had posted since the previous batch. */
  wasLocked(isAlone: boolean): void {
    if (!isAlone) this.othersPost();
    else if (this.#lockedFirst > 0) this.#lockedFirst -= 1;
  }

  othersPost(): void {
    this.#lockedFirst = Math.max(this.#lockedFirst, 1);
  }
}
