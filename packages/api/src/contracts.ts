import * as v from 'valibot';
import { call } from './call.ts';
import {
  amountText,
  choiceOf,
  coinCode,
  decimalText,
  id,
  isoTime,
  pagedListOf,
  pageField,
  priceField,
  usdtAmount,
  wholeNumber,
} from './fields.ts';
import { PRICE_ORIGINS } from './market.ts';
import { PLAY_REFUSALS } from './refusals.ts';
import { topic } from './topic.ts';

const CONTRACT_STATUSES = ['open', 'partial', 'filled', 'cancelled'] as const;

export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK'] as const;

/** A cursor: time, coin and number of an order or a fill. */
export const PLACE = '[0-9]{10,15}-[A-Z]{2,10}-[0-9]{1,15}';

export const flag = v.optional(
  v.pipe(
    choiceOf(['true', 'false', '1', '0']),
    v.transform((value) => value === 'true' || value === '1'),
  ),
);

const contractOrderEntries = {
  id: v.string(),
  /** The coin. */
  code: v.string(),
  side: v.picklist(['buy', 'sell']),
  type: v.picklist(['limit', 'market']),
  tif: v.picklist(TIMES_IN_FORCE),
  post_only: v.boolean(),
  /** The limit in USDT per coin; null for a market order. */
  price: v.nullable(decimalText),
  /** In coins. A market order by amount has the quantity that the amount could buy when the order was accepted. */
  quantity: decimalText,
  /** The most USDT that a market buy by amount may spend; null for other orders. */
  amount: v.nullable(decimalText),
  /** The part of the quantity that the customer took back. */
  cut_quantity: decimalText,
  dealt_quantity: decimalText,
  /** USDT. */
  dealt_amount: decimalText,
  /** Average of the fills, rounded to the nearest price step; null without fills. */
  dealt_price: v.nullable(decimalText),
  /** In the received asset: the coin for a buy, USDT for a sale. */
  fee: decimalText,
  fee_asset: v.string(),
  /** Shares, fixed when the order was accepted. */
  maker_fee_rate: decimalText,
  taker_fee_rate: decimalText,
  /** Currently held for the order: USDT for a buy, coins for a sale. */
  held: decimalText,
  held_asset: v.string(),
  status: v.picklist(CONTRACT_STATUSES),
  /** Why the unfilled part was cancelled. */
  reason: v.nullable(v.picklist(['revoked', 'self_trade', 'unfilled', 'amended', 'paired'])),
  /** The order that this one replaced, at another price. */
  replaces: v.nullable(v.string()),
  /** The waiting order that became this one. */
  waiting: v.nullable(v.string()),
  /** The regular purchase in whose name it was placed. */
  recurring: v.nullable(v.string()),
  created_at: isoTime,
  /** Time of the last fill, or when the order ended. */
  updated_at: isoTime,
};
export const contractOrder = v.object(contractOrderEntries);
export type ContractOrder = v.InferOutput<typeof contractOrder>;

const fill = v.object({
  id: v.string(),
  order: v.string(),
  code: v.string(),
  side: v.picklist(['buy', 'sell']),
  role: v.picklist(['maker', 'taker']),
  price: decimalText,
  quantity: decimalText,
  /** USDT. */
  amount: decimalText,
  fee: decimalText,
  fee_asset: v.string(),
  /** True if the other side was the house's market maker. */
  with_house: v.boolean(),
  at: isoTime,
});
export type Fill = v.InferOutput<typeof fill>;

