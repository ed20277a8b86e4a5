/**
 * The order book of one coin: best price first, and at one price who came first.
 *
 * Goal: exact and fast, with memory that is taken once. Prices and quantities are whole numbers below 2^53; so are all sums,
 * because a side whose sum would pass that takes nothing more. No clock, no randomness, no I/O: the same commands give
 * the same events and the same state.
 *
 * Invariants, between two commands:
 * - the best bid is below the best ask;
 * - the orders of a level stand in order of arrival, and a level's quantity and number are the sums over its queue;
 * - an order is in its level, in its owner's list and under its id, or in none of them; no level is empty.
 */
import type { BookEvents, RejectReason } from './book-events.ts';
import { HEAD, LEVEL_QUANTITY, LevelSlots, ORDERS, PRICE, QUEUES, SIDE, SUMS, TAIL } from './level-slots.ts';
import { NumberTable } from './number-table.ts';
import type { DepthLevel, PlaceOrder, RestingOrder, Side } from './order.ts';
import {
  ARRIVAL,
  ID,
  LEVEL,
  LINKS,
  NEXT,
  NUMBERS,
  OrderSlots,
  OWNER,
  OWNER_NEXT,
  OWNER_PREVIOUS,
  PREVIOUS,
  QUANTITY,
} from './order-slots.ts';
import { PriceLadder } from './price-ladder.ts';
import { hashOrders } from './state-hash.ts';
import { LEVEL_ADDED, LEVEL_REMOVED, ORDER_ADDED, ORDER_REDUCED, ORDER_REMOVED, UndoJournal } from './undo-journal.ts';

const BUY = 0;
const SELL = 1;

declare const checkpointBrand: unique symbol;
/** A moment to which the book can be taken back. */
export type Checkpoint = number & { readonly [checkpointBrand]: 'checkpoint' };

export class Book {
  private readonly events: BookEvents;
  private readonly orders = new OrderSlots();
  private readonly levels = new LevelSlots();
  private readonly ids = new NumberTable();
  /** Each owner's newest order. */
  private readonly owners = new NumberTable();
  private readonly bids = new PriceLadder('higher');
  private readonly asks = new PriceLadder('lower');
  private bidQuantity = 0;
  private askQuantity = 0;
  private nextArrival = 1;
  private readonly journal = new UndoJournal();

  constructor(events: BookEvents) {
    this.events = events;
  }

  /** A book with these orders, oldest first, as `snapshot` gave them or a database kept them. No events are told. */
  static restore(orders: Iterable<RestingOrder>, events: BookEvents): Book {
    const book = new Book(events);
    for (const { id, owner, side, price, quantity } of orders) {
      const best = book.bestPrice(side === 'buy' ? 'sell' : 'buy');
      if (best !== null && (side === 'buy' ? best <= price : best >= price))
        throw new RangeError(`order ${id} would cross: these are not the orders of one book`);
      if (!isWhole(id) || !isWhole(owner) || !isWhole(price) || !isWhole(quantity) || book.ids.get(id) !== 0)
        throw new RangeError(`order ${id} can't rest: it is there already, or not in whole numbers above 0`);
      book.rest(id, owner, side === 'buy' ? BUY : SELL, price, quantity);
    }
    return book;
  }

  /** Refusals are events. Throws when the id or the owner is no whole number from 1 to 2^53 - 1: nobody typed those. */
  place(order: PlaceOrder): void {
    const { id, owner, price, quantity } = order;
    if (!isWhole(id) || !isWhole(owner)) throw new RangeError(`not an id and an owner: ${id}, ${owner}`);
    const reason = this.refusal(order);
    if (reason !== null) {
      this.events.rejected(id, reason);
      return;
    }
    // After this point the order is accepted, whatever comes of it.
    const isBuy = order.side === 'buy';
    const left = this.match(id, owner, isBuy, price, quantity);
    if (left === 0) return;
    if (order.timeInForce === 'GTC') {
      this.rest(id, owner, isBuy ? BUY : SELL, price, left);
      this.events.rested(id, left);
    } else this.events.cancelled(id, 'unfilled', left);
  }

