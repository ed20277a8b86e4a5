import * as v from 'valibot';
import { call } from './call.ts';
import { id, isoTime, remarkText } from './fields.ts';
import { OPTION_STATUSES, optionOrderEntries } from './options.ts';
import { signedText, treeSignedText } from './signed-texts.ts';

/** A receipt is verified by `proof`; its shape is in `docs/verification.md`. */
export const optionReceipt = v.object({
  v: v.literal('receipt/1'),
  terms: treeSignedText,
  /** Opens the commitment to the account in the terms. */
  account: v.object({ salt: v.string(), customer: v.string() }),
  /** The ticks before the start, at the start, at the end, and after the end (null until it exists). */
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
  /** How the terms are in the chain of promises, and the tick that names them. Terms before `opt/4` have none. */
  promise: v.optional(
    v.nullable(
      v.object({ index: v.string(), path: v.array(v.string()), links: v.array(v.string()), tick: signedText }),
    ),
  ),
});
export type OptionReceipt = v.InferOutput<typeof optionReceipt>;

export const readOption = call('GET /coin/order/info', {
  who: 'customer',
  summary: 'One option order with its receipt.',
  request: v.object({ id }),
  result: v.object({ ...optionOrderEntries, receipt: v.nullable(optionReceipt) }),
  refusals: ['order_unknown'],
});

export const voidOption = call('POST /coin/order/void', {
  who: 'customer',
  summary:
    'Have a lost order void that a start or end price settled which was published more than five seconds late: its stake goes back. Once, within seven days of the settlement.',
  movesMoney: true,
  request: v.object({ id }),
  result: v.object(optionOrderEntries),
  refusals: [
    'order_unknown',
    'order_not_settled',
    'already_void',
    'order_not_lost',
    'prices_not_late',
    'void_too_late',
    'loss_corrected',
    'pool_short',
  ],
});

export const disputeOption = call('POST /coin/order/dispute', {
  who: 'customer',
  summary: 'Open a dispute on a settled order: a case with the receipt attached and a deadline.',
  request: v.object({ id, reason: remarkText(500) }),
  result: v.object({ id: v.string(), deadline: isoTime }),
  refusals: ['order_unknown', 'order_not_settled', 'dispute_open'],
});
