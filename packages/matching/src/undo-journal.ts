/** What a change of the book was; the slot is an order's or a level's. */
export const ORDER_ADDED = 0;
export const ORDER_REMOVED = 1;
/** With the quantity that was taken from it. */
export const ORDER_REDUCED = 2;
export const LEVEL_ADDED = 3;
export const LEVEL_REMOVED = 4;

/** The changes since the first open checkpoint, oldest first, in columns that are kept from batch to batch. */
export class UndoJournal {
  isOpen = false;
  length = 0;
  change: Uint8Array = new Uint8Array(1024);
  slot: Int32Array = new Int32Array(1024);
  quantity: Float64Array = new Float64Array(1024);

  note(change: number, slot: number, quantity: number): void {
    if (this.length === this.change.length) this.grow();
    const at = this.length++;
    this.change[at] = change;
    this.slot[at] = slot;
    this.quantity[at] = quantity;
  }

  private grow(): void {
    const { change, slot, quantity } = this;
    this.change = new Uint8Array(this.length * 2);
    this.slot = new Int32Array(this.length * 2);
    this.quantity = new Float64Array(this.length * 2);
    this.change.set(change);
    this.slot.set(slot);
    this.quantity.set(quantity);
  }
}
