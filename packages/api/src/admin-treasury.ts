import * as v from 'valibot';
import { staffMember, workName } from './admin-fields.ts';
import { call } from './call.ts';
import { amountOf, boundedText, choiceOf, decimalText, fieldFault, isoTime, noFields, UUID, uuid } from './fields.ts';

const RUNNERS = ['finance', 'compliance'] as const;
/** Ids of withdrawals, separated by commas. */
export const withdrawalIds = v.pipe(
  v.string(fieldFault('required')),
  v.maxLength(100 * 37, fieldFault('too_long')),
  v.regex(new RegExp(`^(${UUID}(,${UUID})*)?$`), fieldFault('id_malformed')),
  v.transform((joined) => [...new Set(joined.split(',').filter(Boolean))]),
);

const address = v.pipe(
  v.string(fieldFault('required')),
  v.regex(/^0x[0-9a-fA-F]{40}$/, fieldFault('malformed')),
  v.transform((text) => text.toLowerCase()),
);

const runLine = v.object({
  /** Null for a top-up of the hot wallet. */
  withdrawal: v.nullable(
    v.object({
      id: v.string(),
      order_number: v.string(),
      customer: v.object({ id: v.string(), username: v.string() }),
      examined_by: v.array(staffMember),
      /** True if nothing was ever paid to this address. */
      is_first: v.boolean(),
      /** An address that was paid before and begins and ends like this one; null if there is none. */
      looks_like: v.nullable(v.string()),
    }),
  ),
  receiver: v.string(),
  amount: decimalText,
});
export type RunLineView = v.InferOutput<typeof runLine>;

/** A change of the treasury's owners. */
const ownerChange = v.object({
  kind: v.picklist(['add', 'remove', 'swap']),
  /** The owner before the leaving one in the Safe's list; null for `add`. */
  previous: v.nullable(v.string()),
  /** The leaving owner; null for `add`. */
  leaving: v.nullable(v.object({ address: v.string(), operator: v.nullable(staffMember) })),
  /** The new owner; null for `remove`. */
  coming: v.nullable(v.object({ address: v.string(), operator: v.nullable(staffMember) })),
  threshold: v.number(),
});

const run = v.object({
  id: v.string(),
  /** The Safe's nonce. */
  nonce: v.string(),
  /** The hash that the owners sign. The console computes it again from the lines. */
  hash: v.string(),
  lines: v.array(runLine),
  /** Null for a run that pays. */
  change: v.nullable(ownerChange),
  total: decimalText,
  step: v.picklist(['open', 'signed', 'sending', 'done', 'withdrawn', 'lapsed', 'refused', 'superseded']),
  opened_by: staffMember,
  opened_at: isoTime,
  lapses_at: isoTime,
  signatures: v.array(v.object({ by: staffMember, at: isoTime })),
  /** The transaction that a block contains, or the newest that was sent; null before. */
  transaction: v.nullable(v.string()),
});
export type TreasuryRun = v.InferOutput<typeof run>;

const owner = v.object({
  address: v.string(),
  /** `unknown`: the chain names an owner that nobody has registered here. */
  kind: v.picklist(['demo', 'passkey', 'cold', 'unknown']),
  operator: v.nullable(staffMember),
  /** The operator has left, but the chain still counts the key. */
  has_left: v.boolean(),
  /** When the operator left, or removed the passkey; null while the key should count. */
  overdue_since: v.nullable(isoTime),
});

/** A change of owners that is due. */
const dueChange = v.object({
  change: v.picklist(['add', 'remove', 'swap']),
  /** `left`: has no role that pays any more. `own_key`: the person's own passkey replaces the demo's key. */
  why: v.picklist(['left', 'key_lost', 'own_key', 'joined']),
  /** The owner who leaves; null for `add`. */
  leaving: v.nullable(v.object({ address: v.string(), operator: v.nullable(staffMember) })),
  /** Null for `remove`. */
  coming: v.nullable(staffMember),
});
export type DueOwnerChange = v.InferOutput<typeof dueChange>;

/** What the chain says of the treasury, and where the money lies. */
const treasury = v.object({
  chain: v.string(),
  chain_id: v.number(),
  explorer: v.nullable(v.string()),
  token: v.string(),
  safe: v.string(),
  hot: v.string(),
  multi_send: v.string(),
  version: v.string(),
  threshold: v.number(),
  owners: v.array(owner),
  modules: v.array(v.string()),
  guard: v.nullable(v.string()),
  nonce: v.string(),
  /** The block at which all this was read. */
  height: v.string(),
  at: isoTime,
  held: v.object({ treasury: decimalText, hot: decimalText, addresses: decimalText }),
  /** Above this a sweep goes to the treasury. */
  hot_max: decimalText,
});

