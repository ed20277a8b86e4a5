import { OrderBook, SelfTradePreventionMode } from 'nodejs-order-book';
import { describe, expect, it } from 'vitest';
import { Book } from './book.ts';
import { EventList } from './book-events.ts';
import type { PlaceOrder, Side } from './order.ts';

type Placed = Pick<PlaceOrder, 'side' | 'price' | 'quantity'> & Partial<PlaceOrder>;

interface Row {
  readonly what: string;
  readonly place: Placed;
  /** The fills as `maker:quantity@price` in order, or the reason for the refusal. */
  readonly gives: readonly string[] | { readonly ours: string; readonly peers: string };
  /** Levels as `price:quantity`, best first; absent if unchanged. */
  readonly asks?: string;
  readonly bids?: string;
  /** Set where the peer's result differs from its own documentation, and so from ours. */
  readonly peerDiffers?: {
    readonly trades?: readonly string[];
    readonly asks?: string;
    readonly bids?: string;
    readonly why: string;
  };
}

const ASKS = '100:2 110:5 120:2';
const BIDS = '90:5 80:1';
/** Orders 1 to 3 sell 2 at 100 and 5 at 110 (2 and 3); 4 sells 2 at 120; 5 to 7 buy 5 at 90 (5 and 6), 1 at 80. */
const RESTING: readonly Placed[] = [
  { id: 1, side: 'sell', price: 100, quantity: 2 },
  { id: 2, side: 'sell', price: 110, quantity: 3 },
  { id: 3, side: 'sell', price: 110, quantity: 2 },
  { id: 4, side: 'sell', price: 120, quantity: 2 },
  { id: 5, side: 'buy', price: 90, quantity: 4 },
  { id: 6, side: 'buy', price: 90, quantity: 1 },
  { id: 7, side: 'buy', price: 80, quantity: 1 },
];

const buy = (price: number, quantity: number, more: Partial<PlaceOrder> = {}): Placed => ({
  side: 'buy',
  price,
  quantity,
  ...more,
});
const sell = (price: number, quantity: number, more: Partial<PlaceOrder> = {}): Placed => ({
  side: 'sell',
  price,
  quantity,
  ...more,
});
const market = (side: Side, quantity: number): Placed => ({
  side,
  price: side === 'buy' ? Number.MAX_SAFE_INTEGER : 1,
  quantity,
  type: 'market',
  timeInForce: 'IOC',
});

