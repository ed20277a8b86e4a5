import {
  type AccountEntry,
  CHAIN_START,
  type ChainAccount,
  hashOfEntry,
  NO_ENTRY_HASH,
  walkEntries,
  writeEntry,
} from './account-chain.ts';
import { canonicalText } from './canonical.ts';
import { accountSeal } from './option-terms.ts';
import type { ProofKey } from './proof-keys.ts';
import { type SignedText, signText } from './signature.ts';
import { type StatementFile, verifyStatementFile } from './statement-file.ts';
import { type AccountHead, findContradiction, readStatementHead, writeStatementHead } from './statement-head.ts';
import { FIRST_TICK_MS, TEST_ACCOUNT, TEST_KEY_SEEDS, TEST_KEYS } from './testing-receipts.ts';

type Move = Pick<AccountEntry, 'kind' | 'amount' | 'purpose'> & {
  readonly total: bigint;
  readonly held: bigint;
  readonly resolves?: string;
};
const move = (
  kind: AccountEntry['kind'],
  amount: bigint,
  purpose: string,
  total: bigint,
  held: bigint,
  resolves?: string,
): Move => ({ kind, amount: String(amount), purpose, total, held, ...(resolves !== undefined && { resolves }) });

/** A credit, a stake that was lost, one that was given back with its promise, a post of a part, a move for an order. */
const SPOT_MOVES: readonly Move[] = [
  move('single', 1_000_000n, 'deposit', 1_000_000n, 0n),
  move('hold', -400_000n, 'option_stake', 1_000_000n, 400_000n),
  move('hold', 300_000n, 'option_payout', 1_000_000n, 400_000n),
  move('post', -400_000n, 'option_stake', 600_000n, 0n, '102'),
  move('void', 300_000n, 'option_payout', 600_000n, 0n, '103'),
  move('hold', -50_000n, 'withdrawal', 600_000n, 50_000n),
  move('post', -20_000n, 'withdrawal', 580_000n, 0n, '106'),
  move('hold', -10_000n, 'option_stake', 580_000n, 10_000n),
  move('void', -10_000n, 'option_stake', 580_000n, 0n, '108'),
  move('single', -80_000n, 'contract_hold', 500_000n, 0n),
];
const ORDER_MOVES: readonly Move[] = [move('single', 80_000n, 'contract_hold', 80_000n, 0n)];

export const SPOT: ChainAccount = { name: 'spot', asset: 'USDT' };
const IN_ORDERS: ChainAccount = { name: 'in_orders', asset: 'USDT' };

const entriesOf = (moves: readonly Move[], firstSequence: number): AccountEntry[] =>
  moves.map(({ kind, amount, purpose, total, held, resolves = null }, index) => ({
    n: String(index + 1),
    seq: String(firstSequence + index),
    journal: `019b2c1e-0000-7000-8000-${String(firstSequence + index).padStart(12, '0')}`,
    kind,
    resolves,
    amount,
    held: String(held),
    total: String(total),
    purpose,
    at: String(FIRST_TICK_MS + index * 1_000),
  }));

export const TEST_ENTRIES = entriesOf(SPOT_MOVES, 101);
const TEST_ORDER_ENTRIES = entriesOf(ORDER_MOVES, 110);

export const headAt = (account: ChainAccount, entries: readonly AccountEntry[]): AccountHead => {
  const hash = entries.reduce((before, entry) => hashOfEntry(account, entry, before), NO_ENTRY_HASH);
  const last = entries.at(-1);
  return {
    ...account,
    n: BigInt(entries.length),
    hash,
    total: BigInt(last?.total ?? 0),
    held: BigInt(last?.held ?? 0),
  };
};

interface HeadChoices {
  readonly atMs?: number;
  readonly seed?: Uint8Array;
  readonly customer?: string;
}

/** Signs the heads of these accounts, as a server does. */
export function signedHeads(
  accounts: readonly AccountHead[],
  { atMs = FIRST_TICK_MS + 60_000, seed = TEST_KEY_SEEDS.receipt, customer = TEST_ACCOUNT.customer }: HeadChoices = {},
): SignedText {
  const account = accountSeal(TEST_ACCOUNT.salt, customer);
  return signText(writeStatementHead({ account, atMs, environment: 'demo', accounts }), seed);
}

export function testStatementFile(
  entries: readonly AccountEntry[] = TEST_ENTRIES,
  choices: HeadChoices = {},
): StatementFile {
  return {
    v: 'statements/1',
    signed: signedHeads([headAt(IN_ORDERS, TEST_ORDER_ENTRIES), headAt(SPOT, entries)], choices),
    account: { salt: TEST_ACCOUNT.salt, customer: choices.customer ?? TEST_ACCOUNT.customer },
    accounts: [
      { ...IN_ORDERS, entries: TEST_ORDER_ENTRIES },
      { ...SPOT, entries },
    ],
  };
}