export const readTreasury = call('GET /admin/treasury/info', {
  who: 'operator',
  roles: ['finance', 'compliance', 'admin'],
  summary: 'Where the money lies, who owns the treasury, the open payment run, and what waits for one.',
  request: noFields,
  result: v.object({
    /** Null without a treasury, or before its first block was read. */
    treasury: v.nullable(treasury),
    run: v.nullable(run),
    recent: v.array(run),
    waiting: v.array(runLine),
    /** What the hot wallet lacks to its half; null while it has enough. */
    top_up: v.nullable(decimalText),
    /** Operators who may become owners. */
    candidates: v.array(staffMember),
    /** Changes of owners that are due. */
    due: v.array(dueChange),
    /** How this person signs the open run. */
    own: v.object({
      kind: v.nullable(v.picklist(['demo', 'passkey'])),
      /** Ids of the passkeys that may answer, in base64url. */
      credentials: v.array(v.string()),
      /** Why this person may not sign now; null when they may. */
      refusal: v.nullable(v.string()),
    }),
  }),
});

const creation = v.object({ to: v.string(), data: v.string() });

export const readTreasurySetup = call('GET /admin/treasury/setup', {
  who: 'operator',
  roles: ['finance', 'compliance', 'admin'],
  summary: 'How a deployment without a treasury gets one: the transactions that create it, for any wallet.',
  request: noFields,
  result: v.object({
    chain: v.string(),
    owners_min: v.number(),
    threshold: v.number(),
    people: v.array(
      v.object({
        operator: staffMember,
        /** The owner that the newest passkey is; null without a passkey on P-256. */
        address: v.nullable(v.string()),
        /** Its contract is on the chain. */
        is_there: v.boolean(),
        create: v.nullable(creation),
      }),
    ),
    /** Addresses of cold owners, from the settings. */
    cold: v.array(v.string()),
    /** Null while too few people have a passkey. */
    safe: v.nullable(v.object({ address: v.string(), is_there: v.boolean(), create: creation })),
  }),
  refusals: ['treasury_exists', 'chain_unavailable'],
});

export const openTreasuryRun = call('POST /admin/treasury/open', {
  who: 'operator',
  roles: RUNNERS,
  summary: 'Open a payment run of these withdrawals, and of a top-up of the hot wallet.',
  request: v.object({ withdrawals: withdrawalIds, top_up: v.optional(amountOf('USDT')) }),
  result: v.object({ run: v.string() }),
  refusals: [
    'treasury_missing',
    'run_open',
    'run_empty',
    'run_too_long',
    'run_line_unknown',
    'run_lines_equal',
    'top_up_too_high',
    'treasury_short',
  ],
});

export const changeTreasuryOwners = call('POST /admin/treasury/owners', {
  who: 'operator',
  roles: RUNNERS,
  summary:
    'Open a run that changes the owners of the treasury: somebody who joins, who left, or whose key is lost. Two owners sign it like a payment.',
  request: v.object({
    change: choiceOf(['add', 'remove', 'swap']),
    /** The leaving owner's address, for `remove` and `swap`. */
    leaving: v.optional(address),
    /** The work name of the coming operator, whose newest passkey is taken. */
    operator: v.optional(workName),
    /** The address of a coming cold owner. */
    cold: v.optional(address),
  }),
  result: v.object({ run: v.string() }),
  refusals: [
    'treasury_missing',
    'run_open',
    'operator_unknown',
    'passkey_missing',
    'owner_contract_missing',
    'owner_unknown',
    'owner_already',
    'owner_malformed',
    'too_few_owners',
    'threshold_too_low',
    'threshold_too_high',
  ],
});

export const signTreasuryRun = call('POST /admin/treasury/sign', {
  who: 'operator',
  roles: RUNNERS,
  summary:
    'Sign the open run with a passkey that owns the treasury. The last signature that it needs makes it payable.',
  request: v.object({
    id: uuid,
    /** As the console computed it from the lines that it shows. */
    hash: v.pipe(v.string(fieldFault('required')), v.regex(/^0x[0-9a-f]{64}$/, fieldFault('hash_malformed'))),
    /** The passkey's answer, as JSON of WebAuthn. Absent where the demo's server signs. */
    credential: v.optional(boundedText(2, 20_000)),
  }),
  result: v.object({ signatures: v.number(), threshold: v.number() }),
  refusals: [
    'run_unknown',
    'run_closed',
    'run_lapsed',
    'run_hash_differs',
    'not_owner',
    'already_signed',
    'examined_by_you',
    'signature_wrong',
  ],
});

export const withdrawTreasuryRun = call('POST /admin/treasury/withdraw', {
  who: 'operator',
  roles: RUNNERS,
  summary: 'Withdraw the open run: its withdrawals wait for another one. Not once enough owners have signed.',
  request: v.object({ id: uuid }),
  result: v.object({ run: v.string() }),
  refusals: ['run_unknown', 'run_closed'],
});
