import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Book } from './book.ts';
import { type BookEvent, EventList } from './book-events.ts';
import type { PlaceOrder, RestingOrder } from './order.ts';
import { type BookCommand, runBookCommand } from './testing-random-commands.ts';

const owner = fc.integer({ min: 1, max: 4 });
const order = fc.record({
  id: fc.integer({ min: 1, max: 60 }),
  owner,
  side: fc.constantFrom('buy' as const, 'sell' as const),
  type: fc.constantFrom('limit' as const, 'limit' as const, 'limit' as const, 'market' as const),
  price: fc.integer({ min: 95, max: 105 }),
  quantity: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 30 })),
  timeInForce: fc.constantFrom('GTC' as const, 'GTC' as const, 'IOC' as const, 'FOK' as const),
  postOnly: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});
const commands = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: order.map((each): BookCommand => ({ type: 'place', order: each })) },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constant('cancel' as const), id: fc.integer({ min: 1, max: 60 }), owner }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('shrink' as const),
        id: fc.integer({ min: 1, max: 60 }),
        owner,
        left: fc.integer({ min: 0, max: 20 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('cancelAll' as const), owner }) },
  ),
  { maxLength: 80 },
);
const RUNS = { numRuns: 1_000 };

interface Step {
  readonly given: BookCommand;
  readonly before: readonly RestingOrder[];
  readonly after: readonly RestingOrder[];
  readonly told: readonly BookEvent[];
}

/** Runs the commands and returns each with the resting orders before and after it. */
function steps(all: readonly BookCommand[]): Step[] {
  const events = new EventList();
  const book = new Book(events);
  return all.map((given) => {
    const before = book.snapshot();
    runBookCommand(book, given);
    return { given, before, after: book.snapshot(), told: events.take() };
  });
}

function placements(
  all: readonly BookCommand[],
): (Step & { readonly order: PlaceOrder; readonly isRejected: boolean })[] {
  return steps(all).flatMap((step) =>
    step.given.type === 'place'
      ? [{ ...step, order: step.given.order, isRejected: step.told.some((event) => event.type === 'rejected') }]
      : [],
  );
}

const trades = (told: readonly BookEvent[]) => told.filter((event) => event.type === 'traded');
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const quantityOf = (orders: readonly RestingOrder[]): number => sum(orders.map((each) => each.quantity));
const always = (holds: (all: BookCommand[]) => void): void => fc.assert(fc.property(commands, holds), RUNS);