/** The entries with one of them changed. */
const withEntry = (n: number, change: Partial<Record<keyof AccountEntry, unknown>>): AccountEntry[] =>
  TEST_ENTRIES.map((entry, index) => (index === n - 1 ? ({ ...entry, ...change } as AccountEntry) : entry));

/** Both what a server would sign honestly over changed entries, and the honest head above changed entries. */
function fileCases(): [string, unknown, (readonly ProofKey[])?][] {
  const honest = testStatementFile();
  const shown = (entries: readonly AccountEntry[]) => ({
    ...honest,
    accounts: [honest.accounts[0], { ...SPOT, entries }],
  });
  const [key] = TEST_KEYS.filter(({ use }) => use === 'receipt') as [ProofKey];
  const body = honest.signed.body;
  const signedBody = (text: string) => ({ ...honest, signed: signText(text, TEST_KEY_SEEDS.receipt) });
  const changes: [string, number, Partial<Record<keyof AccountEntry, unknown>>][] = [
    ['an amount', 1, { amount: '999999' }],
    ['a total', 4, { total: '600001' }],
    ['what is held', 2, { held: '400001' }],
    ['more held than there is', 2, { held: '1000001', amount: '-1000001' }],
    ['a single that holds', 1, { held: '1' }],
    ['a hold that moves', 2, { total: '600000' }],
    ['a promise that is held', 3, { held: '700000' }],
    ['a post that frees less than it takes', 4, { held: '1' }],
    ['a void that frees less', 9, { held: '1' }],
    ['a number', 5, { n: '6' }],
    ['a sequence that goes back', 5, { seq: '104' }],
    ['a time that goes back a second', 5, { at: String(FIRST_TICK_MS) }],
    ['a time that goes back ten seconds', 5, { at: String(FIRST_TICK_MS + 3_000 - 10_000) }],
    ['a time that goes back more', 5, { at: String(FIRST_TICK_MS + 3_000 - 10_001) }],
    ['a purpose', 1, { purpose: 'demo_money' }],
    ['a purpose in capitals', 1, { purpose: 'Deposit' }],
    ['a purpose without a name', 1, { purpose: '' }],
    ['a journal', 1, { journal: '019b2c1e-0000-7000-8000-000000000999' }],
    ['a journal that is none', 1, { journal: 'x' }],
    ['a kind that is none', 1, { kind: 'double' }],
    ['a post of nothing', 4, { resolves: null }],
    ['a single that ends a hold', 1, { resolves: '7' }],
    ['a resolution of another hold', 4, { resolves: '101' }],
    ['an amount of zero', 1, { amount: '0' }],
    ['an amount with a zero before it', 1, { amount: '01000000' }],
    ['an amount with a plus', 1, { amount: '+1000000' }],
    ['an amount that is a number', 1, { amount: 1_000_000 }],
    ['a total below zero', 1, { total: '-1' }],
    ['an amount of 39 digits', 1, { amount: '1'.repeat(39), total: '1'.repeat(39) }],
    ['one more member', 1, { note: 'x' } as object],
    ['a time of 16 digits', 1, { at: '1'.repeat(16) }],
  ];
  return [
    ['honest', honest],
    ['without accounts', { ...honest, signed: signedHeads([]), accounts: [] }],
    ['the last entry left out', shown(TEST_ENTRIES.slice(0, -1))],
    ['an entry left out', shown(TEST_ENTRIES.toSpliced(4, 1))],
    ['an entry twice', shown(TEST_ENTRIES.toSpliced(4, 0, TEST_ENTRIES[4] as AccountEntry))],
    [
      'two exchanged',
      shown(TEST_ENTRIES.toSpliced(4, 2, TEST_ENTRIES[5] as AccountEntry, TEST_ENTRIES[4] as AccountEntry)),
    ],
    ['no entries', shown([])],
    ...changes.map(([name, n, change]): [string, unknown] => [
      `${name}, under the honest head`,
      shown(withEntry(n, change)),
    ]),
    ...changes.map(([name, n, change]): [string, unknown] => [
      `${name}, signed`,
      testStatementFile(withEntry(n, change)),
    ]),
    ['an account less', { ...honest, accounts: honest.accounts.slice(1) }],
    ['accounts in another order', { ...honest, accounts: honest.accounts.toReversed() }],
    [
      'an account of another name',
      { ...honest, accounts: [{ ...honest.accounts[0], name: 'lockup' }, honest.accounts[1]] },
    ],
    ['another customer', { ...honest, account: { ...honest.account, customer: '18' } }],
    ['another salt', { ...honest, account: { ...honest.account, salt: 'a3f2' } }],
    ['a salt with a colon', { ...honest, account: { salt: 'a3f1:1', customer: '7' } }],
    ['one more member', { ...honest, note: 'x' }],
    ['another type', { ...honest, v: 'statements/2' }],
    ['signed by a key of the index', testStatementFile(TEST_ENTRIES, { seed: TEST_KEY_SEEDS.index })],
    ['signed by a stranger', testStatementFile(TEST_ENTRIES, { seed: TEST_KEY_SEEDS.other })],
    [
      'a signature with another digit',
      { ...honest, signed: { ...honest.signed, signature: flipped(honest.signed.signature) } },
    ],
    ['a hash with another digit', { ...honest, signed: { ...honest.signed, hash: flipped(honest.signed.hash) } }],
    ['signed after its key had ended', honest, [{ ...key, until_ms: FIRST_TICK_MS + 50_000 }]],
    ['signed as its key ended', honest, [{ ...key, until_ms: FIRST_TICK_MS + 50_001 }]],
    ['signed before its key began', honest, [{ ...key, from_ms: FIRST_TICK_MS + 70_001 }]],
    ['a head of another type', signedBody(body.replace('statement/1', 'statement/2'))],
    ['a head in an unknown environment', signedBody(body.replace('"demo"', '"sim"'))],
    ['a head with more held than there is', signedBody(body.replace('"500000","0"', '"500000","500001"'))],
    ['a head with an account twice', signedBody(body.replace('"in_orders"', '"spot"'))],
    ['a head with a number of zero', signedBody(body.replace('"USDT","10"', '"USDT","0"'))],
    ['a head with one more member', signedBody(canonicalText({ ...JSON.parse(body), note: 'x' }))],
    ['a head with another total', signedBody(body.replace('"500000","0"', '"500001","0"'))],
    ['a head without a time', signedBody(body.replace(/"at":"[0-9]+"/, '"at":"0"'))],
  ];
}

