import * as v from 'valibot';
import { call } from './call.ts';
import {
  choice,
  coinCode,
  decimal,
  id,
  listOf,
  noFields,
  page,
  text,
  time,
  usdtAmount,
  wholeNumber,
} from './fields.ts';

export const OPTION_STATUSES = ['holding', 'won', 'lost', 'tie', 'void'] as const;
export type OptionStatus = (typeof OPTION_STATUSES)[number];

const optionOrderEntries = {
  id: v.string(),
  /** The coin. */
  name: v.string(),
  direction: v.picklist(['up', 'down']),
  /** The stake. */
  quantity: decimal,
  /** What was paid. */
  buy_price: decimal,
  /** What was credited; null while holding. */
  sell_price: v.nullable(decimal),
  start_price: v.nullable(decimal),
  end_price: v.nullable(decimal),
  start_sequence: v.nullable(v.string()),
  end_sequence: v.nullable(v.string()),
  duration: v.number(),
  payout: decimal,
  fee_rate: decimal,
  /** Below zero on a loss; null while holding. */
  profit: v.nullable(decimal),
  fee: v.nullable(decimal),
  /** What a win would credit in all. */
  win_credit: decimal,
  start_time: time,
  end_time: time,
  status: v.picklist(OPTION_STATUSES),
  /** Why it is void. */
  reason: v.nullable(v.picklist(['no_start_tick', 'no_end_tick'])),
  disputed: v.boolean(),
  origin: v.picklist(['live', 'sim', 'replay']),
};
export const optionOrder = v.object(optionOrderEntries);
export type OptionOrder = v.InferOutput<typeof optionOrder>;

/** A receipt is verified by `proof`; its shape is `docs/verification.md` 4.2. Texts are exactly what was hashed and signed. */
export const signedText = v.object({ body: v.string(), hash: v.string(), signature: v.string(), key: v.string() });
export const optionReceipt = v.object({
  v: v.literal('receipt/1'),
  /** Terms accepted together are signed by the root of their Merkle tree; `path` leads from these to it. */
  terms: v.object({
    body: v.string(),
    hash: v.string(),
    index: v.string(),
    path: v.array(v.string()),
    tree: signedText,
  }),
  /** Opens the seal of the account in the terms. */
  account: v.object({ salt: v.string(), customer: v.string() }),
  /** The tick before the start, the start, the end, and the one after it (null until it exists). */
  ticks: v.object({
    before_start: v.nullable(signedText),
    start: v.nullable(signedText),
    end: v.nullable(signedText),
    after_end: v.nullable(signedText),
  }),
  result: v.object({
    status: v.picklist(OPTION_STATUSES),
    reason: v.nullable(v.picklist(['no_start_tick', 'no_end_tick'])),
    profit: v.string(),
    fee: v.string(),
    credited: v.string(),
  }),
  transfers: v.array(
    v.object({
      seq: v.string(),
      kind: v.picklist(['hold', 'post', 'void', 'single']),
      from: v.string(),
      to: v.string(),
      asset: v.string(),
      amount: v.string(),
      resolves: v.nullable(v.string()),
    }),
  ),
});
export type OptionReceipt = v.InferOutput<typeof optionReceipt>;

export const buyOption = call('POST /coin/order/add', {
  who: 'customer',
  summary: 'Buy up or down on the index of a coin.',
  movesMoney: true,
  request: v.object({
    code: coinCode,
    direction: choice(['up', 'down']),
    quantity: usdtAmount,
    duration: wholeNumber(1, 86_400),
  }),
  result: optionOrder,
  refusals: [
    'below_minimum',
    'above_maximum',
    'duration_not_offered',
    'coin_not_offered',
    'exceeds_balance',
    'index_stale',
    'exposure_reached',
    'account_frozen',
  ],
});

export const readOption = call('GET /coin/order/info', {
  who: 'customer',
  summary: 'One option order with its receipt.',
  request: v.object({ id }),
  result: v.object({ ...optionOrderEntries, receipt: v.nullable(optionReceipt) }),
  refusals: ['order_unknown'],
});

export const listOptions = call('POST /coin/order/lists', {
  who: 'customer',
  summary: 'Option orders that are holding, or history after settlement.',
  request: v.object({ status: choice(['holding', 'history']), code: v.optional(coinCode), page }),
  result: listOf(optionOrder),
});

export const readOptionTotals = call('GET /coin/order/total', {
  who: 'customer',
  summary: 'Totals of this customer’s option orders, in USDT; counts are plain numbers.',
  request: noFields,
  result: v.object({
    holding: v.number(),
    staked: decimal,
    won: v.number(),
    lost: v.number(),
    profit: decimal,
    today: decimal,
  }),
});

export const disputeOption = call('POST /coin/order/dispute', {
  who: 'customer',
  summary: 'Open a dispute on a settled order: a case with the receipt attached and a deadline.',
  request: v.object({ id, reason: text(1, 500) }),
  result: v.object({ id: v.string(), deadline: time }),
  refusals: ['order_unknown', 'order_not_settled', 'dispute_open'],
});

export const readBalance = call('POST /coin/user/amount', {
  who: 'customer',
  summary: 'Available and held, of a coin and of USDT.',
  request: v.object({ code: coinCode }),
  result: v.object({
    code: v.string(),
    available: decimal,
    held: decimal,
    usdt_available: decimal,
    usdt_held: decimal,
  }),
});
