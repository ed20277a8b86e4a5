/** Why a command changed nothing, in the order of the checks. */
export type RejectReason =
  | 'price_out_of_range'
  | 'quantity_out_of_range'
  | 'duplicate_id'
  /** A market order that is not IOC or FOK, or is post-only. */
  | 'market_cannot_rest'
  /** A post-only order that is not GTC. */
  | 'post_only_must_rest'
  /** The total quantity of a side would exceed 2^53 - 1 lots. */
  | 'book_full'
  | 'post_only_would_cross'
  | 'fok_not_fillable'
  /** A market order when the other side is empty. */
  | 'no_liquidity'
  /** A market order when the other side's best price is beyond its band. */
  | 'beyond_price_band'
  /** An order to revoke or shrink that does not rest, or belongs to somebody else. */
  | 'order_not_found'
  /** A smaller quantity that is not below the open one. */
  | 'quantity_not_less';

/** Why an order ended before it was filled. */
type CancelReason =
  | 'revoked'
  /** A resting order that a new order of the same owner would have traded with. */
  | 'self_trade'
  /** The part of an IOC or market order that found no match within its price. */
  | 'unfilled';

/**
 * Receives each event while it happens, in order. Placing an order causes either one `rejected`, or any number of
 * `traded` and of `cancelled` for `self_trade`, followed by one `rested` or `cancelled` if a quantity is left. A
 * listener only records: it must not call the book.
 */
export interface BookEvents {
  /** The order joins the end of its level's queue. */
  rested(id: number, quantity: number): void;
  /** The trade is at the maker's price. An order with nothing left leaves the book. */
  traded(makerId: number, takerId: number, price: number, quantity: number, makerLeft: number, takerLeft: number): void;
  /** An order at its place with less of it open; `left` is the open quantity. */
  shrunk(id: number, left: number): void;
  /** `quantity` is the open quantity. */
  cancelled(id: number, reason: CancelReason, quantity: number): void;
  rejected(id: number, reason: RejectReason): void;
}

export type BookEvent =
  | { readonly type: 'rested'; readonly id: number; readonly quantity: number }
  | {
      readonly type: 'traded';
      readonly makerId: number;
      readonly takerId: number;
      readonly price: number;
      readonly quantity: number;
      readonly makerLeft: number;
      readonly takerLeft: number;
    }
  | { readonly type: 'shrunk'; readonly id: number; readonly left: number }
  | { readonly type: 'cancelled'; readonly id: number; readonly reason: CancelReason; readonly quantity: number }
  | { readonly type: 'rejected'; readonly id: number; readonly reason: RejectReason };

/** A listener that stores the events as records; `take` returns them and empties the list. */
export class EventList implements BookEvents {
  private events: BookEvent[] = [];

  take(): BookEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }

  rested(id: number, quantity: number): void {
    this.events.push({ type: 'rested', id, quantity });
  }

  traded(
    makerId: number,
    takerId: number,
    price: number,
    quantity: number,
    makerLeft: number,
    takerLeft: number,
  ): void {
    this.events.push({ type: 'traded', makerId, takerId, price, quantity, makerLeft, takerLeft });
  }

  shrunk(id: number, left: number): void {
    this.events.push({ type: 'shrunk', id, left });
  }

  cancelled(id: number, reason: CancelReason, quantity: number): void {
    this.events.push({ type: 'cancelled', id, reason, quantity });
  }

  rejected(id: number, reason: RejectReason): void {
    this.events.push({ type: 'rejected', id, reason });
  }
}