const flipped = (hex: string): string => (hex.startsWith('0') ? '1' : '0') + hex.slice(1);

function contradictionCases(): [string, SignedText, SignedText][] {
  const at = (count: number) => headAt(SPOT, TEST_ENTRIES.slice(0, count));
  const orders = headAt(IN_ORDERS, TEST_ORDER_ENTRIES);
  const rigged = headAt(SPOT, withEntry(1, { amount: '999999' }));
  const early = { atMs: FIRST_TICK_MS + 60_000 };
  const late = { atMs: FIRST_TICK_MS + 60_001 };
  return [
    ['the same', signedHeads([at(10)], early), signedHeads([at(10)], early)],
    ['the same, later', signedHeads([at(10)], early), signedHeads([at(10)], late)],
    ['more entries later', signedHeads([at(9)], early), signedHeads([at(10)], late)],
    ['more entries later, given in the other order', signedHeads([at(10)], late), signedHeads([at(9)], early)],
    ['more entries at the same moment', signedHeads([at(9)], early), signedHeads([at(10)], early)],
    ['fewer entries later', signedHeads([at(10)], early), signedHeads([at(9)], late)],
    ['fewer entries later, given in the other order', signedHeads([at(9)], late), signedHeads([at(10)], early)],
    ['another hash under one number', signedHeads([at(10)], early), signedHeads([rigged], late)],
    ['another hash under one number, earlier', signedHeads([at(10)], late), signedHeads([rigged], early)],
    ['another hash under one number, at the same moment', signedHeads([at(10)], early), signedHeads([rigged], early)],
    ['another total under one hash', signedHeads([at(10)], early), signedHeads([{ ...at(10), total: 500_001n }], late)],
    ['another held part under one hash', signedHeads([at(10)], early), signedHeads([{ ...at(10), held: 1n }], late)],
    ['a new account', signedHeads([at(10)], early), signedHeads([orders, at(10)], late)],
    ['an account that is gone', signedHeads([orders, at(10)], early), signedHeads([at(10)], late)],
    ['another asset', signedHeads([at(10)], early), signedHeads([{ ...rigged, asset: 'BTC' }], early)],
    ['two customers', signedHeads([at(10)], early), signedHeads([rigged], { ...late, customer: '18' })],
  ];
}

export async function statementVectors() {
  const files = await Promise.all(
    fileCases().map(async ([name, file, keys = TEST_KEYS]) => {
      const found = await verifyStatementFile(file, keys);
      return { name, file, keys, verified: found.ok, fault: found.ok ? null : found.fault };
    }),
  );
  const contradictions = contradictionCases().map(([name, one, other]) => {
    const [first, second] = [readStatementHead(one.body), readStatementHead(other.body)];
    if (first === undefined || second === undefined) throw new Error(`${name}: a head is malformed`);
    const found = findContradiction(first, second);
    return { name, one, other, contradiction: found && { ...found, n: String(found.n) } };
  });
  let prev = NO_ENTRY_HASH;
  const entries = TEST_ENTRIES.map((entry) => {
    const shown = {
      account: SPOT,
      entry,
      prev,
      body: writeEntry(SPOT, entry, prev),
      hash: hashOfEntry(SPOT, entry, prev),
    };
    prev = shown.hash;
    return shown;
  });
  const walked = walkEntries(SPOT, CHAIN_START, TEST_ENTRIES);
  if (!walked.ok || walked.to.hash !== prev) throw new Error('the honest chain does not verify');
  return { entries, files, contradictions };
}