export const placeContract = call('POST /coin/trans/add', {
  who: 'customer',
  summary: 'Place an order on a coin’s book: limit or market, buy or sell.',
  movesMoney: true,
  request: v.object({
    code: coinCode,
    side: choiceOf(['buy', 'sell']),
    type: choiceOf(['limit', 'market']),
    /** Only for a limit order. */
    price: v.optional(priceField),
    /** In coins. */
    quantity: v.optional(amountText),
    /** USDT to spend, for a market buy without a quantity. */
    amount: v.optional(usdtAmount),
    /** GTC by default; a market order is IOC or FOK. */
    tif: v.optional(choiceOf(TIMES_IN_FORCE)),
    post_only: flag,
  }),
  result: contractOrder,
  refusals: [
    'paused',
    'consent_required',
    'coin_not_counted',
    'coin_not_covered',
    'contracts_not_offered',
    'price_required',
    'price_not_allowed',
    'price_off_tick',
    'quantity_required',
    'quantity_malformed',
    'quantity_off_lot',
    'amount_not_allowed',
    'time_in_force_not_allowed',
    'below_minimum',
    'above_maximum',
    'account_frozen',
    'index_stale',
    'beyond_collar',
    'too_many_orders',
    'exceeds_balance',
    'post_only_would_cross',
    'fok_not_fillable',
    'no_liquidity',
    'beyond_price_band',
    'book_full',
    ...PLAY_REFUSALS,
  ],
});

export const amendContract = call('POST /coin/trans/amend', {
  who: 'customer',
  summary:
    'Change an open contract order. A smaller size alone keeps its place in the queue; another price makes it a new order at the end of that price.',
  movesMoney: true,
  request: v.object({
    id,
    price: v.optional(priceField),
    /** The new size in coins, including what was already dealt; never more than before. */
    quantity: v.optional(amountText),
  }),
  result: contractOrder,
  refusals: [
    'paused',
    'consent_required',
    'contracts_not_offered',
    'order_unknown',
    'order_ended',
    'account_frozen',
    'price_required',
    'price_off_tick',
    'quantity_malformed',
    'quantity_off_lot',
    'quantity_not_less',
    'quantity_dealt',
    'nothing_changes',
    'order_paired',
    'below_minimum',
    'above_maximum',
    'beyond_collar',
    'too_many_orders',
    'exceeds_balance',
    'post_only_would_cross',
    'no_liquidity',
    'book_full',
    ...PLAY_REFUSALS,
  ],
});

export const revokeContract = call('POST /coin/trans/close', {
  who: 'customer',
  summary: 'Revoke an open contract order: what was not dealt is cancelled and its money is free again.',
  movesMoney: true,
  request: v.object({ id }),
  result: contractOrder,
  refusals: ['order_unknown', 'order_ended'],
});

export const revokeContracts = call('POST /coin/trans/closeAll', {
  who: 'customer',
  summary:
    'Revoke every open contract order and every one that waits, of one coin or of all. Each coin is done whole or not at all.',
  movesMoney: true,
  request: v.object({ code: v.optional(coinCode) }),
  result: v.object({
    /** Ids of the orders that this call revoked. */
    revoked: v.array(v.string()),
  }),
});

export const listContracts = call('POST /coin/trans/lists', {
  who: 'customer',
  summary: 'Contract orders, newest first.',
  request: v.object({
    code: v.optional(coinCode),
    status: choiceOf(['open', 'history', 'all']),
    side: v.optional(choiceOf(['buy', 'sell'])),
    page: pageField(PLACE),
  }),
  result: pagedListOf(contractOrder),
});

export const readContract = call('GET /coin/trans/info', {
  who: 'customer',
  summary: 'One contract order with the newest of its fills.',
  request: v.object({ id }),
  result: v.object({
    ...contractOrderEntries,
    /** Newest first, at most a hundred. */
    fills: v.array(fill),
    /** Cursor of this order's next fills; null when there are no more. */
    fills_next: v.nullable(v.string()),
  }),
  refusals: ['order_unknown'],
});

export const listFills = call('POST /coin/trans/fills', {
  who: 'customer',
  summary: 'Fills of this customer’s contract orders, newest first.',
  request: v.object({
    /** Returns only this order's fills, whatever the coin. */
    order: v.optional(id),
    code: v.optional(coinCode),
    page: pageField(PLACE),
    limit: v.optional(wholeNumber(1, 500)),
  }),
  result: pagedListOf(fill),
  refusals: ['order_unknown'],
});