/** The documented behaviours of nodejs-order-book, tested against it and against our book. */
const ROWS: readonly Row[] = [
  { what: 'limit: joins its level', place: sell(100, 55), gives: [], asks: '100:57 110:5 120:2' },
  { what: 'limit: opens a level inside the spread', place: buy(95, 3), gives: [], bids: '95:3 90:5 80:1' },
  { what: 'limit: opens the worst level', place: buy(70, 3), gives: [], bids: '90:5 80:1 70:3' },
  { what: 'limit: takes a part of the best', place: buy(100, 1), gives: ['1:1@100'], asks: '100:1 110:5 120:2' },
  { what: 'limit: takes a level whole', place: buy(100, 2), gives: ['1:2@100'], asks: '110:5 120:2' },
  {
    what: 'limit: takes through levels, oldest first',
    place: buy(115, 6),
    gives: ['1:2@100', '2:3@110', '3:1@110'],
    asks: '110:1 120:2',
  },
  {
    what: 'limit: takes and rests what is left',
    place: buy(110, 9),
    gives: ['1:2@100', '2:3@110', '3:2@110'],
    asks: '120:2',
    bids: '110:2 90:5 80:1',
  },
  {
    what: 'limit: sells into the bids at their price',
    place: sell(80, 6),
    gives: ['5:4@90', '6:1@90', '7:1@80'],
    bids: '',
  },
  {
    what: 'limit: sells and rests what is left',
    place: sell(85, 6),
    gives: ['5:4@90', '6:1@90'],
    bids: '80:1',
    asks: '85:1 100:2 110:5 120:2',
  },
  {
    what: 'limit: empties the other side',
    place: buy(200, 10),
    gives: ['1:2@100', '2:3@110', '3:2@110', '4:2@120'],
    asks: '',
    bids: '200:1 90:5 80:1',
  },
  {
    what: 'limit: an id that rests already',
    place: buy(90, 1, { id: 5 }),
    gives: { ours: 'duplicate_id', peers: 'Order already exists' },
  },
  {
    what: 'limit: no quantity',
    place: buy(90, 0),
    gives: { ours: 'quantity_out_of_range', peers: 'Invalid order quantity' },
  },
  {
    what: 'limit: a quantity below zero',
    place: buy(90, -1),
    gives: { ours: 'quantity_out_of_range', peers: 'Invalid order quantity' },
  },
  { what: 'limit: no price', place: buy(0, 1), gives: { ours: 'price_out_of_range', peers: 'Invalid order price' } },
  {
    what: 'limit: a price below zero',
    place: sell(-5, 1),
    gives: { ours: 'price_out_of_range', peers: 'Invalid order price' },
  },
  { what: 'market: buys through levels', place: market('buy', 3), gives: ['1:2@100', '2:1@110'], asks: '110:4 120:2' },
  { what: 'market: sells through levels', place: market('sell', 6), gives: ['5:4@90', '6:1@90', '7:1@80'], bids: '' },
  {
    what: 'market: more than is there',
    place: market('buy', 10),
    gives: ['1:2@100', '2:3@110', '3:2@110', '4:2@120'],
    asks: '',
  },
  {
    what: 'market: no quantity',
    place: market('buy', 0),
    gives: { ours: 'quantity_out_of_range', peers: 'Insufficient quantity to calculate price' },
  },
  { what: 'post-only: rests', place: buy(99, 3, { postOnly: true }), gives: [], bids: '99:3 90:5 80:1' },
  {
    what: 'post-only: would take',
    place: buy(100, 3, { postOnly: true }),
    gives: { ours: 'post_only_would_cross', peers: 'Post-only limit order rejected because would execute immediately' },
  },
  {
    what: 'post-only: would take, selling',
    place: sell(80, 3, { postOnly: true }),
    gives: { ours: 'post_only_would_cross', peers: 'Post-only limit order rejected because would execute immediately' },
  },
  {
    what: 'IOC: takes whole',
    place: buy(110, 4, { timeInForce: 'IOC' }),
    gives: ['1:2@100', '2:2@110'],
    asks: '110:3 120:2',
  },
  {
    what: 'IOC: takes what is there, rests nothing',
    place: buy(100, 9, { timeInForce: 'IOC' }),
    gives: ['1:2@100'],
    asks: '110:5 120:2',
  },
  { what: 'IOC: takes nothing, rests nothing', place: buy(95, 9, { timeInForce: 'IOC' }), gives: [] },
  {
    what: 'IOC: sells what is there',
    place: sell(90, 9, { timeInForce: 'IOC' }),
    gives: ['5:4@90', '6:1@90'],
    bids: '80:1',
  },
  {
    what: 'FOK: fills whole at one price',
    place: buy(100, 2, { timeInForce: 'FOK' }),
    gives: ['1:2@100'],
    asks: '110:5 120:2',
  },
  {
    what: 'FOK: fills whole through levels',
    place: buy(110, 7, { timeInForce: 'FOK' }),
    gives: ['1:2@100', '2:3@110', '3:2@110'],
    asks: '120:2',
  },
  {
    what: 'FOK: too much within the price',
    place: buy(110, 8, { timeInForce: 'FOK' }),
    gives: { ours: 'fok_not_fillable', peers: 'Limit FOK order not fillable' },
  },
  {
    what: 'FOK: too much in all',
    place: buy(200, 10, { timeInForce: 'FOK' }),
    gives: { ours: 'fok_not_fillable', peers: 'Limit FOK order not fillable' },
  },
  {
    what: 'FOK: nothing within the price',
    place: sell(95, 1, { timeInForce: 'FOK' }),
    gives: { ours: 'fok_not_fillable', peers: 'Limit FOK order not fillable' },
  },
  {
    what: 'FOK: sells whole',
    place: sell(80, 6, { timeInForce: 'FOK' }),
    gives: ['5:4@90', '6:1@90', '7:1@80'],
    bids: '',
  },
  {
    what: 'self-trade: the resting order goes, the new one rests',
    place: buy(100, 3, { owner: 1 }),
    gives: [],
    asks: '110:5 120:2',
    bids: '100:3 90:5 80:1',
  },
  {
    what: 'self-trade: trades on with others',
    place: buy(110, 4, { owner: 1 }),
    gives: ['2:3@110', '3:1@110'],
    asks: '110:1 120:2',
  },
  {
    what: 'self-trade: within a level',
    place: buy(110, 4, { owner: 2 }),
    gives: ['1:2@100', '3:2@110'],
    asks: '120:2',
  },
  {
    what: 'self-trade: a market order',
    place: { ...market('sell', 3), owner: 5 },
    gives: ['6:1@90', '7:1@80'],
    bids: '',
  },
  { what: 'self-trade: IOC', place: sell(90, 3, { owner: 5, timeInForce: 'IOC' }), gives: ['6:1@90'], bids: '80:1' },
  {
    what: 'self-trade: FOK does not count what is its owner’s',
    place: buy(110, 7, { owner: 2, timeInForce: 'FOK' }),
    gives: { ours: 'fok_not_fillable', peers: '' },
    peerDiffers: {
      trades: ['1:2@100', '3:2@110'],
      asks: '120:2',
      bids: '110:3 90:5 80:1',
      why: 'it counts its owner’s order, fills a part, and rests the rest of a FOK',
    },
  },
];

