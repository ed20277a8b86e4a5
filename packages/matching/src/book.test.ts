import { describe, expect, it } from 'vitest';
import { Book } from './book.ts';
import { EventList, type RejectReason } from './book-events.ts';
import type { PlaceOrder, RestingOrder } from './order.ts';

const limit: PlaceOrder = {
  id: 100,
  owner: 9,
  side: 'buy',
  type: 'limit',
  price: 100,
  quantity: 10,
  timeInForce: 'GTC',
  postOnly: false,
};
const ask = (id: number, price: number, quantity: number, owner = 1): RestingOrder => ({
  id,
  owner,
  side: 'sell',
  price,
  quantity,
});
const MOST = Number.MAX_SAFE_INTEGER;

function bookOf(...orders: RestingOrder[]): { book: Book; events: EventList } {
  const events = new EventList();
  return { book: Book.restore(orders, events), events };
}

describe('an order is rejected', () => {
  it.each<[RejectReason, RestingOrder[], Partial<PlaceOrder>]>([
    ['price_out_of_range', [], { price: 0 }],
    ['price_out_of_range', [], { price: 99.5 }],
    ['price_out_of_range', [], { price: MOST + 1 }],
    ['price_out_of_range', [], { price: Number.NaN, quantity: 0 }],
    ['quantity_out_of_range', [], { quantity: 0 }],
    ['quantity_out_of_range', [], { quantity: -1 }],
    ['quantity_out_of_range', [], { quantity: 0.1 }],
    ['quantity_out_of_range', [ask(100, 105, 1)], { quantity: MOST + 1 }],
    ['duplicate_id', [ask(100, 105, 1)], { type: 'market' }],
    ['market_cannot_rest', [], { type: 'market' }],
    ['market_cannot_rest', [], { type: 'market', timeInForce: 'IOC', postOnly: true }],
    ['post_only_must_rest', [], { timeInForce: 'IOC', postOnly: true }],
    ['post_only_must_rest', [], { timeInForce: 'FOK', postOnly: true }],
    ['book_full', [ask(1, 101, MOST - 9)], { side: 'sell', price: 102 }],
    ['post_only_would_cross', [ask(1, 100, 1)], { postOnly: true }],
    ['post_only_would_cross', [ask(1, 100, 1, 9)], { postOnly: true }],
    ['fok_not_fillable', [ask(1, 99, 4), ask(2, 100, 5)], { timeInForce: 'FOK' }],
    ['fok_not_fillable', [ask(1, 99, 9), ask(2, 101, 5)], { timeInForce: 'FOK' }],
    ['fok_not_fillable', [ask(1, 99, 9), ask(2, 100, 5, 9)], { timeInForce: 'FOK' }],
    ['fok_not_fillable', [], { type: 'market', timeInForce: 'FOK' }],
    ['no_liquidity', [], { type: 'market', timeInForce: 'IOC' }],
    ['beyond_price_band', [ask(1, 101, 50)], { type: 'market', timeInForce: 'IOC' }],
  ])('as %s, and nothing changes', (reason, resting, change) => {
    const { book, events } = bookOf(...resting);
    const hash = book.stateHash();
    book.place({ ...limit, ...change });
    expect(events.take()).toEqual([{ type: 'rejected', id: 100, reason }]);
    expect(book.stateHash()).toBe(hash);
  });

  it('accepts the largest exact order, and sums of a side up to the last lot', () => {
    const { book, events } = bookOf(ask(1, MOST, MOST - 10));
    book.place({ ...limit, side: 'sell', price: MOST });
    expect(events.take()).toEqual([{ type: 'rested', id: 100, quantity: 10 }]);
    expect(book.depth('sell', 1)).toEqual([{ price: MOST, quantity: MOST, orders: 2 }]);
    book.place({ ...limit, id: 101, type: 'market', timeInForce: 'FOK', price: MOST, quantity: MOST - 10 });
    expect(events.take()).toHaveLength(1);
    expect(book.snapshot()).toEqual([{ ...ask(100, MOST, 10), owner: 9 }]);
  });

  it('throws when the id or the owner is invalid', () => {
    const { book } = bookOf();
    for (const bad of [0, -1, 1.5, MOST + 1, Number.NaN]) {
      expect(() => book.place({ ...limit, id: bad })).toThrow(RangeError);
      expect(() => book.place({ ...limit, owner: bad })).toThrow(RangeError);
    }
  });
});

