import * as v from 'valibot';
import { call } from './call.ts';
import { choice, coinCode, decimal, noFields, page, time, wholeNumber } from './fields.ts';

export const INTERVALS = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w'] as const;
export type Interval = (typeof INTERVALS)[number];
/** Where a price comes from. Anything but `live` is marked wherever it is shown. */
export const PRICE_ORIGINS = ['live', 'sim', 'replay'] as const;
export type PriceOrigin = (typeof PRICE_ORIGINS)[number];

const coinQuote = v.object({
  code: v.string(),
  name: v.string(),
  icon: v.string(),
  /** Null before the first tick. */
  price: v.nullable(decimal),
  /** Share of the price 24 hours ago, or of the oldest known: `-0.012345` is a fall of 1.2345%. */
  change_24h: v.nullable(decimal),
  high: v.nullable(decimal),
  low: v.nullable(decimal),
  volume: v.nullable(decimal),
  spark: v.array(decimal),
  /** Smallest price step and smallest quantity. */
  tick: decimal,
  lot: decimal,
  min: decimal,
  options: v.boolean(),
  contracts: v.boolean(),
  stale: v.boolean(),
  origin: v.picklist(PRICE_ORIGINS),
  at: v.nullable(time),
});
export type CoinQuote = v.InferOutput<typeof coinQuote>;

export const listCoins = call('GET /coin/lists', {
  who: 'anyone',
  summary: 'Every coin with its quote and 24-hour figures.',
  request: noFields,
  result: v.array(coinQuote),
});

/** Time in ms since 1970, then open, high, low, close, volume as decimal strings; 1 at the end when simulated. */
const candle = v.tuple([v.number(), decimal, decimal, decimal, decimal, decimal, v.picklist([0, 1])]);
export type Candle = v.InferOutput<typeof candle>;
export const listCandles = call('POST /coin/data/lists', {
  who: 'anyone',
  summary: 'Candles before a time, oldest first.',
  request: v.object({
    code: coinCode,
    interval: choice(INTERVALS),
    before: v.optional(v.pipe(v.string(), v.regex(/^[0-9]{1,15}$/, 'malformed'), v.transform(Number))),
    limit: v.optional(wholeNumber(1, 1000)),
    of: v.optional(choice(['index', 'trades'])),
    page,
  }),
  result: v.object({ items: v.array(candle), next: v.nullable(v.string()) }),
});

export const durationTerms = v.object({
  seconds: v.number(),
  /** Share of the stake that a win adds: `0.78`. */
  payout: decimal,
  /** Share of the profit that is kept as handling fee: `0.02`. */
  fee: decimal,
  min: decimal,
  max: decimal,
});
export type DurationTerms = v.InferOutput<typeof durationTerms>;

export const readQuote = call('GET /coin/data/rate', {
  who: 'anyone',
  summary: 'The index price of a coin and the terms of its options.',
  request: v.object({ code: coinCode }),
  result: v.object({
    code: v.string(),
    price: v.nullable(decimal),
    at: v.nullable(time),
    sequence: v.nullable(v.string()),
    stale: v.boolean(),
    origin: v.picklist(PRICE_ORIGINS),
    sources: v.array(v.object({ name: v.string(), price: decimal, at: time, used: v.boolean() })),
    durations: v.array(durationTerms),
  }),
});

export const readProofKeys = call('GET /proof/keys', {
  who: 'anyone',
  summary: 'Public keys (Ed25519, hex) of the index and of receipts.',
  request: noFields,
  result: v.object({
    keys: v.array(
      v.object({ use: v.picklist(['index', 'receipt', 'ledger']), id: v.string(), public_key: v.string(), from: time }),
    ),
  }),
});
export const readProofTicks = call('GET /proof/ticks', {
  who: 'anyone',
  summary: 'Signed ticks of a coin from a sequence on, as they were chained (JSON texts).',
  request: v.object({
    code: coinCode,
    from: v.pipe(v.string(), v.regex(/^[0-9]{1,18}$/, 'malformed')),
    limit: v.optional(wholeNumber(1, 1000)),
  }),
  result: v.object({
    items: v.array(v.object({ body: v.string(), hash: v.string(), signature: v.string(), key: v.string() })),
    head: v.nullable(v.object({ sequence: v.string(), hash: v.string() })),
  }),
});
