import { normaliseCode } from '@sathorn/identity';
import * as v from 'valibot';
import { call } from './call.ts';
import { CHANNEL_KINDS, caseText, chainView, channelName, exchangeRate } from './deposits.ts';
import { decimalText, fieldFault, id, isoTime, noFields, typedText, usdtAmount } from './fields.ts';
import { paymentPassword } from './person-fields.ts';
import { topic } from './topic.ts';

export const WITHDRAWAL_STATUSES = ['review', 'processing', 'success', 'failed'] as const;
/**
 * A withdrawal's step. `delayed`: within 24 hours of a change of credentials or a new payee. `confirming`: the
 * transaction's block is not final. `sent_unknown`: sent with an unknown outcome, and never sent again automatically.
 */
export const WITHDRAWAL_STEPS = [
  'delayed',
  'first_check',
  'second_check',
  'approved',
  'sending',
  'sent_unknown',
  'confirming',
  'done',
  'returned',
] as const;
export const WITHDRAWAL_REASONS = [
  'cancelled',
  'payee_name_differs',
  'payee_refused_by_bank',
  'address_risk',
  'takeover_suspected',
  'source_unclear',
  'customer_asked',
  'legal_order',
  'chain_refused',
  'chain_lost',
  'not_payable',
] as const;
export const DELAY_REASONS = ['new_payee', 'credentials_changed'] as const;

const withdrawalRate = v.object({
  channel: v.string(),
  kind: v.picklist(CHANNEL_KINDS),
  chain: v.nullable(chainView),
  /** USDT. */
  fee_fixed: decimalText,
  /** A share: "0.0010" is a tenth of a percent. */
  fee_rate: decimalText,
  /** The value of a USDT in the payee's currency. */
  rate: v.nullable(exchangeRate),
  /** USDT per withdrawal. */
  min: decimalText,
  max: decimalText,
  daily_max: decimalText,
  left_today: decimalText,
  /** The sum of a customer's withdrawals in a day from which an operator must approve. */
  one_person_from: decimalText,
  two_people_from: decimalText,
  /** The promised time, and the median of the last day; null if there were no withdrawals. */
  expected_minutes: v.number(),
  median_minutes: v.nullable(v.number()),
  confirmations: v.nullable(v.number()),
  state: v.picklist(['open', 'paused']),
  reason: v.nullable(v.string()),
});
export type WithdrawalRate = v.InferOutput<typeof withdrawalRate>;

const payeeView = v.object({
  kind: v.picklist(['wallet', 'card']),
  name: v.string(),
  chain: v.nullable(v.string()),
  address: v.nullable(v.string()),
  bank: v.nullable(v.string()),
  /** Masked. */
  number: v.nullable(v.string()),
  real_name: v.nullable(v.string()),
});

const withdrawalQuote = v.object({
  /** The withdrawal repeats it, and then has exactly these terms or is refused. */
  quote: v.string(),
  valid_until: isoTime,
  channel: v.string(),
  payee: payeeView,
  amount: decimalText,
  fee: decimalText,
  actual_amount: decimalText,
  fiat: v.nullable(v.object({ currency: v.string(), amount: decimalText, rate: decimalText })),
  people: v.number(),
  promised_at: isoTime,
  delayed_until: v.nullable(isoTime),
  delay_reason: v.nullable(v.picklist([...DELAY_REASONS, 'restoration'])),
  /** True if it is paid inside the platform to another customer's deposit address, without a network fee. */
  is_internal: v.boolean(),
  /** The name of a saved payee whose address looks similar but differs. */
  looks_like: v.nullable(v.string()),
  second_factor_required: v.boolean(),
});
export type WithdrawalQuote = v.InferOutput<typeof withdrawalQuote>;

