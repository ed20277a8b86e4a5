/**
 * The order book of one coin with price-time priority.
 *
 * Exact and fast, with memory that is allocated once. Prices and quantities are integers below 2^53; so are all sums,
 * because a side whose sum would exceed that accepts nothing more. No clock, randomness or I/O: the same commands give
 * the same events and the same state.
 *
 * Invariants between two commands:
 * - the best bid is below the best ask;
 * - a level's orders are in order of arrival, and its quantity and count are the sums over its queue;
 * - an order is in its level's ring, in its owner's ring and in the id index, or in none of them; no level is empty;
 * - an owner who once had an order keeps a slot.
 */
import type { BookEvents, RejectReason } from './book-events.ts';
import type { DepthLevel, PlaceOrder, RestingOrder, Side } from './order.ts';
import { PriceLadder } from './price-ladder.ts';
import { SlotIndex } from './slot-index.ts';
import {
  ARRIVAL_FIELD,
  ID_FIELD,
  LEVEL_LINK,
  LINKS_PER_SLOT,
  NEXT_LINK,
  NUMBERS_PER_SLOT,
  OWNER_FIELD,
  OWNER_RING,
  PRICE_FIELD,
  QUANTITY_FIELD,
  QUEUE_LENGTH_LINK,
  QUEUE_RING,
  SIDE_LINK,
  Slots,
} from './slots.ts';
import { hashOrders } from './state-hash.ts';
import { LEVEL_ADDED, LEVEL_REMOVED, ORDER_ADDED, ORDER_REDUCED, ORDER_REMOVED, UndoJournal } from './undo-journal.ts';

/** The sides are array indices, which saves a branch: the processor cannot predict whether an order buys or sells. */
const BUY = 0;
const SELL = 1;
const OPPOSITE = 1;

declare const checkpointBrand: unique symbol;
/** A state to which the book can be rolled back. */
export type Checkpoint = number & { readonly [checkpointBrand]: 'checkpoint' };

export class Book {
  private readonly events: BookEvents;
  private readonly slots = new Slots();
  private readonly ids = new SlotIndex(this.slots, ID_FIELD);
  private readonly owners = new SlotIndex(this.slots, OWNER_FIELD);
  private readonly ladders = [new PriceLadder(this.slots, 'higher'), new PriceLadder(this.slots, 'lower')] as const;
  /** The total resting quantity per side. */
  private readonly sums = new Float64Array(2);
  private nextArrival = 1;
  private readonly journal = new UndoJournal();

  constructor(events: BookEvents) {
    this.events = events;
  }

  /**
   * Creates a book with these orders, oldest first, as returned by `snapshot` or stored in a database. Sends no events.
   */
  static restore(orders: Iterable<RestingOrder>, events: BookEvents): Book {
    const book = new Book(events);
    for (const { id, owner, side, price, quantity } of orders) {
      const at = indexOf(side);
      const best = book.ladder(at ^ OPPOSITE).best();
      if (best !== 0 && book.isWithin(at, price, best))
        throw new RangeError(`order ${id} would cross: these are not the orders of one book`);
      if (!isWhole(id) || !isWhole(owner) || !isWhole(price) || !isWhole(quantity) || book.ids.get(id) !== 0)
        throw new RangeError(`order ${id} can't rest: it is there already, or not in whole numbers above 0`);
      book.rest(id, owner, at, price, quantity);
    }
    return book;
  }

  /**
   * Reports refusals as events. Throws if the id or the owner is not an integer from 1 to 2^53 - 1, because users never
   * enter these.
   */
  place(order: PlaceOrder): void {
    const { id, owner, price, quantity } = order;
    if (!isWhole(id) || !isWhole(owner)) throw new RangeError(`not an id and an owner: ${id}, ${owner}`);
    const side = indexOf(order.side);
    const reason = this.refusal(order, side);
    if (reason !== null) {
      this.events.rejected(id, reason);
      return;
    }
    // From here on the order is accepted, whatever its result.
    const left = this.match(id, owner, side, price, quantity);
    if (left === 0) return;
    if (order.timeInForce === 'GTC') {
      this.rest(id, owner, side, price, left);
      this.events.rested(id, left);
    } else this.events.cancelled(id, 'unfilled', left);
  }