  /** Takes the owner's order off; somebody else's is as unknown as one that is gone. */
  cancel(id: number, owner: number): void {
    const slot = this.ids.get(id);
    if (slot === 0 || this.orders.numbers[slot * NUMBERS + OWNER] !== owner) {
      this.events.rejected(id, 'order_not_found');
      return;
    }
    const left = this.orders.numbers[slot * NUMBERS + QUANTITY] as number;
    this.remove(slot);
    this.events.cancelled(id, 'revoked', left);
  }

  /** Takes off all orders of an owner, oldest first, and says how many there were. */
  cancelAll(owner: number): number {
    const slots: number[] = [];
    for (let slot = this.owners.get(owner); slot !== 0; slot = this.orders.links[slot * LINKS + OWNER_NEXT] as number)
      slots.push(slot);
    for (const slot of slots.reverse()) {
      const id = this.orders.numbers[slot * NUMBERS + ID] as number;
      const left = this.orders.numbers[slot * NUMBERS + QUANTITY] as number;
      this.remove(slot);
      this.events.cancelled(id, 'revoked', left);
    }
    return slots.length;
  }

  /**
   * From the first checkpoint to `commit`, changes can be taken back exactly: the same orders at the same places in their
   * queues. What was told to the listener can't be; the caller drops it.
   */
  checkpoint(): Checkpoint {
    this.journal.isOpen = true;
    return this.journal.length as Checkpoint;
  }

  /** Takes back all since the checkpoint, which stays open. */
  rollback(checkpoint: Checkpoint): void {
    const { journal } = this;
    if (!journal.isOpen || checkpoint > journal.length) throw new RangeError('the checkpoint is not open');
    journal.isOpen = false;
    for (let at = journal.length - 1; at >= checkpoint; at--) {
      const slot = journal.slot(at);
      switch (journal.change(at)) {
        case ORDER_ADDED:
          this.unlink(slot);
          this.orders.give(slot);
          break;
        case ORDER_REMOVED:
          this.relink(slot);
          break;
        case ORDER_REDUCED:
          this.reduce(slot, -journal.quantity(at));
          break;
        case LEVEL_ADDED:
          this.ladderOf(slot).remove(this.levels.sums[slot * SUMS + PRICE] as number);
          this.levels.give(slot);
          break;
        case LEVEL_REMOVED:
          this.ladderOf(slot).insert(this.levels.sums[slot * SUMS + PRICE] as number, slot);
          break;
      }
    }
    journal.length = checkpoint;
    journal.isOpen = true;
  }

  /** Closes all checkpoints: what happened stays. */
  commit(): void {
    const { journal } = this;
    if (!journal.isOpen) throw new RangeError('there is no checkpoint');
    for (let at = 0; at < journal.length; at++) {
      // Slots that were taken off could be neither cleared nor given out again while an undo might want them.
      if (journal.change(at) === ORDER_REMOVED) this.orders.give(journal.slot(at));
      else if (journal.change(at) === LEVEL_REMOVED) this.levels.give(journal.slot(at));
    }
    journal.length = 0;
    journal.isOpen = false;
  }

  get orderCount(): number {
    return this.ids.size;
  }

  /** Null when the side is empty. */
  bestPrice(side: Side): number | null {
    const level = this.side(side).best();
    return level === 0 ? null : (this.levels.sums[level * SUMS + PRICE] as number);
  }

  /** The best `count` levels of a side, best first. */
  depth(side: Side, count: number): DepthLevel[] {
    const { sums, queues } = this.levels;
    const found: DepthLevel[] = [];
    if (count <= 0) return found;
    this.side(side).walk((level) => {
      found.push({
        price: sums[level * SUMS + PRICE] as number,
        quantity: sums[level * SUMS + LEVEL_QUANTITY] as number,
        orders: queues[level * QUEUES + ORDERS] as number,
      });
      return found.length < count;
    });
    return found;
  }

  /** Orders of an owner that rest. */
  countOf(owner: number): number {
    let count = 0;
    for (let slot = this.owners.get(owner); slot !== 0; slot = this.orders.links[slot * LINKS + OWNER_NEXT] as number)
      count += 1;
    return count;
  }