describe('a book', () => {
  it('never trades through a better price or past an older order, and never beyond the limit', () => {
    always((all) => {
      for (const { order, before, told } of placements(all)) {
        const isBuy = order.side === 'buy';
        // The orders that should have been matched, in order: the other side within the limit, best price first, then
        // oldest.
        const queue = before
          .filter((each) => each.side !== order.side && (isBuy ? each.price <= order.price : each.price >= order.price))
          .sort((a, b) => (isBuy ? a.price - b.price : b.price - a.price));
        const met = told.flatMap((event) =>
          event.type === 'traded'
            ? [event.makerId]
            : event.type === 'cancelled' && event.reason === 'self_trade'
              ? [event.id]
              : [],
        );
        expect(met).toEqual(queue.slice(0, met.length).map((each) => each.id));
        const prices = new Map(queue.map((each) => [each.id, each.price]));
        for (const trade of trades(told)) expect(trade.price).toBe(prices.get(trade.makerId));
      }
    });
  });

  it('is never left crossed, nor with an empty or duplicate order', () => {
    always((all) => {
      for (const { after } of steps(all)) {
        const bids = after.filter((each) => each.side === 'buy').map((each) => each.price);
        const asks = after.filter((each) => each.side === 'sell').map((each) => each.price);
        expect(Math.max(0, ...bids)).toBeLessThan(Math.min(1_000, ...asks));
        expect(after.every((each) => each.quantity > 0)).toBe(true);
        expect(new Set(after.map((each) => each.id)).size).toBe(after.length);
      }
    });
  });

  it('loses nothing: every placed lot is traded, resting or cancelled, and takers get what makers give', () => {
    always((all) => {
      for (const { given, before, after, told } of steps(all)) {
        const traded = sum(trades(told).map((event) => event.quantity));
        const taken = sum(told.map((event) => (event.type === 'cancelled' ? event.quantity : 0)));
        const accepted = given.type === 'place' && !told.some((event) => event.type === 'rejected');
        const placed = accepted ? given.order.quantity : 0;
        const shrunk = sum(
          told.map((event) =>
            event.type === 'shrunk' ? (before.find(({ id }) => id === event.id)?.quantity ?? 0) - event.left : 0,
          ),
        );
        expect(quantityOf(before) + placed).toBe(quantityOf(after) + 2 * traded + taken + shrunk);
      }
    });
  });

  it('leaves nothing of an IOC or a market order resting, and fills FOK whole or not at all', () => {
    always((all) => {
      for (const { order, before, after, told, isRejected } of placements(all)) {
        if (isRejected) continue;
        if (order.timeInForce !== 'GTC') expect(after.some((each) => each.id === order.id)).toBe(false);
        if (order.timeInForce === 'FOK') expect(sum(trades(told).map((event) => event.quantity))).toBe(order.quantity);
        expect(before.some((each) => each.id === order.id)).toBe(false);
      }
    });
  });

  it('lets post-only orders rest whole or changes nothing', () => {
    always((all) => {
      for (const { order, told } of placements(all)) {
        if (!order.postOnly) continue;
        expect(told).toHaveLength(1);
        expect(told[0]).toMatchObject(
          told[0]?.type === 'rested' ? { id: order.id, quantity: order.quantity } : { type: 'rejected', id: order.id },
        );
      }
    });
  });

  it('never trades an owner with themselves', () => {
    always((all) => {
      for (const { order, before, told } of placements(all)) {
        const owners = new Map(before.map((each) => [each.id, each.owner]));
        for (const trade of trades(told)) expect(owners.get(trade.makerId)).not.toBe(order.owner);
      }
    });
  });

  it('is not changed by a command that it rejects', () => {
    always((all) => {
      for (const { before, after, told } of steps(all))
        if (told.some((event) => event.type === 'rejected')) {
          expect(told).toHaveLength(1);
          expect(after).toEqual(before);
        }
    });
  });

  it('rolls a batch back exactly, also part by part, and continues as if it had never happened', () => {
    fc.assert(
      fc.property(commands, commands, commands, commands, (first, kept, undone, then) => {
        const [events, plainEvents] = [new EventList(), new EventList()];
        const [book, untouched] = [new Book(events), new Book(plainEvents)];
        for (const each of [...first, ...kept]) runBookCommand(untouched, each);
        for (const each of first) runBookCommand(book, each);
        const outer = book.checkpoint();
        const states = [book.stateHash()];
        for (const each of [...undone, ...first]) runBookCommand(book, each);
        book.rollback(outer);
        expect(book.stateHash()).toBe(states[0]);
        for (const each of kept) runBookCommand(book, each);
        const inner = book.checkpoint();
        for (const each of undone) runBookCommand(book, each);
        book.rollback(inner);
        book.commit();
        expect(book.snapshot()).toEqual(untouched.snapshot());
        expect(book.stateHash()).toBe(untouched.stateHash());
        for (const side of ['buy', 'sell'] as const) expect(book.depth(side, 100)).toEqual(untouched.depth(side, 100));
        events.take();
        plainEvents.take();
        for (const each of then) {
          runBookCommand(book, each);
          runBookCommand(untouched, each);
        }
        expect(events.take()).toEqual(plainEvents.take());
        expect(book.stateHash()).toBe(untouched.stateHash());
      }),
      RUNS,
    );
  });

  it('restored from its snapshot has the same hash and behaves the same', () => {
    fc.assert(
      fc.property(commands, commands, (first, then) => {
        const [events, restoredEvents] = [new EventList(), new EventList()];
        const book = new Book(events);
        for (const each of first) runBookCommand(book, each);
        events.take();
        const restored = Book.restore(book.snapshot(), restoredEvents);
        expect(restored.stateHash()).toBe(book.stateHash());
        for (const each of then) {
          runBookCommand(book, each);
          runBookCommand(restored, each);
        }
        expect(restoredEvents.take()).toEqual(events.take());
        expect(restored.stateHash()).toBe(book.stateHash());
      }),
      RUNS,
    );
  });
});
