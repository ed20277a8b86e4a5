import { describe, expect, it } from 'vitest';
import { Book } from './book.ts';
import { EventList } from './book-events.ts';
import { hashOrders } from './state-hash.ts';
import { PlainBook } from './testing-plain-book.ts';
import { randomCommands, randomNumbers, runBookCommand } from './testing-random-commands.ts';

/** The full trial takes a few minutes: `MATCHING_COMMANDS=10000000 npx vitest run packages/matching`. */
const COMMANDS = Number(process.env.MATCHING_COMMANDS ?? 200_000);
const SEEDS = [1, 2, 3, 20_261_121];

describe('the fast book and the plain one', () => {
  it.each(SEEDS)(
    'send the same events for the same commands and hold the same orders, also after rolled back batches (seed %i)',
    (seed) => {
      const [events, plainEvents] = [new EventList(), new EventList()];
      let book = new Book(events);
      const plain = new PlainBook(plainEvents);
      const commands = randomCommands(seed);
      const random = randomNumbers(seed + 1);
      const seen = new Map<string, number>();
      let trades = 0;
      let mostOrders = 0;

      const compareStates = (): void => {
        const snapshot = book.snapshot();
        expect(snapshot).toEqual(plain.orders);
        for (const side of ['buy', 'sell'] as const) {
          const depth = plain.depth(side);
          expect(book.depth(side, Number.POSITIVE_INFINITY)).toEqual(depth);
          expect(book.bestPrice(side)).toBe(depth[0]?.price ?? null);
        }
        expect(book.orderCount).toBe(plain.orders.length);
        expect(book.stateHash()).toBe(hashOrders(plain.orders));
      };

      for (let done = 0; done < COMMANDS / SEEDS.length; ) {
        const isBatch = random() < 0.7;
        const before = plain.orders;
        const checkpoint = isBatch ? book.checkpoint() : null;
        for (let left = 1 + Math.floor(random() * 40); left > 0; left--) {
          const given = commands.next().value;
          runBookCommand(book, given);
          runBookCommand(plain, given);
          done++;
          const [told, judged] = [events.take(), plainEvents.take()];
          // Compared as text first, because ten million deep comparisons would take hours.
          if (JSON.stringify(told) !== JSON.stringify(judged))
            expect({ done, given, told }).toEqual({ done, given, told: judged });
          for (const event of told) {
            const kind = 'reason' in event ? `${event.type} ${event.reason}` : event.type;
            seen.set(kind, (seen.get(kind) ?? 0) + 1);
            if (event.type === 'traded') trades++;
          }
        }
        mostOrders = Math.max(mostOrders, plain.orders.length);
        if (checkpoint !== null) {
          if (random() < 0.3) {
            book.rollback(checkpoint);
            plain.orders = before;
          }
          book.commit();
        }
        if (random() < 0.02) compareStates();
        if (random() < 0.002) book = Book.restore(book.snapshot(), events);
      }
      compareStates();
      // An event that never occurred was never compared, so the test requires each kind at least once.
      expect([...seen.keys()].sort()).toEqual([
        'cancelled revoked',
        'cancelled self_trade',
        'cancelled unfilled',
        'rejected beyond_price_band',
        'rejected duplicate_id',
        'rejected fok_not_fillable',
        'rejected market_cannot_rest',
        'rejected no_liquidity',
        'rejected order_not_found',
        'rejected post_only_must_rest',
        'rejected post_only_would_cross',
        'rejected price_out_of_range',
        'rejected quantity_not_less',
        'rejected quantity_out_of_range',
        'rested',
        'shrunk',
        'traded',
      ]);
      expect(trades).toBeGreaterThan(COMMANDS / SEEDS.length / 20);
      expect(mostOrders).toBeGreaterThan(60);
      if (process.env.MATCHING_COMMANDS) console.log(seed, { mostOrders }, Object.fromEntries(seen));
    },
    60_000 + COMMANDS / 10,
  );
});
