import { normaliseAddress } from '@sathorn/identity';
import { parseMoney } from '@sathorn/money';
import * as v from 'valibot';
import { call } from './call.ts';
import { amountText, boundedText, decimalText, fieldFault, id, isoTime, noFields, typedText } from './fields.ts';
import { factorProof, paymentPassword } from './person-fields.ts';
import { topic } from './topic.ts';

export const CHANNEL_KINDS = ['crypto', 'bank', 'promptpay'] as const;
export const DEPOSIT_STATUSES = ['pending', 'completed', 'failed'] as const;
/**
 * The step of a deposit. On a chain it is seen in a block, then confirming. By bank it waits for the customer's slip,
 * then for a bank line that matches. `recovery`: no rule can credit it (below the minimum, another token), so it waits
 * for an operator. `recovering`: two people have decided, and it is being sent back or credited. `closed`: a case of
 * another network has ended.
 */
const DEPOSIT_STEPS = [
  'awaiting_slip',
  'in_review',
  'confirming',
  'credited',
  'returned',
  'reversed',
  'recovery',
  'recovering',
  'closed',
] as const;
export const DEPOSIT_REASONS = [
  'below_minimum',
  'other_token',
  'native_coin',
  'counted',
  'other_network',
  'reorganised',
  'expired',
  'amount_differs',
  'not_arrived',
  'name_differs',
  'slip_reused',
  'slip_unreadable',
  'sent_to_old_account',
] as const;

/** Networks on which customers often send by mistake. The network that the platform reads is refused here. */
export const OTHER_NETWORKS = [
  'ethereum',
  'bsc',
  'tron',
  'polygon',
  'arbitrum',
  'optimism',
  'base',
  'avalanche',
  'solana',
  'ton',
  'bitcoin',
  'other',
] as const;
export const OTHER_NETWORK_ENDINGS = ['returned', 'credited', 'unrecoverable'] as const;

export const channelName = v.pipe(
  v.string(fieldFault('required')),
  v.regex(/^[a-z0-9-]{1,32}$/, fieldFault('malformed')),
);

/** The THB that the house pays or takes per USDT, its spread, and the source of the mid rate. */
export const exchangeRate = v.object({
  currency: v.string(),
  /** THB per USDT for the customer, including the spread. */
  rate: decimalText,
  /** The spread as a share: "0.0050" is half a percent. */
  spread: decimalText,
  source: v.string(),
  at: isoTime,
});

export const chainView = v.object({
  code: v.string(),
  name: v.string(),
  /** For example ERC-20 or BEP-20. */
  standard: v.string(),
  token: v.string(),
  /** A block explorer's address with the placeholder `{hash}`; null if there is none. */
  explorer: v.nullable(v.string()),
});
const bankAccount = v.object({
  bank: v.string(),
  bank_name: v.string(),
  account_name: v.string(),
  number: v.string(),
});

const depositChannel = v.object({
  channel: v.string(),
  kind: v.picklist(CHANNEL_KINDS),
  chain: v.nullable(chainView),
  /** The customer's own address on this chain, in checksum case. */
  address: v.nullable(v.string()),
  bank: v.nullable(bankAccount),
  /** In USDT on a chain, in THB at a bank. */
  min: decimalText,
  max: decimalText,
  rate: v.nullable(exchangeRate),
  confirmations: v.nullable(v.number()),
  expected_minutes: v.number(),
  state: v.picklist(['open', 'paused']),
  /** The reason for the channel's pause; null while it is open. */
  reason: v.nullable(v.string()),
});
export type DepositChannel = v.InferOutput<typeof depositChannel>;