  /** Removes the owner's order. Another owner's order gets the same answer as one that does not exist. */
  cancel(id: number, owner: number): void {
    const { numbers } = this.slots;
    const slot = this.ids.get(id);
    if (slot === 0 || numbers[slot * NUMBERS_PER_SLOT + OWNER_FIELD] !== owner) {
      this.events.rejected(id, 'order_not_found');
      return;
    }
    const left = numbers[slot * NUMBERS_PER_SLOT + QUANTITY_FIELD] as number;
    this.remove(slot);
    this.events.cancelled(id, 'revoked', left);
  }

  /** Lowers the open quantity of the owner's order, which keeps its place in the queue. */
  shrink(id: number, owner: number, left: number): void {
    const { numbers } = this.slots;
    const slot = this.ids.get(id);
    if (slot === 0 || numbers[slot * NUMBERS_PER_SLOT + OWNER_FIELD] !== owner) {
      this.events.rejected(id, 'order_not_found');
      return;
    }
    const less = (numbers[slot * NUMBERS_PER_SLOT + QUANTITY_FIELD] as number) - left;
    if (!isWhole(left) || !isWhole(less)) {
      this.events.rejected(id, 'quantity_not_less');
      return;
    }
    this.reduce(slot, less);
    if (this.journal.isOpen) this.journal.noteReduced(slot, less);
    this.events.shrunk(id, left);
  }

  /** Cancels all orders of an owner, oldest first, and returns how many there were. */
  cancelAll(owner: number): number {
    const { numbers } = this.slots;
    let count = 0;
    this.walkOrdersOf(owner, (slot) => {
      this.remove(slot);
      this.events.cancelled(
        numbers[slot * NUMBERS_PER_SLOT + ID_FIELD] as number,
        'revoked',
        numbers[slot * NUMBERS_PER_SLOT + QUANTITY_FIELD] as number,
      );
      count += 1;
    });
    return count;
  }

  /**
   * Changes from the first checkpoint to `commit` can be undone exactly: the same orders at the same places in their
   * queues. Events already sent to the listener cannot be undone; the caller discards them.
   */
  checkpoint(): Checkpoint {
    this.journal.isOpen = true;
    return this.journal.length as Checkpoint;
  }

  /** Undoes all changes since the checkpoint, which stays open. */
  rollback(checkpoint: Checkpoint): void {
    const { journal } = this;
    if (!journal.isOpen || checkpoint > journal.length) throw new RangeError('the checkpoint is not open');
    journal.isOpen = false;
    for (let at = journal.length - 1; at >= checkpoint; at--) {
      const slot = journal.slot(at);
      switch (journal.change(at)) {
        case ORDER_ADDED:
          this.unlink(slot);
          this.slots.give(slot);
          break;
        case ORDER_REMOVED:
          this.slots.undrop();
          this.relink(slot);
          break;
        case ORDER_REDUCED:
          this.reduce(slot, -journal.quantity(at));
          break;
        case LEVEL_ADDED:
          this.ladderOf(slot).remove(slot);
          this.slots.give(slot);
          break;
        case LEVEL_REMOVED:
          this.slots.undrop();
          this.ladderOf(slot).insert(slot);
          break;
      }
    }
    journal.length = checkpoint;
    journal.isOpen = true;
  }

  /** Closes all checkpoints and keeps the changes. */
  commit(): void {
    const { journal } = this;
    if (!journal.isOpen) throw new RangeError('there is no checkpoint');
    this.slots.giveDropped();
    journal.length = 0;
    journal.isOpen = false;
  }

  get orderCount(): number {
    return this.ids.size;
  }

  /** Null if the side is empty. */
  bestPrice(side: Side): number | null {
    const level = this.ladder(indexOf(side)).best();
    return level === 0 ? null : this.priceOf(level);
  }

  /** The best `count` levels of a side, best first. */
  depth(side: Side, count: number): DepthLevel[] {
    const { numbers, links } = this.slots;
    const found: DepthLevel[] = [];
    if (count <= 0) return found;
    this.ladder(indexOf(side)).walk((level) => {
      found.push({
        price: this.priceOf(level),
        quantity: numbers[level * NUMBERS_PER_SLOT + QUANTITY_FIELD] as number,
        orders: links[level * LINKS_PER_SLOT + QUEUE_LENGTH_LINK] as number,
      });
      return found.length < count;
    });
    return found;
  }

