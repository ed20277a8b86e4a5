import * as v from 'valibot';
import { call } from './call.ts';
import { decimalText, fieldFault, id, isoTime, pagedListOf, pageField, TIME_AND_UUID } from './fields.ts';
import { PLAY_REFUSALS } from './refusals.ts';
import { signedText } from './signed-texts.ts';

/**
 * The state of a box: `open`, or why it cannot be opened (no licence, not yet, ended, all drawn, or the budget could
 * not pay the largest prize again).
 */
const BOX_STATES = ['open', 'no_licence', 'upcoming', 'closed', 'sold_out', 'fund_spent'] as const;

const prize = v.object({
  kind: v.picklist(['usdt', 'points']),
  amount: decimalText,
  /** The prize's weight; its probability is `weight / weight_sum`. */
  weight: v.number(),
  /** The number of times that it has been drawn. */
  given: v.number(),
});

export const boxView = v.object({
  id: v.string(),
  name: v.string(),
  state: v.picklist(BOX_STATES),
  /** In points. */
  price: decimalText,
  weight_sum: v.number(),
  prizes: v.array(prize),
  draws_max: v.number(),
  drawn: v.number(),
  opens_at: isoTime,
  closes_at: isoTime,
  /** The maximum total of prizes, and the total so far. */
  budget: v.object({ usdt: decimalText, points: decimalText }),
  paid: v.object({ usdt: decimalText, points: decimalText }),
  /** The expected value of one draw. */
  expected: v.object({ usdt: decimalText, points: decimalText }),
  /** `none`, or the public beacon's name. */
  beacon: v.string(),
  /** The text that was signed before the sale. */
  signed: signedText,
  published_at: isoTime,
});
export type Box = v.InferOutput<typeof boxView>;

export const listBoxes = call('GET /box/lists', {
  who: 'anyone',
  summary: 'Blind boxes: price, odds, what was given and what is left, and the text that was signed before the sale.',
  request: v.object({}),
  result: v.object({ lists: v.array(boxView) }),
});

/** One draw; the null fields are set with its result. */
export const drawView = v.object({
  id: v.string(),
  box: v.object({ id: v.string(), name: v.string(), signed: signedText }),
  i: v.number(),
  state: v.picklist(['open', 'resolved']),
  at: isoTime,
  /** The reservation, signed when the draw was reserved. */
  reservation: signedText,
  /** The sibling hashes on the way to the box's root. */
  path: v.array(v.string()),
  /** The app's own seed is accepted until this time. */
  seed_until: isoTime,
  /** When the beacon publishes the round; null without a beacon. */
  round_at: v.nullable(isoTime),
  client_seed: v.nullable(v.string()),
  result: v.nullable(
    v.object({
      beacon: v.nullable(v.string()),
      seed: v.string(),
      number: v.string(),
      prize: v.string(),
      kind: v.picklist(['usdt', 'points']),
      amount: decimalText,
      resolved: v.string(),
      at: isoTime,
      /** The ledger transfer that paid the prize. */
      paid: v.nullable(v.object({ asset: v.string(), units: v.string(), sequence: v.string() })),
    }),
  ),
});
export type Draw = v.InferOutput<typeof drawView>;

export const drawBox = call('POST /box/draw', {
  who: 'customer',
  summary:
    'Pay for a box and reserve the next number. The answer is signed; send a seed of your own with `POST /box/seed` within the time that it names.',
  movesMoney: true,
  request: v.object({ id }),
  result: drawView,
  refusals: [
    'account_frozen',
    'box_unknown',
    'box_closed',
    'box_sold_out',
    'points_missing',
    'primary_required',
    ...PLAY_REFUSALS,
  ],
});

export const seedDraw = call('POST /box/seed', {
  who: 'customer',
  summary: 'The app’s own random seed for a draw that it has reserved: 32 bytes in hex, once.',
  request: v.object({
    id,
    client_seed: v.pipe(v.string(fieldFault('required')), v.regex(/^[0-9a-f]{64}$/, fieldFault('malformed'))),
  }),
  result: drawView,
  refusals: ['draw_unknown', 'seed_too_late'],
});

export const listDraws = call('GET /box/record', {
  who: 'customer',
  summary: 'The customer’s draws, newest first; one by its id.',
  request: v.object({ id: v.optional(id), page: pageField(TIME_AND_UUID) }),
  result: pagedListOf(drawView),
  refusals: ['draw_unknown'],
});

export const readBoxFile = call('GET /box/file', {
  who: 'anyone',
  summary: 'Everything that was drawn from a box, as `npx sathorn-verify` and the app check it; without names.',
  request: v.object({ id }),
  result: v.object({
    box: signedText,
    commitments: v.array(v.string()),
    draws: v.array(
      v.union([
        v.object({
          reservation: signedText,
          client_seed: v.nullable(v.string()),
          beacon: v.nullable(v.string()),
          seed: v.string(),
          number: v.string(),
          prize: v.string(),
          resolved: v.string(),
          paid: v.nullable(v.object({ asset: v.string(), units: v.string() })),
        }),
        v.object({ reservation: signedText }),
      ]),
    ),
    at: v.string(),
  }),
  refusals: ['box_unknown'],
});
