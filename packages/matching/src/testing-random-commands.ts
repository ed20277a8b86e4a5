import type { PlaceOrder } from './order.ts';

export type BookCommand =
  | { readonly type: 'place'; readonly order: PlaceOrder }
  | { readonly type: 'cancel'; readonly id: number; readonly owner: number }
  | { readonly type: 'shrink'; readonly id: number; readonly owner: number; readonly left: number }
  | { readonly type: 'cancelAll'; readonly owner: number };

/** The small generator mulberry32 with 32 bits of state: the same seed gives the same numbers. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const FIRST_OWNER = 2 ** 35;

/**
 * An order's owner follows from its id, so that a revoke can name it. There are either few owners, who meet their own
 * orders, or many.
 */
function ownerOf(id: number): number {
  return FIRST_OWNER + (id % (Math.floor(id / 512) % 2 === 0 ? 3 : 29));
}

/**
 * An endless stream of commands of every kind, including invalid ones: few prices so that queues grow and levels
 * disappear, quantities from tiny to more than there is, repeated ids, and ids and prices far above 2^32.
 */
export function* randomCommands(seed: number): Generator<BookCommand, never> {
  const random = randomNumbers(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(...choices: readonly T[]): T => choices[below(choices.length)] as T;
  // Settings change from phase to phase, so that the book is thin, deep, wide and narrow in turn.
  let phase = { prices: 10, large: 10, revokes: 0.3, left: 0 };
  let lastId = pick(0, 2 ** 31 - 50, 2 ** 40);
  const middle = pick(1_000, 2 ** 33);
  for (;;) {
    if (phase.left-- === 0)
      phase = {
        prices: pick(2, 6, 20, 60),
        large: pick(1, 10, 200),
        revokes: pick(0.1, 0.2, 0.35),
        left: 200 + below(2_000),
      };
    const recent = Math.max(1, lastId - below(pick(5, 100, 400)));
    const chance = random();
    if (chance > 0.94 && chance < 0.99) {
      const left = random() < 0.05 ? pick(0, -1, 0.5, Number.NaN) : 1 + below(pick(1, phase.large));
      yield { type: 'shrink', id: recent, owner: random() < 0.05 ? FIRST_OWNER : ownerOf(recent), left };
    } else if (chance < 0.004) yield { type: 'cancelAll', owner: ownerOf(recent) };
    else if (chance < phase.revokes) {
      yield { type: 'cancel', id: recent, owner: random() < 0.05 ? FIRST_OWNER : ownerOf(recent) };
    } else if (chance > 0.997) {
      // Takes a whole side, so that it is empty afterwards.
      const side = pick('buy', 'sell');
      const price = side === 'buy' ? middle * 2 : 1;
      const order = { id: ++lastId, owner: FIRST_OWNER - 1, side, price, quantity: 2 ** 40, postOnly: false } as const;
      yield { type: 'place', order: { ...order, type: 'market', timeInForce: 'IOC' } };
    } else {
      const side = pick('buy', 'sell');
      const isMarket = random() < 0.1;
      const away = below(phase.prices) - pick(0, 1, 2, Math.floor(phase.prices / 2));
      const price = middle + (side === 'buy' ? -away : away);
      const id = random() < 0.02 ? recent : ++lastId;
      const timeInForce = isMarket ? pick('IOC', 'IOC', 'FOK') : pick('GTC', 'GTC', 'GTC', 'GTC', 'GTC', 'IOC', 'FOK');
      const fault = random();
      yield {
        type: 'place',
        order: {
          id,
          owner: ownerOf(id),
          side,
          type: isMarket ? 'market' : 'limit',
          price: fault < 0.002 ? pick(0, -1, 0.5, 2 ** 53, Number.NaN) : price,
          quantity:
            fault > 0.998 ? pick(0, -1, 0.1, 2 ** 53, Number.NaN) : 1 + below(pick(1, phase.large, phase.large * 5)),
          timeInForce: fault > 0.5 && fault < 0.502 ? pick('GTC', 'IOC', 'FOK') : timeInForce,
          postOnly: random() < (timeInForce === 'GTC' && !isMarket ? 0.15 : 0.002),
        },
      };
    }
  }
}

interface CommandedBook {
  place(order: PlaceOrder): void;
  cancel(id: number, owner: number): void;
  shrink(id: number, owner: number, left: number): void;
  cancelAll(owner: number): number;
}

export function runBookCommand(book: CommandedBook, given: BookCommand): void {
  if (given.type === 'place') book.place(given.order);
  else if (given.type === 'cancel') book.cancel(given.id, given.owner);
  else if (given.type === 'shrink') book.shrink(given.id, given.owner, given.left);
  else book.cancelAll(given.owner);
}
