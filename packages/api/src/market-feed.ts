/**
 * Public market data in the form that aggregators of exchanges and their tools ask for. The answers have no envelope,
 * because these tools don't know ours. Times are ms since 1970.
 */
import * as v from 'valibot';
import { call } from './call.ts';
import { choiceOf, coinCode, decimalText, INTERVALS, noFields, wholeNumber } from './fields.ts';

/** Present where prices are simulated or replayed, as in a demonstration. */
const simulated = v.exactOptional(v.literal(true));

/** `BTC_USDT`; the handler receives the coin. */
const tickerId = v.pipe(
  v.string(),
  v.transform((id) => id.replace(/_USDT$/, '')),
  coinCode,
);

const pair = { ticker_id: v.string(), base: v.string(), target: v.string() };

export const listMarkets = call('GET /market/markets', {
  who: 'anyone',
  isPlain: true,
  summary: 'Every pair that is traded on a book, with its steps and limits.',
  request: noFields,
  result: v.array(
    v.object({
      ...pair,
      /** False while the pair is not offered. */
      active: v.boolean(),
      price_step: decimalText,
      base_step: decimalText,
      /** The limits of one order, in the target currency. */
      target_min: decimalText,
      target_max: decimalText,
      /** Shares, of customers of level 0. */
      maker_fee: decimalText,
      taker_fee: decimalText,
      simulated,
    }),
  ),
});

export const listMarketTickers = call('GET /market/tickers', {
  who: 'anyone',
  isPlain: true,
  summary:
    'The last 24 hours of every pair: last price, best bid and ask, high, low and volumes. `house_base_volume` is the part in which the house’s market maker was one side.',
  request: noFields,
  result: v.array(
    v.object({
      ...pair,
      base_currency: v.string(),
      target_currency: v.string(),
      /** Null before the first trade. */
      last_price: v.nullable(decimalText),
      bid: v.nullable(decimalText),
      ask: v.nullable(decimalText),
      high: v.nullable(decimalText),
      low: v.nullable(decimalText),
      base_volume: decimalText,
      /** Each minute's volume at that minute's last price. */
      target_volume: decimalText,
      house_base_volume: decimalText,
      timestamp: v.number(),
      simulated,
    }),
  ),
});

const level = v.tuple([decimalText, decimalText]);
export const readMarketBook = call('GET /market/orderbook', {
  who: 'anyone',
  isPlain: true,
  summary: 'The best levels of a pair’s book as price and quantity. `depth` counts both sides, so 100 are 50 of each.',
  request: v.object({ ticker_id: tickerId, depth: v.optional(wholeNumber(2, 100)) }),
  result: v.object({
    ticker_id: v.string(),
    timestamp: v.number(),
    bids: v.array(level),
    asks: v.array(level),
    simulated,
  }),
});

const feedTrade = v.object({
  trade_id: v.string(),
  price: decimalText,
  base_volume: decimalText,
  target_volume: decimalText,
  trade_timestamp: v.number(),
  /** The taker's side. */
  type: v.picklist(['buy', 'sell']),
  /** True if the house's market maker was one side. */
  house: v.boolean(),
  simulated,
});
export const listMarketTrades = call('GET /market/trades', {
  who: 'anyone',
  isPlain: true,
  summary:
    'The newest trades of a pair by the taker’s side, newest first. `house=0` leaves out those with the house’s market maker.',
  request: v.object({
    ticker_id: tickerId,
    type: v.optional(choiceOf(['buy', 'sell'])),
    house: v.optional(choiceOf(['0', '1'])),
    limit: v.optional(wholeNumber(1, 200)),
  }),
  result: v.object({ buy: v.array(feedTrade), sell: v.array(feedTrade) }),
});

export const listMarketCandles = call('GET /market/candles', {
  who: 'anyone',
  isPlain: true,
  summary:
    'Candles of a pair’s trades, oldest first: start in ms, open, high, low, close and volume in the base currency.',
  request: v.object({
    ticker_id: tickerId,
    interval: choiceOf(INTERVALS),
    /** Only candles that start before it, in ms. */
    end: v.optional(v.pipe(v.string(), v.regex(/^[0-9]{1,15}$/, 'malformed'), v.transform(Number))),
    limit: v.optional(wholeNumber(1, 1000)),
  }),
  result: v.object({
    ticker_id: v.string(),
    interval: v.picklist(INTERVALS),
    candles: v.array(v.tuple([v.number(), decimalText, decimalText, decimalText, decimalText, decimalText])),
    simulated,
  }),
});