const complete = (placed: Placed): PlaceOrder => {
  const id = placed.id ?? 100;
  return { id, owner: id, type: 'limit', timeInForce: 'GTC', postOnly: false, ...placed };
};

describe('our book', () => {
  it.each(ROWS)('$what', ({ place, gives, asks = ASKS, bids = BIDS }) => {
    const events = new EventList();
    const book = new Book(events);
    for (const each of RESTING) book.place(complete(each));
    events.take();
    book.place(complete(place));
    const told = events.take();
    const reasons = told.flatMap((event) => (event.type === 'rejected' ? [event.reason] : []));
    const trades = told.flatMap((event) =>
      event.type === 'traded' ? [`${event.makerId}:${event.quantity}@${event.price}`] : [],
    );
    expect('ours' in gives ? reasons : trades).toEqual('ours' in gives ? [gives.ours] : gives);
    const depth = (side: Side): string =>
      book
        .depth(side, 99)
        .map((level) => `${level.price}:${level.quantity}`)
        .join(' ');
    expect([depth('sell'), depth('buy')]).toEqual([asks, bids]);
  });
});

describe('nodejs-order-book', () => {
  it.each(ROWS)('$what', ({ place, gives, asks = ASKS, bids = BIDS, peerDiffers }) => {
    const book = new OrderBook();
    const give = (order: PlaceOrder) => {
      const { side, quantity, price, timeInForce, postOnly } = order;
      const account = { accountId: String(order.owner), stpMode: SelfTradePreventionMode.EXPIRE_MAKER };
      const common = { side: side as never, size: quantity, ...account };
      return order.type === 'market'
        ? book.market(common)
        : book.limit({ ...common, id: String(order.id), price, postOnly, timeInForce: timeInForce as never });
    };
    for (const each of RESTING) give(complete(each));
    const order = complete(place);
    const { done, partial, partialQuantityProcessed, err } = give(order);
    const makers = done.filter((each) => each.id !== String(order.id)) as { id: string; size: number; price: number }[];
    const trades = makers.map((each) => `${each.id}:${each.size}@${each.price}`);
    if (partial && partial.id !== String(order.id))
      trades.push(`${partial.id}:${partialQuantityProcessed}@${partial.price}`);
    if ('peers' in gives && !peerDiffers) expect(err?.message).toBe(gives.peers);
    else expect(trades).toEqual(peerDiffers?.trades ?? gives);
    const [sells, buys] = book.depth();
    const depth = (levels: [number, number][]): string => levels.map(([price, size]) => `${price}:${size}`).join(' ');
    expect([depth(sells), depth(buys)]).toEqual([peerDiffers?.asks ?? asks, peerDiffers?.bids ?? bids]);
  });
});
