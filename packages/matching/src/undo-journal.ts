/** Kinds of changes to the book; the slot of a change is an order's or a level's. */
export const ORDER_ADDED = 0;
export const ORDER_REMOVED = 1;
/** The journal also stores the amount of the reduction, in `quantities`. */
export const ORDER_REDUCED = 2;
export const LEVEL_ADDED = 3;
export const LEVEL_REMOVED = 4;

const CHANGE_BITS = 3;

/** The changes since the first open checkpoint, oldest first, in arrays that are reused from batch to batch. */
export class UndoJournal {
  isOpen = false;
  length = 0;
  /** The slot with the kind of change in the lowest bits, so that one write stores both. */
  private entries: Int32Array = new Int32Array(1024);
  /** Quantities of the reduced orders. */
  private quantities: Float64Array = new Float64Array(1024);

  note(change: number, slot: number): void {
    if (this.length === this.entries.length) this.grow();
    this.entries[this.length++] = (slot << CHANGE_BITS) | change;
  }

  noteReduced(slot: number, quantity: number): void {
    this.note(ORDER_REDUCED, slot);
    this.quantities[this.length - 1] = quantity;
  }

  change(at: number): number {
    return (this.entries[at] as number) & ((1 << CHANGE_BITS) - 1);
  }

  slot(at: number): number {
    return (this.entries[at] as number) >>> CHANGE_BITS;
  }

  quantity(at: number): number {
    return this.quantities[at] as number;
  }

  private grow(): void {
    const { entries, quantities } = this;
    this.entries = new Int32Array(this.length * 2);
    this.quantities = new Float64Array(this.length * 2);
    this.entries.set(entries);
    this.quantities.set(quantities);
  }
}