  /**
   * The most lots that a buy could take for `budget` (ticks × lots) within its limit, best prices first. Where the book ends before the
   * budget, the rest counts at the last price that there is: so the order is told that it was not filled. The owner's own orders are left
   * out: they would be cancelled instead of traded.
   */
  lotsFor(owner: number, limit: number, budget: bigint): number {
    const { levels } = this;
    const { numbers, links } = this.orders;
    const own = new Map<number, number>();
    for (let slot = this.owners.get(owner); slot !== 0; slot = links[slot * LINKS + OWNER_NEXT] as number) {
      const level = links[slot * LINKS + LEVEL] as number;
      own.set(level, (own.get(level) ?? 0) + (numbers[slot * NUMBERS + QUANTITY] as number));
    }
    let left = budget;
    let lots = 0n;
    let last = 0n;
    this.asks.walk((level) => {
      const ticks = levels.sums[level * SUMS + PRICE] as number;
      if (ticks > limit) return false;
      const there = (levels.sums[level * SUMS + LEVEL_QUANTITY] as number) - (own.get(level) ?? 0);
      if (there === 0) return true;
      const price = BigInt(ticks);
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

  /** Null when no order with this id rests. */
  order(id: number): RestingOrder | null {
    const slot = this.ids.get(id);
    return slot === 0 ? null : this.read(slot);
  }

  /** All resting orders, oldest first: the whole state, for within a level the oldest has priority. */
  snapshot(): RestingOrder[] {
    const { numbers, links } = this.orders;
    const { queues } = this.levels;
    const slots: number[] = [];
    const collect = (level: number): boolean => {
      for (let slot = queues[level * QUEUES + HEAD] as number; slot !== 0; slot = links[slot * LINKS + NEXT] as number)
        slots.push(slot);
      return true;
    };
    this.bids.walk(collect);
    this.asks.walk(collect);
    slots.sort((a, b) => (numbers[a * NUMBERS + ARRIVAL] as number) - (numbers[b * NUMBERS + ARRIVAL] as number));
    return slots.map((slot) => this.read(slot));
  }

  /** 16 hexadecimal digits over the whole state; equal for equal books, however they came to be. */
  stateHash(): string {
    return hashOrders(this.snapshot());
  }

  private side(side: Side): PriceLadder {
    return side === 'buy' ? this.bids : this.asks;
  }

  private ladderOf(level: number): PriceLadder {
    return this.levels.queues[level * QUEUES + SIDE] === BUY ? this.bids : this.asks;
  }

  private read(slot: number): RestingOrder {
    const level = this.orders.links[slot * LINKS + LEVEL] as number;
    return {
      id: this.orders.numbers[slot * NUMBERS + ID] as number,
      owner: this.orders.numbers[slot * NUMBERS + OWNER] as number,
      side: this.levels.queues[level * QUEUES + SIDE] === BUY ? 'buy' : 'sell',
      price: this.levels.sums[level * SUMS + PRICE] as number,
      quantity: this.orders.numbers[slot * NUMBERS + QUANTITY] as number,
    };
  }

  /** Refuses in the order written here, which is that of `RejectReason`. */
  private refusal(order: PlaceOrder): RejectReason | null {
    const { price, quantity } = order;
    if (!isWhole(price)) return 'price_out_of_range';
    if (!isWhole(quantity)) return 'quantity_out_of_range';
    if (this.ids.get(order.id) !== 0) return 'duplicate_id';

    const isBuy = order.side === 'buy';
    const rests = order.timeInForce === 'GTC';
    const isMarket = order.type === 'market';
    if (isMarket && (rests || order.postOnly)) return 'market_cannot_rest';
    if (order.postOnly && !rests) return 'post_only_must_rest';
    if (rests && (isBuy ? this.bidQuantity : this.askQuantity) + quantity > Number.MAX_SAFE_INTEGER) return 'book_full';

    const best = (isBuy ? this.asks : this.bids).best();
    const crosses = best !== 0 && isWithin(isBuy, price, this.levels.sums[best * SUMS + PRICE] as number);
    if (order.postOnly && crosses) return 'post_only_would_cross';
    if (order.timeInForce === 'FOK' && !this.canFill(order.owner, isBuy, price, quantity)) return 'fok_not_fillable';
    if (isMarket && !crosses) return best === 0 ? 'no_liquidity' : 'beyond_price_band';
    return null;
  }

  /** Gives what is left. */
  private match(takerId: number, taker: number, isBuy: boolean, limit: number, quantity: number): number {
    const { events, levels } = this;
    const { numbers, links } = this.orders;
    const ladder = isBuy ? this.asks : this.bids;
    let left = quantity;
    while (left > 0) {
      const level = ladder.best();
      if (level === 0) break;
      const price = levels.sums[level * SUMS + PRICE] as number;
      if (!isWithin(isBuy, limit, price)) break;
      let slot = levels.queues[level * QUEUES + HEAD] as number;
      while (slot !== 0 && left > 0) {
        const makerId = numbers[slot * NUMBERS + ID] as number;
        const there = numbers[slot * NUMBERS + QUANTITY] as number;
        const next = links[slot * LINKS + NEXT] as number;
        if (numbers[slot * NUMBERS + OWNER] === taker) {
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

  /** What rests within the limit, without the owner's own orders, which would be cancelled instead of traded. */
  private canFill(owner: number, isBuy: boolean, limit: number, quantity: number): boolean {
    const { levels } = this;
    const { numbers, links } = this.orders;
    const otherSide = isBuy ? SELL : BUY;
    let own = 0;
    for (let slot = this.owners.get(owner); slot !== 0; slot = links[slot * LINKS + OWNER_NEXT] as number) {
      const level = links[slot * LINKS + LEVEL] as number;
      if (
        levels.queues[level * QUEUES + SIDE] === otherSide &&
        isWithin(isBuy, limit, levels.sums[level * SUMS + PRICE] as number)
      )
        own += numbers[slot * NUMBERS + QUANTITY] as number;
    }
    let there = 0;
    (isBuy ? this.asks : this.bids).walk((level) => {
      if (!isWithin(isBuy, limit, levels.sums[level * SUMS + PRICE] as number)) return false;
      there += levels.sums[level * SUMS + LEVEL_QUANTITY] as number;
      return there - own < quantity;
    });
    return there - own >= quantity;
  }

  /** At the end of the level's queue. */
  private rest(id: number, owner: number, side: number, price: number, quantity: number): void {
    const { levels, journal } = this;
    const ladder = side === BUY ? this.bids : this.asks;
    const best = ladder.best();
    let level = best !== 0 && levels.sums[best * SUMS + PRICE] === price ? best : ladder.find(price);
    if (level === 0) {
      level = levels.take(side, price);
      ladder.insert(price, level);
      if (journal.isOpen) journal.note(LEVEL_ADDED, level);
    }
    const slot = this.orders.take();
    const { numbers, links } = this.orders;
    const { queues } = levels;
    const previous = queues[level * QUEUES + TAIL] as number;
    const older = this.owners.set(owner, slot);
    numbers[slot * NUMBERS + ID] = id;
    numbers[slot * NUMBERS + OWNER] = owner;
    numbers[slot * NUMBERS + QUANTITY] = quantity;
    numbers[slot * NUMBERS + ARRIVAL] = this.nextArrival++;
    links[slot * LINKS + LEVEL] = level;
    links[slot * LINKS + NEXT] = 0;
    links[slot * LINKS + PREVIOUS] = previous;
    links[slot * LINKS + OWNER_NEXT] = older;
    links[slot * LINKS + OWNER_PREVIOUS] = 0;
    if (previous !== 0) links[previous * LINKS + NEXT] = slot;
    else queues[level * QUEUES + HEAD] = slot;
    queues[level * QUEUES + TAIL] = slot;
    if (older !== 0) links[older * LINKS + OWNER_PREVIOUS] = slot;
    this.ids.set(id, slot);
    (queues[level * QUEUES + ORDERS] as number) += 1;
    this.addToLevel(level, quantity);
    if (journal.isOpen) journal.note(ORDER_ADDED, slot);
  }

  /** Takes an order off for good, and its level with it when it was the last. */
  private remove(slot: number): void {
    const { levels, journal } = this;
    const level = this.orders.links[slot * LINKS + LEVEL] as number;
    this.unlink(slot);
    if (journal.isOpen) journal.note(ORDER_REMOVED, slot);
    else this.orders.give(slot);
    if (levels.queues[level * QUEUES + ORDERS] !== 0) return;
    this.ladderOf(level).remove(levels.sums[level * SUMS + PRICE] as number);
    if (journal.isOpen) journal.note(LEVEL_REMOVED, level);
    else levels.give(level);
  }

  /** Negative to give it back. */
  private reduce(slot: number, quantity: number): void {
    const level = this.orders.links[slot * LINKS + LEVEL] as number;
    (this.orders.numbers[slot * NUMBERS + QUANTITY] as number) -= quantity;
    this.addToLevel(level, -quantity);
  }

  private addToLevel(level: number, quantity: number): void {
    (this.levels.sums[level * SUMS + LEVEL_QUANTITY] as number) += quantity;
    if (this.levels.queues[level * QUEUES + SIDE] === BUY) this.bidQuantity += quantity;
    else this.askQuantity += quantity;
  }

  /** Out of its level's queue, its owner's list and the ids; the slot itself remembers where it stood. */
  private unlink(slot: number): void {
    const { levels } = this;
    const { numbers, links } = this.orders;
    const level = links[slot * LINKS + LEVEL] as number;
    const previous = links[slot * LINKS + PREVIOUS] as number;
    const next = links[slot * LINKS + NEXT] as number;
    if (previous !== 0) links[previous * LINKS + NEXT] = next;
    else levels.queues[level * QUEUES + HEAD] = next;
    if (next !== 0) links[next * LINKS + PREVIOUS] = previous;
    else levels.queues[level * QUEUES + TAIL] = previous;

    const newer = links[slot * LINKS + OWNER_PREVIOUS] as number;
    const older = links[slot * LINKS + OWNER_NEXT] as number;
    if (newer !== 0) links[newer * LINKS + OWNER_NEXT] = older;
    else if (older !== 0) this.owners.set(numbers[slot * NUMBERS + OWNER] as number, older);
    else this.owners.delete(numbers[slot * NUMBERS + OWNER] as number);
    if (older !== 0) links[older * LINKS + OWNER_PREVIOUS] = newer;

    this.ids.delete(numbers[slot * NUMBERS + ID] as number);
    (levels.queues[level * QUEUES + ORDERS] as number) -= 1;
    this.addToLevel(level, -(numbers[slot * NUMBERS + QUANTITY] as number));
  }

  /** Undoes `unlink`: between the neighbours that the slot names, which must be as they were then. */
  private relink(slot: number): void {
    const { levels } = this;
    const { numbers, links } = this.orders;
    const level = links[slot * LINKS + LEVEL] as number;
    const previous = links[slot * LINKS + PREVIOUS] as number;
    const next = links[slot * LINKS + NEXT] as number;
    if (previous !== 0) links[previous * LINKS + NEXT] = slot;
    else levels.queues[level * QUEUES + HEAD] = slot;
    if (next !== 0) links[next * LINKS + PREVIOUS] = slot;
    else levels.queues[level * QUEUES + TAIL] = slot;

    const newer = links[slot * LINKS + OWNER_PREVIOUS] as number;
    const older = links[slot * LINKS + OWNER_NEXT] as number;
    if (newer !== 0) links[newer * LINKS + OWNER_NEXT] = slot;
    else this.owners.set(numbers[slot * NUMBERS + OWNER] as number, slot);
    if (older !== 0) links[older * LINKS + OWNER_PREVIOUS] = slot;

    this.ids.set(numbers[slot * NUMBERS + ID] as number, slot);
    (levels.queues[level * QUEUES + ORDERS] as number) += 1;
    this.addToLevel(level, numbers[slot * NUMBERS + QUANTITY] as number);
  }
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** Whether a resting price is as good as the limit or better. */
function isWithin(isBuy: boolean, limit: number, price: number): boolean {
  return isBuy ? price <= limit : price >= limit;
}