export const readContractTerms = call('GET /coin/trans/rate', {
  who: 'anyone',
  summary: 'How contracts of a coin are traded: steps, limits, price band, fees by level.',
  request: v.object({ code: coinCode }),
  result: v.object({
    code: v.string(),
    offered: v.boolean(),
    /** The reason why the coin can be sold but not bought now; null if it can be bought. */
    buy_refusal: v.nullable(v.picklist(['coin_not_counted', 'coin_not_covered'])),
    /** Smallest step of the price, and of the quantity. */
    tick: decimalText,
    lot: decimalText,
    /** Limits for one order in USDT. */
    amount_min: decimalText,
    amount_max: decimalText,
    /** Share of the index by which a market order's price may differ from it. */
    band: decimalText,
    /**
     * A limit order's price may be this much worse (`collar`) or better (`resting_collar`) than the index, as shares of
     * it.
     */
    collar: decimalText,
    resting_collar: decimalText,
    open_orders_max: v.number(),
    fees: v.array(v.object({ level: v.number(), maker: decimalText, taker: decimalText })),
  }),
});

/** Price and quantity in coins, best first. */
const level = v.tuple([decimalText, decimalText]);
const bookView = v.object({
  code: v.string(),
  bids: v.array(level),
  asks: v.array(level),
  /** Sequence of the last command that changed the book. */
  sequence: v.string(),
  at: isoTime,
});
export type BookView = v.InferOutput<typeof bookView>;

export const readBook = call('GET /coin/book', {
  who: 'anyone',
  summary: 'The best levels of a coin’s book.',
  request: v.object({ code: coinCode, depth: v.optional(wholeNumber(1, 50)) }),
  result: v.object({ ...bookView.entries, stale: v.boolean() }),
});

const tradeView = v.object({
  id: v.string(),
  price: decimalText,
  quantity: decimalText,
  /** The taker's side. */
  side: v.picklist(['buy', 'sell']),
  /** True when the house's market maker is on one side. */
  house: v.boolean(),
  at: isoTime,
});
export type TradeView = v.InferOutput<typeof tradeView>;

export const listTrades = call('GET /coin/trades', {
  who: 'anyone',
  summary: 'The public tape of a coin’s book, newest first.',
  request: v.object({
    code: coinCode,
    limit: v.optional(wholeNumber(1, 200)),
    page: pageField('[A-Z]{2,10}-[0-9]{1,15}'),
  }),
  result: pagedListOf(tradeView),
});

export const readMarketMaker = call('GET /coin/maker', {
  who: 'anyone',
  summary: 'The house’s market maker, disclosed: what it was given, what it has, what it earned, and what it quotes.',
  request: v.object({}),
  result: v.object({
    /** The value of its assets minus its capital, both at the current index, in USDT. Null while a price is missing. */
    profit: v.nullable(decimalText),
    /** Fees that it paid to the house, valued in the same way. */
    fees_paid: v.nullable(decimalText),
    assets: v.array(
      v.object({
        asset: v.string(),
        /** The amount that the house's capital has paid in, and the current balance. */
        given: decimalText,
        inventory: decimalText,
        /** The part of it held in orders on the book. */
        in_orders: decimalText,
      }),
    ),
    coins: v.array(
      v.object({
        code: v.string(),
        /** False while the market maker does not quote, for example because the index is stale. */
        quoting: v.boolean(),
        bid: v.nullable(decimalText),
        ask: v.nullable(decimalText),
        /** In coins. `house_share_24h` is the share traded with the house; null if nothing was traded. */
        traded_24h: decimalText,
        house_share_24h: v.nullable(decimalText),
        origin: v.picklist(PRICE_ORIGINS),
      }),
    ),
  }),
});

export const bookTopic = topic('book:{code}', {
  who: 'anyone',
  summary: 'The best levels of a coin’s book, whole.',
  merge: 'last',
  event: bookView,
});
export const tradesTopic = topic('trades:{code}', {
  who: 'anyone',
  summary: 'New trades, oldest first; a snapshot is the newest of the tape, newest first.',
  merge: 'every',
  max: 50,
  event: v.array(tradeView),
});
export const contractsTopic = topic('contracts', {
  who: 'customer',
  summary: 'Contract orders that changed; a snapshot is all that are in a book.',
  merge: 'every',
  event: v.array(contractOrder),
});
