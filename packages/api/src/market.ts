import * as v from 'valibot';
import { call } from './call.ts';
import { decimalText, isoTime, noFields } from './fields.ts';
import { topic } from './topic.ts';

/** The origin of a price. Any origin but `live` is marked wherever the price is shown. */
export const PRICE_ORIGINS = ['live', 'sim', 'replay'] as const;
export type PriceOrigin = (typeof PRICE_ORIGINS)[number];

const coinQuote = v.object({
  code: v.string(),
  name: v.string(),
  icon: v.string(),
  /** Null before the first tick. */
  price: v.nullable(decimalText),
  /** The change since 24 hours ago, or since the oldest known price, as a share: `-0.012345` is a fall of 1.2345%. */
  change_24h: v.nullable(decimalText),
  high: v.nullable(decimalText),
  low: v.nullable(decimalText),
  volume: v.nullable(decimalText),
  spark: v.array(decimalText),
  /** Smallest price step and smallest quantity. */
  tick: decimalText,
  lot: decimalText,
  min: decimalText,
  options: v.boolean(),
  /** The different payouts of its options, from low to high. Absent from older servers. */
  payouts: v.exactOptional(v.array(decimalText)),
  contracts: v.boolean(),
  stale: v.boolean(),
  origin: v.picklist(PRICE_ORIGINS),
  /** The sequence of the newest tick, to which `price` and `at` also belong. */
  sequence: v.nullable(v.string()),
  at: v.nullable(isoTime),
});
export type CoinQuote = v.InferOutput<typeof coinQuote>;

export const listCoins = call('GET /coin/lists', {
  who: 'anyone',
  summary: 'Every coin with its quote and 24-hour figures.',
  request: noFields,
  result: v.array(coinQuote),
});

const ticker = v.object({
  code: v.string(),
  price: decimalText,
  change_24h: decimalText,
  sequence: v.string(),
  /**
   * Hash of the signed tick. A device remembers it to check later that the chain still contains it. Absent from older
   * servers.
   */
  hash: v.exactOptional(v.string()),
  at: isoTime,
  stale: v.boolean(),
});
export type Ticker = v.InferOutput<typeof ticker>;
export const tickersTopic = topic('tickers', {
  who: 'anyone',
  summary: 'The price of each coin.',
  merge: 'by_code',
  event: v.array(ticker),
});
