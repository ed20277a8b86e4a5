import * as v from 'valibot';
import { call } from './call.ts';
import { boundedText, choiceOf, emptyResult, fieldFault, id, isoTime, noFields, remarkText } from './fields.ts';
import { email, factorProof, paymentPassword, personName, phone } from './person-fields.ts';

/** The kinds of payees: a bank card or a wallet. */
const PAYEE_KINDS = ['card', 'wallet'] as const;

const walletView = v.object({
  id: v.string(),
  name: v.string(),
  coin: v.string(),
  chain: v.string(),
  chain_name: v.string(),
  /** In checksum case. */
  address: v.string(),
  added_at: isoTime,
  /** Withdrawals to it are possible from this time on. */
  usable_from: isoTime,
});
export type WalletView = v.InferOutput<typeof walletView>;

/** A masked card: no answer contains the whole number. */
const cardView = v.object({
  id: v.string(),
  name: v.string(),
  real_name: v.string(),
  ifsc: v.string(),
  bank: v.string(),
  bank_name: v.string(),
  number: v.string(),
  phone: v.string(),
  email: v.string(),
  /** True if the name matches the certified one; null while the customer is not certified. */
  is_certified_name: v.nullable(v.boolean()),
  added_at: isoTime,
  usable_from: isoTime,
});
export type CardView = v.InferOutput<typeof cardView>;

export const listPayees = call('GET /users/bank', {
  who: 'customer',
  summary: 'Bank cards and wallets of this customer, numbers masked, with the banks and chains that may be added.',
  request: noFields,
  result: v.object({
    cards: v.array(cardView),
    wallets: v.array(walletView),
    cards_max: v.number(),
    wallets_max: v.number(),
    banks: v.array(v.object({ code: v.string(), name: v.string(), digits: v.array(v.number()) })),
    /** `pattern` is a regular expression for addresses of this chain. */
    chains: v.array(v.object({ code: v.string(), name: v.string(), standard: v.string(), pattern: v.string() })),
  }),
});

const payeeName = v.pipe(remarkText(24), v.regex(/^[^\n]+$/, fieldFault('malformed')));

const REQUIRED = {
  card: ['real_name', 'ifsc', 'bank', 'number', 'phone', 'email'],
  wallet: ['name', 'coin', 'chain', 'address'],
} as const;
export const addPayee = call('POST /users/bank/add', {
  who: 'customer',
  summary:
    'Add a bank card (`type` card) or a wallet (`type` wallet). Usable for withdrawals after 24 hours. `sure`: the address is right although it looks like a saved one.',
  request: v.pipe(
    v.object({
      type: choiceOf(PAYEE_KINDS),
      real_name: v.optional(personName),
      ifsc: v.optional(boundedText(1, 32)),
      bank: v.optional(boundedText(1, 16)),
      number: v.optional(boundedText(1, 64)),
      phone: v.optional(phone),
      email: v.optional(email),
      name: v.optional(payeeName),
      coin: v.optional(boundedText(1, 16)),
      chain: v.optional(boundedText(1, 32)),
      /** The text as pasted; an EIP-681 request contains more than an address. */
      address: v.optional(boundedText(1, 400)),
      sure: v.optional(choiceOf(['true'])),
      paypass: paymentPassword,
      /** A code of the authenticator app, or a proof from `POST /users/second/step/finish`. */
      otp: v.optional(factorProof),
    }),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const input: Partial<Record<string, string>> = dataset.value;
      for (const key of REQUIRED[dataset.value.type])
        if (input[key] === undefined)
          addIssue({
            message: fieldFault('required'),
            path: [{ type: 'object', origin: 'value', input, key, value: undefined }],
          });
    }),
  ),
  result: v.object({ card: v.nullable(cardView), wallet: v.nullable(walletView) }),
  refusals: [
    'bank_unknown',
    'branch_malformed',
    'account_number_malformed',
    'real_name_malformed',
    'real_name_differs',
    'asset_not_withdrawable',
    'chain_unknown',
    'address_malformed',
    'address_checksum',
    'address_reserved',
    'address_own_deposit',
    'address_of_house',
    'address_contract',
    'address_looks_alike',
    'payee_exists',
    'too_many_payees',
    'paypass_not_set',
    'paypass_wrong',
    'paypass_locked',
    'second_factor_required',
    'second_factor_wrong',
    'second_factor_delayed',
    'account_frozen',
  ],
});

/** The specification's call. A password must not be in an address, so this call only shows what a POST would remove. */
export const quotePayeeRemoval = call('GET /users/bank/del', {
  who: 'customer',
  summary: 'What a removal would remove. Nothing is changed.',
  request: v.object({ id }),
  result: v.object({ id: v.string(), kind: v.picklist(PAYEE_KINDS), name: v.string() }),
  refusals: ['payee_unknown'],
});

export const removePayee = call('POST /users/bank/del', {
  who: 'customer',
  summary:
    'Remove a bank card or wallet. The payment password confirms it. Withdrawals that were asked for keep the payee that they named.',
  request: v.object({ id, paypass: paymentPassword }),
  result: emptyResult,
  refusals: ['payee_unknown', 'paypass_not_set', 'paypass_wrong', 'paypass_locked'],
});

export const renamePayee = call('POST /users/bank/rename', {
  who: 'customer',
  summary: 'Give a saved bank card or wallet another name. Nothing else of it can be changed.',
  request: v.object({ id, name: payeeName }),
  result: emptyResult,
  refusals: ['payee_unknown'],
});
