import type { BookEvents, RejectReason } from './book-events.ts';
import type { DepthLevel, PlaceOrder, RestingOrder, Side } from './order.ts';

/**
 * The reference for the fast book: one list of orders, oldest first, searched completely for everything. It is simple
 * enough to be verified by reading. Orders are replaced and never changed, so a copy of the list is a state.
 */
export class PlainBook {
  orders: RestingOrder[] = [];
  private readonly events: BookEvents;

  constructor(events: BookEvents) {
    this.events = events;
  }

  place(order: PlaceOrder): void {
    const reason = this.refusal(order);
    if (reason) this.events.rejected(order.id, reason);
    else this.match(order);
  }

  cancel(id: number, owner: number): void {
    const found = this.orders.find((each) => each.id === id && each.owner === owner);
    if (found) {
      this.replace(found, 0);
      this.events.cancelled(id, 'revoked', found.quantity);
    } else this.events.rejected(id, 'order_not_found');
  }

  shrink(id: number, owner: number, left: number): void {
    const found = this.orders.find((each) => each.id === id && each.owner === owner);
    if (!found) this.events.rejected(id, 'order_not_found');
    else if (!Number.isSafeInteger(left) || left < 1 || left >= found.quantity)
      this.events.rejected(id, 'quantity_not_less');
    else {
      this.replace(found, left);
      this.events.shrunk(id, left);
    }
  }

  cancelAll(owner: number): number {
    const found = this.orders.filter((each) => each.owner === owner);
    for (const each of found) this.cancel(each.id, owner);
    return found.length;
  }

  depth(side: Side): DepthLevel[] {
    const levels = new Map<number, DepthLevel>();
    for (const order of this.orders) {
      if (order.side !== side) continue;
      const { quantity, orders } = levels.get(order.price) ?? { quantity: 0, orders: 0 };
      levels.set(order.price, { price: order.price, quantity: quantity + order.quantity, orders: orders + 1 });
    }
    return [...levels.values()].sort((a, b) => (side === 'buy' ? b.price - a.price : a.price - b.price));
  }

  private refusal(order: PlaceOrder): RejectReason | null {
    const { id, owner, side, price, quantity, timeInForce, postOnly } = order;
    const whole = (value: number): boolean => Number.isSafeInteger(value) && value > 0;
    if (!whole(price)) return 'price_out_of_range';
    if (!whole(quantity)) return 'quantity_out_of_range';
    if (this.orders.some((each) => each.id === id)) return 'duplicate_id';
    if (order.type === 'market' && timeInForce === 'GTC') return 'market_cannot_rest';
    if (order.type === 'market' && postOnly) return 'market_cannot_rest';
    if (postOnly && timeInForce !== 'GTC') return 'post_only_must_rest';
    const resting = sum(this.orders.filter((each) => each.side === side));
    if (timeInForce === 'GTC' && resting + BigInt(quantity) >= 2n ** 53n) return 'book_full';
    const acceptable = this.acceptable(order);
    if (postOnly && acceptable.length > 0) return 'post_only_would_cross';
    const others = acceptable.filter((each) => each.owner !== owner);
    if (timeInForce === 'FOK' && sum(others) < BigInt(quantity)) return 'fok_not_fillable';
    if (order.type === 'market' && this.orders.every((each) => each.side === side)) return 'no_liquidity';
    if (order.type === 'market' && acceptable.length === 0) return 'beyond_price_band';
    return null;
  }

  private match({ id, owner, side, price, quantity, timeInForce }: PlaceOrder): void {
    let left = quantity;
    for (const maker of this.acceptable({ side, price })) {
      if (left === 0) break;
      if (maker.owner === owner) {
        this.replace(maker, 0);
        this.events.cancelled(maker.id, 'self_trade', maker.quantity);
        continue;
      }
      const traded = Math.min(left, maker.quantity);
      left -= traded;
      this.replace(maker, maker.quantity - traded);
      this.events.traded(maker.id, id, maker.price, traded, maker.quantity - traded, left);
    }
    if (left > 0 && timeInForce === 'GTC') {
      this.orders = [...this.orders, { id, owner, side, price, quantity: left }];
      this.events.rested(id, left);
    } else if (left > 0) this.events.cancelled(id, 'unfilled', left);
  }

  /** Best price first, and oldest first at the same price, because the sort is stable. */
  private acceptable({ side, price }: { side: Side; price: number }): RestingOrder[] {
    return side === 'buy'
      ? this.orders.filter((each) => each.side === 'sell' && each.price <= price).sort((a, b) => a.price - b.price)
      : this.orders.filter((each) => each.side === 'buy' && each.price >= price).sort((a, b) => b.price - a.price);
  }

  private replace(order: RestingOrder, quantity: number): void {
    this.orders = this.orders.flatMap((each) =>
      each !== order ? [each] : quantity > 0 ? [{ ...each, quantity }] : [],
    );
  }
}

function sum(orders: readonly RestingOrder[]): bigint {
  return orders.reduce((total, each) => total + BigInt(each.quantity), 0n);
}
