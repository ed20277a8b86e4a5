import * as v from 'valibot';
import { call } from './call.ts';
import {
  choiceOf,
  coinCode,
  decimalText,
  fieldFault,
  isoTime,
  noFields,
  pagedListOf,
  pageField,
  UUID,
  usdtAmount,
  uuid,
  wholeNumber,
} from './fields.ts';
import { saleTermsEntries } from './quotes.ts';
import { PLAY_REFUSALS } from './refusals.ts';
import { signedStatement, treeSignedText } from './signed-texts.ts';
import { topic } from './topic.ts';

export const OPTION_STATUSES = ['holding', 'won', 'lost', 'tie', 'void', 'sold'] as const;
export type OptionStatus = (typeof OPTION_STATUSES)[number];

export const optionOrderEntries = {
  id: v.string(),
  /** The coin. */
  name: v.string(),
  direction: v.picklist(['up', 'down']),
  /** The stake. */
  quantity: decimalText,
  /** The amount that the customer paid. */
  buy_price: decimalText,
  /** The amount credited to the customer; null while the option is open. */
  sell_price: v.nullable(decimalText),
  start_price: v.nullable(decimalText),
  end_price: v.nullable(decimalText),
  start_sequence: v.nullable(v.string()),
  end_sequence: v.nullable(v.string()),
  duration: v.number(),
  payout: decimalText,
  fee_rate: decimalText,
  /** The result before the fee, which is taken from a gain. Negative for a loss; null while the option is open. */
  profit: v.nullable(decimalText),
  fee: v.nullable(decimalText),
  /** The total credited for a win. */
  win_credit: decimalText,
  start_time: isoTime,
  end_time: isoTime,
  status: v.picklist(OPTION_STATUSES),
  /** Why the order is void. */
  reason: v.nullable(v.picklist(['no_start_tick', 'no_end_tick'])),
  disputed: v.boolean(),
  origin: v.picklist(['live', 'sim', 'replay']),
  /** The terms of selling it before its end; absent if it can't be sold. They are part of the signed terms. */
  sale: v.optional(
    v.object({
      ...saleTermsEntries,
      /** When it was sold; null if it was not. */
      sold_at: v.nullable(isoTime),
    }),
  ),
  /** Only of an order that a late price settled. */
  late: v.optional(
    v.object({
      /** How late the start and end price were published, in ms; 0 if on time. */
      start_ms: v.number(),
      end_ms: v.number(),
      /** The last moment at which its customer may void it; null if the customer may not. */
      void_until: v.nullable(isoTime),
      /** When its customer had it void: the stake went back then. */
      voided_at: v.nullable(isoTime),
    }),
  ),
};
export const optionOrder = v.object(optionOrderEntries);
export type OptionOrder = v.InferOutput<typeof optionOrder>;

/** A new order with its signed terms. The client keeps the terms, because the receipt must contain the same ones. */
const boughtOption = v.object({ ...optionOrderEntries, terms: v.optional(treeSignedText) });
export type BoughtOption = v.InferOutput<typeof boughtOption>;

export const buyOption = call('POST /coin/order/add', {
  who: 'customer',
  summary: 'Buy up or down on the index of a coin. The answer carries the signed terms.',
  movesMoney: true,
  request: v.object({
    code: coinCode,
    direction: choiceOf(['up', 'down']),
    quantity: usdtAmount,
    duration: wholeNumber(1, 86_400),
    /**
     * 16 to 32 random bytes from the customer in hex or base64url, which are signed with the terms. A retry must send
     * the same bytes.
     */
    nonce: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{22,64}$/, fieldFault('malformed')))),
    /** The latest acceptance that the customer allows, ms since 1970; signed with the terms. A retry sends the same. */
    latest: v.optional(v.pipe(v.string(), v.regex(/^[1-9][0-9]{12}$/, fieldFault('malformed')), v.transform(Number))),
  }),
  result: boughtOption,
  refusals: [
    'below_minimum',
    'above_maximum',
    'duration_not_offered',
    'coin_not_offered',
    'exceeds_balance',
    'index_stale',
    'accepted_late',
    'exposure_reached',
    'account_frozen',
    'paused',
    'consent_required',
    ...PLAY_REFUSALS,
  ],
});

export const sellOption = call('POST /coin/order/sell', {
  who: 'customer',
  summary:
    'Sell an open option back before its end, at the price of a tick that the caller just saw. It is answered at the first tick half a second after its arrival: with the sold option, or with the new price if holding is worth less by then.',
  movesMoney: true,
  request: v.object({
    id: uuid,
    price: usdtAmount,
    /** The sequence of the tick. */
    tick: v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,17}$/, fieldFault('malformed'))),
  }),
  result: optionOrder,
  refusals: [
    'order_unknown',
    'order_settled',
    'sale_not_offered',
    'index_stale',
    'sale_too_early',
    'sale_closed',
    'sale_worthless',
    'price_moved',
    'account_frozen',
    'paused',
  ],
});

export const readOptionBid = call('GET /coin/order/bid', {
  who: 'customer',
  summary: 'The price at which an open option can be sold now, with the tick that it was made of.',
  request: v.object({ id: uuid }),
  result: v.object({
    price: decimalText,
    tick: v.string(),
    /** What the house keeps of the worth, and the price less the stake. */
    spread: decimalText,
    profit: decimalText,
    /** The last moment at which it can be sold. */
    until: isoTime,
  }),
  refusals: [
    'order_unknown',
    'order_settled',
    'sale_not_offered',
    'index_stale',
    'sale_too_early',
    'sale_closed',
    'sale_worthless',
  ],
});

export const listOptions = call('POST /coin/order/lists', {
  who: 'customer',
  summary: 'Option orders that are holding, or history after settlement.',
  request: v.object({
    status: choiceOf(['holding', 'history']),
    code: v.optional(coinCode),
    page: pageField(`[0-9]{10,15}\\.${UUID}`),
  }),
  result: pagedListOf(optionOrder),
});

export const readBalance = call('POST /coin/user/amount', {
  who: 'customer',
  summary: 'Available and held, of a coin and of USDT.',
  request: v.object({ code: coinCode }),
  result: v.object({
    code: v.string(),
    available: decimalText,
    held: decimalText,
    usdt_available: decimalText,
    usdt_held: decimalText,
    /** The signed heads of the customer's accounts; they may be some seconds behind these balances. */
    statement: v.optional(signedStatement),
  }),
});

const fundsOfAsset = v.object({ asset: v.string(), available: decimalText, held: decimalText });

export const listBalances = call('GET /coin/user/balances', {
  who: 'customer',
  summary: 'Available and held, of every asset that the customer has or had.',
  request: noFields,
  result: v.array(fundsOfAsset),
});

export const ordersTopic = topic('orders', {
  who: 'customer',
  summary: 'Option orders that changed; a snapshot is those that are holding.',
  merge: 'every',
  event: v.array(optionOrder),
});

export const balancesTopic = topic('balances', {
  who: 'customer',
  summary: 'What is available and held of each asset.',
  merge: 'reread',
  event: v.array(fundsOfAsset),
});