export const withdrawalRecord = v.object({
  id: v.string(),
  order_number: v.string(),
  channel: v.string(),
  kind: v.picklist(CHANNEL_KINDS),
  status: v.picklist(WITHDRAWAL_STATUSES),
  step: v.picklist(WITHDRAWAL_STEPS),
  reason: v.nullable(v.picklist(WITHDRAWAL_REASONS)),
  /** The amount taken from the balance, including the fee. */
  amount: decimalText,
  fee: decimalText,
  actual_amount: decimalText,
  fiat: v.nullable(v.object({ currency: v.string(), amount: decimalText, rate: decimalText })),
  payee: payeeView,
  is_internal: v.boolean(),
  chain: v.nullable(chainView),
  hash: v.nullable(v.string()),
  block_height: v.nullable(v.string()),
  confirmations: v.nullable(v.number()),
  confirmations_needed: v.nullable(v.number()),
  /** The bank's reference. */
  reference: v.nullable(v.string()),
  /** How many people check it. What a payment run pays is checked by one, and signed by two others. */
  people: v.number(),
  /** Operators' work names, never real names. */
  approvals: v.array(v.object({ by: v.string(), role: v.string(), at: isoTime })),
  /** True if a payment run pays it, which two people sign. */
  is_run: v.boolean(),
  /** Who has signed its run; earliest first. */
  signed_by: v.array(v.object({ by: v.string(), at: isoTime })),
  /** A question from staff to the customer. It does not extend the promised time. */
  question: v.nullable(v.string()),
  answer: v.nullable(v.string()),
  /** The staff's text to the customer; the name is the specification's. */
  remark: v.nullable(v.string()),
  can_cancel: v.boolean(),
  created_at: isoTime,
  promised_at: isoTime,
  delayed_until: v.nullable(isoTime),
  /** `restoration`: no payout leaves until the books are reconciled with the chain, at an unknown time. */
  delay_reason: v.nullable(v.picklist([...DELAY_REASONS, 'restoration'])),
  sent_at: v.nullable(isoTime),
  finished_at: v.nullable(isoTime),
});
export type WithdrawalRecord = v.InferOutput<typeof withdrawalRecord>;

export const listWithdrawalRates = call('GET /users/extract/rate', {
  who: 'customer',
  summary: 'How money goes out: each channel with its fee, limits, what is left today and the promised time.',
  request: noFields,
  result: v.array(withdrawalRate),
});

const order = { channel: channelName, target: id, amount: usdtAmount };
const orderRefusals = [
  'paused',
  'channel_unknown',
  'channel_paused',
  'payee_unknown',
  'payee_of_another_channel',
  'below_minimum',
  'above_maximum',
  'exceeds_daily_limit',
  'exceeds_balance',
  'account_frozen',
  'address_of_house',
] as const;

export const quoteWithdrawal = call('POST /users/extract/quote', {
  who: 'customer',
  summary: 'What a withdrawal would cost, bring and need. Nothing is held.',
  request: v.object(order),
  result: withdrawalQuote,
  refusals: orderRefusals,
});

export const requestWithdrawal = call('POST /users/extract', {
  who: 'customer',
  summary: 'Withdraw to a wallet or a bank card. The amount is held at once, fee inside.',
  movesMoney: true,
  request: v.object({
    ...order,
    paypass: paymentPassword,
    /** From the quote: the withdrawal has exactly its terms or is refused. */
    quote: v.optional(id),
    /** The code of the second factor, for customers who have one. */
    otp: v.optional(v.pipe(typedText(normaliseCode), v.regex(/^[A-Za-z0-9-]{6,32}$/, fieldFault('malformed')))),
  }),
  result: withdrawalRecord,
  refusals: [
    ...orderRefusals,
    'quote_expired',
    'fee_changed',
    'paypass_not_set',
    'paypass_wrong',
    'paypass_locked',
    'second_factor_required',
    'second_factor_wrong',
    'second_factor_delayed',
  ],
});

export const cancelWithdrawal = call('POST /users/extract/cancel', {
  who: 'customer',
  summary: 'Cancel a withdrawal that is under review: the amount and the fee are back at once.',
  movesMoney: true,
  request: v.object({ id }),
  result: withdrawalRecord,
  refusals: ['withdrawal_unknown', 'withdrawal_not_in_review'],
});

export const answerWithdrawal = call('POST /users/extract/answer', {
  who: 'customer',
  summary: 'Answer what staff asked about a withdrawal.',
  request: v.object({ id, text: caseText }),
  result: withdrawalRecord,
  refusals: ['withdrawal_unknown', 'nothing_asked'],
});

export const withdrawalsTopic = topic('withdrawals', {
  who: 'customer',
  summary: 'Withdrawals that changed; a snapshot is those that are not finished.',
  merge: 'every',
  event: v.array(withdrawalRecord),
});
