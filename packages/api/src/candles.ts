import * as v from 'valibot';
import { call } from './call.ts';
import { choiceOf, coinCode, decimalText, INTERVALS, pageField, wholeNumber } from './fields.ts';
import { topic } from './topic.ts';

/** Time in ms since 1970; open, high, low, close and volume as decimal strings; 1 if simulated, otherwise 0. */
const candle = v.tuple([
  v.number(),
  decimalText,
  decimalText,
  decimalText,
  decimalText,
  decimalText,
  v.picklist([0, 1]),
]);
export type Candle = v.InferOutput<typeof candle>;
export const listCandles = call('POST /coin/data/lists', {
  who: 'anyone',
  summary: 'Candles before a time, oldest first.',
  request: v.object({
    code: coinCode,
    interval: choiceOf(INTERVALS),
    before: v.optional(v.pipe(v.string(), v.regex(/^[0-9]{1,15}$/, 'malformed'), v.transform(Number))),
    limit: v.optional(wholeNumber(1, 1000)),
    of: v.optional(choiceOf(['index', 'trades'])),
    page: pageField('[0-9]{10,15}'),
  }),
  result: v.object({ items: v.array(candle), next: v.nullable(v.string()) }),
});

const candleNews = v.object({ code: v.string(), interval: v.picklist(INTERVALS), candle });
export const candleTopic = topic('candle:{code}:{interval}', {
  who: 'anyone',
  summary: 'The current candle of the index.',
  merge: 'last',
  event: candleNews,
});
export const tradesCandleTopic = topic('trades_candle:{code}:{interval}', {
  who: 'anyone',
  summary: 'The newest candle of the trades on the book.',
  merge: 'last',
  event: candleNews,
});
