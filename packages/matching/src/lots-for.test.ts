import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Book } from './book.ts';
import { EventList } from './book-events.ts';

const BUYER = 9;
const asks = fc.array(
  fc.record({
    price: fc.integer({ min: 90, max: 110 }),
    quantity: fc.integer({ min: 1, max: 50 }),
    owner: fc.constantFrom(1, 2, BUYER),
  }),
  { maxLength: 30 },
);

describe('lotsFor', () => {
  it('returns the largest order that the budget pays for, unless the book has no more', () => {
    fc.assert(
      fc.property(
        asks,
        fc.integer({ min: 85, max: 115 }),
        fc.integer({ min: 0, max: 20_000 }),
        (orders, limit, budget) => {
          const events = new EventList();
          const book = new Book(events);
          for (const [n, order] of orders.entries())
            book.place({ id: n + 1, side: 'sell', type: 'limit', timeInForce: 'GTC', postOnly: false, ...order });
          events.take();
          const lots = book.lotsFor(BUYER, limit, BigInt(budget));
          const spend = (quantity: number): { taken: number; cost: number; last: number } => {
            const start = book.checkpoint();
            if (quantity > 0)
              book.place({
                id: 1_000,
                owner: BUYER,
                side: 'buy',
                type: 'limit',
                price: limit,
                quantity,
                timeInForce: 'IOC',
                postOnly: false,
              });
            book.rollback(start);
            let [taken, cost, last] = [0, 0, 0];
            for (const event of events.take())
              if (event.type === 'traded') {
                taken += event.quantity;
                cost += event.quantity * event.price;
                last = event.price;
              }
            return { taken, cost, last };
          };
          const within = spend(lots);
          expect(within.cost).toBeLessThanOrEqual(budget);
          const more = spend(lots + 1);
          expect(more.taken === within.taken || more.cost > budget).toBe(true);
          // The result exceeds the book exactly if the budget could still pay for a lot at the book's last price.
          const all = spend(1_000_000);
          const isShort = all.taken > 0 && budget - all.cost >= all.last;
          expect(lots - within.taken).toBe(isShort ? Math.floor((budget - all.cost) / all.last) : 0);
        },
      ),
    );
  });

  it('counts an owner’s resting orders', () => {
    const book = new Book(new EventList());
    for (let id = 1; id <= 3; id += 1)
      book.place({
        id,
        owner: BUYER,
        side: 'sell',
        type: 'limit',
        price: id,
        quantity: 1,
        timeInForce: 'GTC',
        postOnly: false,
      });
    book.cancel(2, BUYER);
    expect([book.countOf(BUYER), book.countOf(1)]).toEqual([2, 0]);
  });
});
