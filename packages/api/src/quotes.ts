import * as v from 'valibot';
import { call } from './call.ts';
import { coinCode, decimalText, isoTime } from './fields.ts';
import { PRICE_ORIGINS } from './market.ts';

/** The terms of selling an option before its end. */
export const saleTermsEntries = {
  /** The volatility of a year, and by which share of itself the true one may differ. */
  volatility: decimalText,
  band: decimalText,
  /** What the house keeps, as a share of the stake. */
  spread: decimalText,
  /** It can't be sold in this time before its end. */
  closed_seconds: v.number(),
};

const durationTerms = v.object({
  seconds: v.number(),
  /** Share of the stake that a win adds: `0.78`. */
  payout: decimalText,
  /** The share of the profit that the house keeps as a handling fee: `0.02`. */
  fee: decimalText,
  min: decimalText,
  max: decimalText,
  /** Absent if an option that is bought now can't be sold. */
  sale: v.optional(v.object(saleTermsEntries)),
});
export type DurationTerms = v.InferOutput<typeof durationTerms>;

export const readQuote = call('GET /coin/data/rate', {
  who: 'anyone',
  summary: 'The index price of a coin and the terms of its options.',
  request: v.object({ code: coinCode }),
  result: v.object({
    code: v.string(),
    price: v.nullable(decimalText),
    at: v.nullable(isoTime),
    sequence: v.nullable(v.string()),
    stale: v.boolean(),
    origin: v.picklist(PRICE_ORIGINS),
    sources: v.array(v.object({ name: v.string(), price: decimalText, at: isoTime, used: v.boolean() })),
    durations: v.array(durationTerms),
  }),
});