  /** The number of the owner's resting orders. */
  countOf(owner: number): number {
    let count = 0;
    this.walkOrdersOf(owner, () => {
      count += 1;
    });
    return count;
  }

  /**
   * The most lots that a buy can take for `budget` (price steps × lots) within its limit, best prices first. If the
   * book ends before the budget does, the rest of the budget counts at the last price in the book, so the order ends as
   * not filled. The owner's own orders are left out, because the match would cancel them.
   */
  lotsFor(owner: number, limit: number, budget: bigint): number {
    const { numbers, links } = this.slots;
    const own = new Map<number, number>();
    this.walkOrdersOf(owner, (slot) => {
      const level = links[slot * LINKS_PER_SLOT + LEVEL_LINK] as number;
      own.set(level, (own.get(level) ?? 0) + (numbers[slot * NUMBERS_PER_SLOT + QUANTITY_FIELD] as number));
    });
    let left = budget;
    let lots = 0n;
    let last = 0n;
    this.ladder(SELL).walk((level) => {
      if (!this.isWithin(BUY, limit, level)) return false;
      const there = (numbers[level * NUMBERS_PER_SLOT + QUANTITY_FIELD] as number) - (own.get(level) ?? 0);
      if (there === 0) return true;
      const price = BigInt(this.priceOf(level));
      const affordable = left / price;
      const isEnough = affordable <= BigInt(there);
      const taken = isEnough ? affordable : BigInt(there);
      lots += taken;
      left -= taken * price;
      last = isEnough ? 0n : price;
      return !isEnough;
    });
    if (last > 0n) lots += left / last;
    return Number(lots);
  }

  /** Null if no order with this id rests. */
  order(id: number): RestingOrder | null {
    const slot = this.ids.get(id);
    return slot === 0 ? null : this.read(slot);
  }

  /** All resting orders, oldest first. This is the whole state, because within a level the oldest has priority. */
  snapshot(): RestingOrder[] {
    const { numbers } = this.slots;
    const slots: number[] = [];
    for (const ladder of this.ladders)
      ladder.walk((level) => {
        this.slots.walk(QUEUE_RING, level, (slot) => slots.push(slot));
        return true;
      });
    slots.sort(
      (a, b) =>
        (numbers[a * NUMBERS_PER_SLOT + ARRIVAL_FIELD] as number) -
        (numbers[b * NUMBERS_PER_SLOT + ARRIVAL_FIELD] as number),
    );
    return slots.map((slot) => this.read(slot));
  }

  /** 16 hexadecimal digits over the whole state; equal books have equal hashes, whatever their history. */
  stateHash(): string {
    return hashOrders(this.snapshot());
  }

  private ladder(side: number): PriceLadder {
    return this.ladders[side] as PriceLadder;
  }

  private ladderOf(level: number): PriceLadder {
    return this.ladder(this.slots.links[level * LINKS_PER_SLOT + SIDE_LINK] as number);
  }

  private priceOf(level: number): number {
    return this.slots.numbers[level * NUMBERS_PER_SLOT + PRICE_FIELD] as number;
  }

  /** True if a level's price is at least as good as the limit for an order of this side. */
  private isWithin(side: number, limit: number, level: number): boolean {
    return (limit - this.priceOf(level)) * (1 - 2 * side) >= 0;
  }

  private read(slot: number): RestingOrder {
    const { numbers, links } = this.slots;
    const level = links[slot * LINKS_PER_SLOT + LEVEL_LINK] as number;
    return {
      id: numbers[slot * NUMBERS_PER_SLOT + ID_FIELD] as number,
      owner: numbers[slot * NUMBERS_PER_SLOT + OWNER_FIELD] as number,
      side: links[level * LINKS_PER_SLOT + SIDE_LINK] === BUY ? 'buy' : 'sell',
      price: this.priceOf(level),
      quantity: numbers[slot * NUMBERS_PER_SLOT + QUANTITY_FIELD] as number,
    };
  }

  /** Visits orders oldest first. The visited order may be removed. */
  private walkOrdersOf(owner: number, visit: (slot: number) => void): void {
    const holder = this.owners.get(owner);
    if (holder !== 0) this.slots.walk(OWNER_RING, holder, visit);
  }