export const depositRecord = v.object({
  id: v.string(),
  order_number: v.string(),
  channel: v.string(),
  kind: v.picklist(CHANNEL_KINDS),
  status: v.picklist(DEPOSIT_STATUSES),
  step: v.picklist(DEPOSIT_STEPS),
  reason: v.nullable(v.picklist(DEPOSIT_REASONS)),
  /** USDT credited, or to be credited. */
  amount: decimalText,
  /** For bank deposits: the amount to pay, its rate (valid until `rate_until`), and the reference to enter. */
  fiat: v.nullable(
    v.object({
      currency: v.string(),
      amount: decimalText,
      /** The baht that arrived; null until the credit. It may differ from the requested amount. */
      came: v.nullable(decimalText),
      rate: decimalText,
      rate_until: isoTime,
      reference: v.string(),
    }),
  ),
  /** The payload of a PromptPay QR (EMVCo). */
  qr: v.nullable(v.string()),
  bank: v.nullable(bankAccount),
  chain: v.nullable(chainView),
  hash: v.nullable(v.string()),
  from: v.nullable(v.string()),
  address: v.nullable(v.string()),
  block_height: v.nullable(v.string()),
  /** The block height at which it is credited. */
  credit_height: v.nullable(v.string()),
  confirmations: v.nullable(v.number()),
  confirmations_needed: v.nullable(v.number()),
  has_slip: v.boolean(),
  /** The treatment of a transfer that no rule can credit, and its result. Null for any other deposit. */
  recovery: v.nullable(
    v.object({
      /** The token's contract; null for the chain's own coin. */
      token: v.nullable(v.string()),
      /** In the token's smallest units, because its value is unknown. */
      units: v.string(),
      /** A saved wallet of the customer to which it may be returned. */
      to: v.nullable(v.object({ name: v.string(), address: v.string() })),
      plan: v.nullable(v.picklist(['credit', 'return'])),
      /** The published fee for a credit, in USDT. Returning a coin costs its gas; returning a token costs nothing. */
      fee: decimalText,
      /** The transaction that returned the transfer. */
      hash: v.nullable(v.string()),
    }),
  ),
  /** A transfer on a network that the platform does not read, as stated by the operator who opened the case. */
  elsewhere: v.nullable(
    v.object({
      network: v.picklist(OTHER_NETWORKS),
      token: v.string(),
      amount: decimalText,
      hash: v.string(),
      /** The operator's text to the customer. */
      note: v.string(),
      /** The result; null while people work on the case. */
      ending: v.nullable(v.picklist(OTHER_NETWORK_ENDINGS)),
      /** The transaction that returned the transfer, on that network. */
      returned_in: v.nullable(v.string()),
      /** The USDT that corrections have paid for the transfer. */
      corrected: decimalText,
    }),
  ),
  created_at: isoTime,
  /** The timestamp of the transfer's block. */
  in_block_at: v.nullable(isoTime),
  finished_at: v.nullable(isoTime),
});
export type DepositRecord = v.InferOutput<typeof depositRecord>;

export const listDepositChannels = call('GET /pay/lists', {
  who: 'customer',
  summary: 'How money comes in: each channel with its address or account, limits, rate and state.',
  request: noFields,
  result: v.array(depositChannel),
});

/** At least 60 letters and digits, as the specification requires. The server checks the chain's own format. */
const hash = v.pipe(typedText(normaliseAddress), v.regex(/^[A-Za-z0-9]{60,128}$/, fieldFault('hash_malformed')));

export const submitDeposit = call('POST /pay/submit', {
  who: 'customer',
  summary:
    'By chain: find a deposit by its transaction hash. By bank: order one by its amount, then send its slip (the id of an uploaded picture) with the id of the deposit.',
  request: v.object({
    channel: channelName,
    /** THB to pay, for bank channels. */
    amount: v.optional(
      v.pipe(
        amountText,
        v.check((given) => parseMoney('THB', given) !== undefined, fieldFault('amount_malformed')),
      ),
    ),
    hash: v.optional(hash),
    id: v.optional(id),
    slip: v.optional(id),
  }),
  result: depositRecord,
  refusals: [
    'paused',
    'channel_unknown',
    'channel_paused',
    'below_baht_minimum',
    'above_baht_maximum',
    'hash_unknown',
    'hash_failed',
    'hash_other_token',
    'hash_other_address',
    'hash_of_another',
    'hash_below_minimum',
    'chain_unavailable',
    'deposit_unknown',
    'deposit_finished',
    'slip_unknown',
    'too_many_open_deposits',
    'account_frozen',
    'self_excluded',
    'time_out',
  ],
});

export const nameReturnWallet = call('POST /pay/recover', {
  who: 'customer',
  summary:
    'Name the saved wallet to which a transfer may go back that can’t be credited. Two people decide; until they do, another wallet may be named.',
  request: v.object({
    id,
    target: id,
    paypass: paymentPassword,
    /** A code or a passkey's proof, required if the customer has a second factor. */
    otp: v.optional(factorProof),
  }),
  result: depositRecord,
  refusals: [
    'deposit_unknown',
    'deposit_not_in_recovery',
    'recovery_decided',
    'payee_unknown',
    'address_of_house',
    'payee_not_usable_yet',
    'return_delayed',
    'account_frozen',
    'paypass_not_set',
    'paypass_wrong',
    'paypass_locked',
    'second_factor_required',
    'second_factor_wrong',
    'second_factor_delayed',
  ],
});

export const sendTestDeposit = call('POST /pay/demo', {
  who: 'customer',
  summary:
    'Demo mode only. By chain: send test USDT to the own address in a real transaction of the local chain. By bank: let the test bank report the payment of the deposit `id`.',
  request: v.object({ channel: channelName, amount: v.optional(amountText), id: v.optional(id) }),
  result: v.object({ hash: v.nullable(v.string()), reference: v.nullable(v.string()) }),
  refusals: [
    'channel_unknown',
    'amount_not_positive',
    'exceeds_demo_limit',
    'chain_unavailable',
    'deposit_unknown',
    'deposit_finished',
    'self_excluded',
    'time_out',
  ],
});

export const depositsTopic = topic('deposits', {
  who: 'customer',
  summary: 'Deposits that changed; a snapshot is those that are pending.',
  merge: 'every',
  event: v.array(depositRecord),
});

/** A remark on a case by an operator or a customer. */
export const caseText = boundedText(1, 500);
