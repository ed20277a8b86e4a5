/** Orders of coin contracts that wait for a tick of the index. */
import * as v from 'valibot';
import { call } from './call.ts';
import { contractOrder, flag, PLACE, TIMES_IN_FORCE } from './contracts.ts';
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
  storedPrice,
  usdtAmount,
} from './fields.ts';
import { PLAY_REFUSALS } from './refusals.ts';
import { topic } from './topic.ts';

const TRIGGER_KINDS = ['stop', 'take_profit'] as const;

const waitingEntries = {
  /** From the same numbers as the ids of orders. */
  id: v.string(),
  code: v.string(),
  side: v.picklist(['buy', 'sell']),
  trigger: v.picklist(TRIGGER_KINDS),
  trigger_price: decimalText,
  /** Triggers when the index is at this price or `above`, or at it or `below`. */
  trigger_when: v.picklist(['above', 'below']),
  /** The order that it becomes, as in contract orders. */
  type: v.picklist(['limit', 'market']),
  tif: v.picklist(TIMES_IN_FORCE),
  post_only: v.boolean(),
  price: v.nullable(decimalText),
  /** The highest price that a market buy by quantity pays; null for other orders. */
  cap: v.nullable(decimalText),
  /** In coins; null for a market buy by amount. */
  quantity: v.nullable(decimalText),
  /** USDT to spend; null for other orders. */
  amount: v.nullable(decimalText),
  maker_fee_rate: decimalText,
  taker_fee_rate: decimalText,
  /** Currently held for the order: USDT for a buy, coins for a sale. */
  held: decimalText,
  held_asset: v.string(),
  /** `refused`: it was triggered, and the book refused what it became. */
  status: v.picklist(['waiting', 'triggered', 'cancelled', 'refused']),
  /** Why it was cancelled. `paired`: the order beside it was filled or ended. */
  reason: v.nullable(v.picklist(['revoked', 'amended', 'paired'])),
  /** The code of the book's refusal. */
  refusal: v.nullable(v.string()),
  /** The index tick that triggered it, as in `GET /proof/ticks`. */
  tick: v.nullable(v.object({ sequence: v.string(), at: isoTime, price: decimalText })),
  /** The contract order that it became. */
  order: v.nullable(v.string()),
  /** The waiting order whose place it took. */
  replaces: v.nullable(v.string()),
  /** The resting order beside it: the first that is filled or triggered ends the other. */
  pair: v.nullable(v.string()),
  /** Only ticks later than this trigger it. */
  armed_at: isoTime,
  created_at: isoTime,
  updated_at: isoTime,
};
const waitingOrder = v.object(waitingEntries);
export type WaitingOrder = v.InferOutput<typeof waitingOrder>;

const PLACING_REFUSALS = [
  'paused',
  'consent_required',
  'coin_not_counted',
  'coin_not_covered',
  'contracts_not_offered',
  'trigger_price_required',
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
  'stop_would_trigger',
  'beyond_collar',
  'too_many_orders',
  'exceeds_balance',
] as const;

export const placeWaiting = call('POST /coin/wait/add', {
  who: 'customer',
  summary:
    'Place an order that waits for the index: a stop or a take-profit. The first index tick after its acceptance that reaches its price makes it a limit or market order. Its money is held until then.',
  movesMoney: true,
  request: v.object({
    code: coinCode,
    side: choiceOf(['buy', 'sell']),
    /** `stop` buys when the index rises and sells when it falls; `take_profit` is the opposite. */
    trigger: choiceOf(TRIGGER_KINDS),
    trigger_price: storedPrice,
    type: choiceOf(['limit', 'market']),
    /** Only for a limit order. */
    price: v.optional(priceField),
    /** In coins. A market buy pays at most two hundredths more than the trigger price. */
    quantity: v.optional(amountText),
    /** USDT to spend, for a market buy without a quantity. */
    amount: v.optional(usdtAmount),
    /** GTC by default; a market order is IOC or FOK. */
    tif: v.optional(choiceOf(TIMES_IN_FORCE)),
    post_only: flag,
  }),
  result: waitingOrder,
  refusals: [...PLACING_REFUSALS, ...PLAY_REFUSALS],
});

export const amendWaiting = call('POST /coin/wait/amend', {
  who: 'customer',
  summary: 'Change an order that waits. The changed order is a new one, which only later ticks trigger.',
  movesMoney: true,
  request: v.object({
    id,
    trigger_price: v.optional(storedPrice),
    price: v.optional(priceField),
    quantity: v.optional(amountText),
  }),
  result: waitingOrder,
  refusals: [
    ...PLACING_REFUSALS.filter((refusal) => refusal !== 'coin_not_counted' && refusal !== 'coin_not_covered'),
    'order_unknown',
    'order_ended',
    'order_paired',
    'nothing_changes',
    ...PLAY_REFUSALS,
  ],
});

export const revokeWaiting = call('POST /coin/wait/close', {
  who: 'customer',
  summary: 'Revoke an order that waits: its money is free again.',
  movesMoney: true,
  request: v.object({ id }),
  result: waitingOrder,
  refusals: ['order_unknown', 'order_ended'],
});

export const placePair = call('POST /coin/wait/pair', {
  who: 'customer',
  summary:
    'Place a limit order that takes profit and a stop, of which only one can happen: the first that is filled, in part or whole, or triggered ends the other at once. Both share what they hold.',
  movesMoney: true,
  request: v.object({
    code: coinCode,
    side: choiceOf(['buy', 'sell']),
    /** In coins, of both. */
    quantity: amountText,
    /** The limit order's price. It is post-only. */
    price: priceField,
    trigger_price: storedPrice,
    /** The stop's limit; without it the stop is a market order. */
    stop_price: v.optional(priceField),
  }),
  result: v.object({ waiting: waitingOrder, order: contractOrder }),
  refusals: [...PLACING_REFUSALS, 'post_only_would_cross', 'no_liquidity', 'book_full', ...PLAY_REFUSALS],
});

export const listWaiting = call('POST /coin/wait/lists', {
  who: 'customer',
  summary: 'Orders that wait or waited for the index, newest first.',
  request: v.object({
    code: v.optional(coinCode),
    status: choiceOf(['open', 'history', 'all']),
    page: pageField(PLACE),
  }),
  result: pagedListOf(waitingOrder),
});

export const readWaiting = call('GET /coin/wait/info', {
  who: 'customer',
  summary: 'One order that waits or waited, and where the ticks begin that could trigger it.',
  request: v.object({ id }),
  result: v.object({
    ...waitingEntries,
    /** Sequence of the first tick later than `armed_at`; null while there is none. */
    first_tick: v.nullable(v.string()),
  }),
  refusals: ['order_unknown'],
});

export const waitingTopic = topic('waiting', {
  who: 'customer',
  summary: 'Waiting orders that changed; a snapshot is all that wait.',
  merge: 'every',
  event: v.array(waitingOrder),
});