  /** Checks in the order of `RejectReason`. */
  private refusal(order: PlaceOrder, side: number): RejectReason | null {
    const { price, quantity } = order;
    if (!isWhole(price)) return 'price_out_of_range';
    if (!isWhole(quantity)) return 'quantity_out_of_range';
    if (this.ids.get(order.id) !== 0) return 'duplicate_id';

    const rests = order.timeInForce === 'GTC';
    const isMarket = order.type === 'market';
    if (isMarket && (rests || order.postOnly)) return 'market_cannot_rest';
    if (order.postOnly && !rests) return 'post_only_must_rest';
    if (rests && (this.sums[side] as number) + quantity > Number.MAX_SAFE_INTEGER) return 'book_full';
    if (rests && !order.postOnly) return null;

    const best = this.ladder(side ^ OPPOSITE).best();
    const crosses = best !== 0 && this.isWithin(side, price, best);
    if (order.postOnly && crosses) return 'post_only_would_cross';
    if (order.timeInForce === 'FOK' && !this.canFill(order.owner, side, price, quantity)) return 'fok_not_fillable';
    if (isMarket && !crosses) return best === 0 ? 'no_liquidity' : 'beyond_price_band';
    return null;
  }

  /** Returns the quantity that is left. */
  private match(takerId: number, taker: number, side: number, limit: number, quantity: number): number {
    const { events } = this;
    const { numbers, links } = this.slots;
    const ladder = this.ladder(side ^ OPPOSITE);
    let left = quantity;
    while (left > 0) {
      const level = ladder.best();
      if (level === 0 || !this.isWithin(side, limit, level)) break;
      const price = this.priceOf(level);
      let slot = links[level * LINKS_PER_SLOT + QUEUE_RING + NEXT_LINK] as number;
      while (slot !== level && left > 0) {
        const makerId = numbers[slot * NUMBERS_PER_SLOT + ID_FIELD] as number;
        const there = numbers[slot * NUMBERS_PER_SLOT + QUANTITY_FIELD] as number;
        const next = links[slot * LINKS_PER_SLOT + QUEUE_RING + NEXT_LINK] as number;
        if (numbers[slot * NUMBERS_PER_SLOT + OWNER_FIELD] === taker) {
          this.remove(slot);
          events.cancelled(makerId, 'self_trade', there);
        } else if (there > left) {
          const traded = left;
          this.reduce(slot, traded);
          if (this.journal.isOpen) this.journal.noteReduced(slot, traded);
          left = 0;
          events.traded(makerId, takerId, price, traded, there - traded, 0);
        } else {
          left -= there;
          this.remove(slot);
          events.traded(makerId, takerId, price, there, 0, left);
        }
        slot = next;
      }
    }
    return left;
  }

  /**
   * True if enough quantity rests within the limit. The owner's own orders are left out, because the match would cancel
   * them.
   */
  private canFill(owner: number, side: number, limit: number, quantity: number): boolean {
    const { numbers, links } = this.slots;
    let own = 0;
    this.walkOrdersOf(owner, (slot) => {
      const level = links[slot * LINKS_PER_SLOT + LEVEL_LINK] as number;
      if (links[level * LINKS_PER_SLOT + SIDE_LINK] !== side && this.isWithin(side, limit, level))
        own += numbers[slot * NUMBERS_PER_SLOT + QUANTITY_FIELD] as number;
    });
    let there = 0;
    this.ladder(side ^ OPPOSITE).walk((level) => {
      if (!this.isWithin(side, limit, level)) return false;
      there += numbers[level * NUMBERS_PER_SLOT + QUANTITY_FIELD] as number;
      return there - own < quantity;
    });
    return there - own >= quantity;
  }

  /** Adds the order to the end of its level's queue. */
  private rest(id: number, owner: number, side: number, price: number, quantity: number): void {
    const { slots } = this;
    const level = this.levelAt(side, price);
    const holder = this.holderOf(owner);
    const slot = slots.take();
    const { numbers, links } = slots;
    numbers[slot * NUMBERS_PER_SLOT + ID_FIELD] = id;
    numbers[slot * NUMBERS_PER_SLOT + OWNER_FIELD] = owner;
    numbers[slot * NUMBERS_PER_SLOT + QUANTITY_FIELD] = quantity;
    numbers[slot * NUMBERS_PER_SLOT + ARRIVAL_FIELD] = this.nextArrival++;
    links[slot * LINKS_PER_SLOT + LEVEL_LINK] = level;
    slots.join(QUEUE_RING, level, slot);
    slots.join(OWNER_RING, holder, slot);
    this.count(slot, 1);
    this.ids.add(slot);
    if (this.journal.isOpen) this.journal.note(ORDER_ADDED, slot);
  }