describe('an owner', () => {
  it('who would trade with themselves: the resting order is cancelled, the new one trades with others', () => {
    const { book, events } = bookOf(
      ask(1, 99, 4, 9),
      ask(2, 99, 3),
      ask(3, 100, 2, 9),
      ask(4, 100, 5),
      ask(5, 101, 5, 9),
    );
    book.place(limit);
    expect(events.take()).toEqual([
      { type: 'cancelled', id: 1, reason: 'self_trade', quantity: 4 },
      { type: 'traded', makerId: 2, takerId: 100, price: 99, quantity: 3, makerLeft: 0, takerLeft: 7 },
      { type: 'cancelled', id: 3, reason: 'self_trade', quantity: 2 },
      { type: 'traded', makerId: 4, takerId: 100, price: 100, quantity: 5, makerLeft: 0, takerLeft: 2 },
      { type: 'rested', id: 100, quantity: 2 },
    ]);
    expect(book.snapshot().map((each) => each.id)).toEqual([5, 100]);
  });

  it('revokes only the owner’s orders', () => {
    const { book, events } = bookOf(ask(1, 99, 4, 9));
    book.cancel(1, 8);
    book.cancel(2, 9);
    book.cancel(1, 9);
    book.cancel(1, 9);
    expect(events.take()).toEqual([
      { type: 'rejected', id: 1, reason: 'order_not_found' },
      { type: 'rejected', id: 2, reason: 'order_not_found' },
      { type: 'cancelled', id: 1, reason: 'revoked', quantity: 4 },
      { type: 'rejected', id: 1, reason: 'order_not_found' },
    ]);
  });

  it('shrinks only an own order, which keeps its place, also after a rollback', () => {
    const { book, events } = bookOf(ask(1, 99, 4, 9), ask(2, 99, 3));
    book.checkpoint();
    book.shrink(1, 8, 2);
    book.shrink(1, 9, 4);
    book.shrink(1, 9, 0);
    book.shrink(1, 9, 1);
    expect(events.take()).toEqual([
      { type: 'rejected', id: 1, reason: 'order_not_found' },
      { type: 'rejected', id: 1, reason: 'quantity_not_less' },
      { type: 'rejected', id: 1, reason: 'quantity_not_less' },
      { type: 'shrunk', id: 1, left: 1 },
    ]);
    expect(book.snapshot()).toEqual([ask(1, 99, 1, 9), ask(2, 99, 3)]);
    expect(book.depth('sell', 1)).toEqual([{ price: 99, quantity: 4, orders: 2 }]);
    book.rollback(0 as ReturnType<typeof book.checkpoint>);
    expect(book.snapshot()).toEqual([ask(1, 99, 4, 9), ask(2, 99, 3)]);
    expect(book.depth('sell', 1)).toEqual([{ price: 99, quantity: 7, orders: 2 }]);
  });

  it('revokes all own orders, oldest first, and no other owner’s', () => {
    const { book, events } = bookOf(ask(5, 99, 1, 9), ask(3, 105, 2), ask(4, 98, 3, 9));
    book.place({ ...limit, id: 2, price: 90 });
    events.take();
    expect(book.cancelAll(9)).toBe(3);
    expect(events.take().map((event) => 'id' in event && event.id)).toEqual([5, 4, 2]);
    expect(book.snapshot()).toEqual([ask(3, 105, 2)]);
    expect(book.cancelAll(9)).toBe(0);
  });
});

describe('a book can be read', () => {
  const { book } = bookOf(ask(1, 103, 4), ask(2, 101, 3), ask(3, 101, 2, 9));

  it('by its best prices, depth and orders', () => {
    expect(book.bestPrice('sell')).toBe(101);
    expect(book.bestPrice('buy')).toBeNull();
    expect(book.depth('sell', 1)).toEqual([{ price: 101, quantity: 5, orders: 2 }]);
    expect(book.depth('sell', 9).map((level) => level.price)).toEqual([101, 103]);
    expect(book.depth('sell', 0)).toEqual([]);
    expect(book.depth('buy', 9)).toEqual([]);
    expect(book.order(3)).toEqual(ask(3, 101, 2, 9));
    expect(book.order(4)).toBeNull();
    expect(book.orderCount).toBe(3);
  });

  it('by its hash, which is the same in every release and covers every field', () => {
    expect(book.stateHash()).toBe('4272d2430b7871a8');
    const hashes = [
      [ask(1, 103, 4), ask(2, 101, 3)],
      [ask(2, 101, 3), ask(1, 103, 4)],
      [ask(1, 103, 4), ask(2, 101, 4)],
      [ask(1, 103, 4), ask(2, 102, 3)],
      [ask(1, 103, 4), ask(2, 101, 3, 2)],
      [ask(1, 103, 4), ask(2 + 2 ** 32, 101, 3)],
      [ask(1, 103, 4), { ...ask(2, 101, 3), side: 'buy' as const }],
      [ask(1, 103, 4)],
      [],
    ].map((orders) => bookOf(...orders).book.stateHash());
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe('restore', () => {
  it.each<[string, RestingOrder[]]>([
    ['a crossed book', [ask(1, 100, 1), { ...ask(2, 100, 1), side: 'buy' }]],
    ['an id twice', [ask(1, 100, 1), ask(1, 101, 1)]],
    ['a fraction', [ask(1, 100, 1.5)]],
    ['nothing left', [ask(1, 100, 0)]],
  ])('throws at %s', (_what, orders) => {
    expect(() => bookOf(...orders)).toThrow(RangeError);
  });
});

describe('checkpoints', () => {
  it('can only be rolled back or closed while they are open', () => {
    const { book } = bookOf(ask(1, 100, 1));
    expect(() => book.commit()).toThrow(RangeError);
    const checkpoint = book.checkpoint();
    book.cancel(1, 1);
    const later = book.checkpoint();
    book.rollback(checkpoint);
    expect(() => book.rollback(later)).toThrow(RangeError);
    book.commit();
    expect(() => book.rollback(checkpoint)).toThrow(RangeError);
    expect(book.orderCount).toBe(1);
  });

  it('free memory: slots of removed batches are reused', () => {
    const { book } = bookOf();
    const before = process.memoryUsage().arrayBuffers;
    for (let batch = 0; batch < 2_000; batch++) {
      const checkpoint = book.checkpoint();
      for (let n = 1; n <= 100; n++) book.place({ ...limit, id: n, price: n });
      if (batch % 3 === 0) book.rollback(checkpoint);
      book.commit();
      book.cancelAll(9);
    }
    expect(book.orderCount).toBe(0);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_000_000);
  });
});