  private levelAt(side: number, price: number): number {
    const { slots, journal } = this;
    const ladder = this.ladder(side);
    const best = ladder.best();
    const found = best !== 0 && this.priceOf(best) === price ? best : ladder.find(price);
    if (found !== 0) return found;
    const level = slots.takeHead(QUEUE_RING);
    slots.numbers[level * NUMBERS_PER_SLOT + PRICE_FIELD] = price;
    slots.numbers[level * NUMBERS_PER_SLOT + QUANTITY_FIELD] = 0;
    slots.links[level * LINKS_PER_SLOT + SIDE_LINK] = side;
    slots.links[level * LINKS_PER_SLOT + QUEUE_LENGTH_LINK] = 0;
    ladder.insert(level);
    if (journal.isOpen) journal.note(LEVEL_ADDED, level);
    return level;
  }

  private holderOf(owner: number): number {
    const found = this.owners.get(owner);
    if (found !== 0) return found;
    const holder = this.slots.takeHead(OWNER_RING);
    this.slots.numbers[holder * NUMBERS_PER_SLOT + OWNER_FIELD] = owner;
    this.owners.add(holder);
    return holder;
  }

  /** Removes an order for good, and also its level if the level is then empty. */
  private remove(slot: number): void {
    const { links } = this.slots;
    const level = links[slot * LINKS_PER_SLOT + LEVEL_LINK] as number;
    this.unlink(slot);
    this.discard(ORDER_REMOVED, slot);
    if (links[level * LINKS_PER_SLOT + QUEUE_LENGTH_LINK] !== 0) return;
    this.ladderOf(level).remove(level);
    this.discard(LEVEL_REMOVED, level);
  }

  private discard(change: typeof ORDER_REMOVED | typeof LEVEL_REMOVED, slot: number): void {
    if (this.journal.isOpen) {
      this.journal.note(change, slot);
      this.slots.drop(slot);
    } else this.slots.give(slot);
  }

  /** A negative quantity increases the order again, which undo uses. */
  private reduce(slot: number, quantity: number): void {
    const { numbers, links } = this.slots;
    const level = links[slot * LINKS_PER_SLOT + LEVEL_LINK] as number;
    (numbers[slot * NUMBERS_PER_SLOT + QUANTITY_FIELD] as number) -= quantity;
    (numbers[level * NUMBERS_PER_SLOT + QUANTITY_FIELD] as number) -= quantity;
    (this.sums[links[level * LINKS_PER_SLOT + SIDE_LINK] as number] as number) -= quantity;
  }

  /** Adds the slot's order to the sums of its level and its side; -1 subtracts it. */
  private count(slot: number, sign: 1 | -1): void {
    const { numbers, links } = this.slots;
    const level = links[slot * LINKS_PER_SLOT + LEVEL_LINK] as number;
    const quantity = sign * (numbers[slot * NUMBERS_PER_SLOT + QUANTITY_FIELD] as number);
    (links[level * LINKS_PER_SLOT + QUEUE_LENGTH_LINK] as number) += sign;
    (numbers[level * NUMBERS_PER_SLOT + QUANTITY_FIELD] as number) += quantity;
    (this.sums[links[level * LINKS_PER_SLOT + SIDE_LINK] as number] as number) += quantity;
  }

  /** Removes the slot from its rings and the id index; the slot itself still stores its neighbours. */
  private unlink(slot: number): void {
    const { slots } = this;
    slots.leave(QUEUE_RING, slot);
    slots.leave(OWNER_RING, slot);
    this.count(slot, -1);
    this.ids.remove(slot);
  }

  private relink(slot: number): void {
    const { slots } = this;
    slots.rejoin(QUEUE_RING, slot);
    slots.rejoin(OWNER_RING, slot);
    this.count(slot, 1);
    this.ids.add(slot);
  }
}

/** Branch-free. */
function indexOf(side: Side): number {
  return Number(side === 'sell');
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
