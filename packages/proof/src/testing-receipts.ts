import { getPublicKey } from '@noble/ed25519';
import type { CoinCode } from '@sathorn/money';
import { toHex } from './hash.ts';
import type { IndexRuleName } from './index-price.ts';
import type { OptionReceipt } from './option-receipt.ts';
import { accountSeal, type SignedOptionTerms, typeOfTerms, writeOptionTerms } from './option-terms.ts';
import { promisePath, promisesRoot, writePromiseLink } from './promise-chain.ts';
import type { KeyUse, ProofKey } from './proof-keys.ts';
import { hashOfBody, keyIdOf, type SignedText, signText } from './signature.ts';
import { proveInTree, writeTreeHead } from './terms-tree.ts';
import { NO_TICK_HASH, type Tick, writeTick } from './tick.ts';

/** The platform's own keys, with which all manipulations are signed. */
export const TEST_KEY_SEEDS = {
  index: new Uint8Array(32).fill(1),
  receipt: new Uint8Array(32).fill(2),
  other: new Uint8Array(32).fill(3),
};

export function proofKeyOf(use: KeyUse, seed: Uint8Array): ProofKey {
  const publicKey = toHex(getPublicKey(seed));
  return { use, id: keyIdOf(publicKey), public_key: publicKey };
}
export const TEST_KEYS: readonly ProofKey[] = [
  proofKeyOf('index', TEST_KEY_SEEDS.index),
  proofKeyOf('receipt', TEST_KEY_SEEDS.receipt),
];

export const FIRST_TICK_MS = 1_767_225_600_000;
export const ACCEPTED_MS = FIRST_TICK_MS + 123;
export const TEST_ACCOUNT = { salt: 'a3f1', customer: '17' };
export const TEST_TERMS: SignedOptionTerms = {
  order: '019b2c1e-0000-7000-8000-000000000001',
  account: accountSeal(TEST_ACCOUNT.salt, TEST_ACCOUNT.customer),
  coin: 'BTC',
  direction: 'up',
  stake: 10_000_000n,
  payoutBasisPoints: 7_800n,
  feeBasisPoints: 200n,
  acceptedMs: ACCEPTED_MS,
  durationMs: 30_000,
  rules: 'ab'.repeat(32),
  environment: 'sim',
  arrival: { atMs: ACCEPTED_MS - 1_020, nonce: 'q83vEjRWeJCrze8SNFZ4kA' },
  hold: 41n,
};

export const numbersBetween = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

const SOURCES = ['a', 'b', 'c', 'd', 'e'];
const STEP = 10_000n;

interface ChainChoices {
  readonly coin?: CoinCode;
  readonly seed?: Uint8Array;
  /** Excludes the two highest of the five sources, so that the median is one step lower. */
  readonly leftOut?: { readonly at: number; readonly reason: 'silent' | 'stuck' };
  readonly rule?: IndexRuleName;
  /** Offsets of ticks that were published late, and how late; a second unless it says otherwise. */
  readonly lateAt?: readonly number[];
  readonly lateMs?: number;
  /** Hashes of links of promises, by the offset of the tick that names them. */
  readonly names?: ReadonlyMap<number, string>;
}

/**
 * Chained and signed ticks at these seconds after `FIRST_TICK_MS`: five sources a step apart, of which the middle one
 * is the price.
 */
export function tickChainOf(
  offsets: readonly number[],
  priceAt: (offset: number) => bigint,
  {
    coin = 'BTC',
    seed = TEST_KEY_SEEDS.index,
    leftOut,
    rule = 'families/1',
    lateAt = [],
    lateMs = 1_000,
    names,
  }: ChainChoices = {},
): SignedText[] {
  const texts: SignedText[] = [];
  for (const [index, offset] of offsets.entries()) {
    const at = FIRST_TICK_MS + offset * 1_000;
    const votesAt = (second: number) =>
      SOURCES.map((name, n) => ({ name, family: 'USDT', price: priceAt(second) + BigInt(n - 2) * STEP, at: at - 200 }));
    const isLeftOut = leftOut?.at === offset;
    const tick: Tick = {
      coin,
      sequence: BigInt(index + 1),
      at,
      price: priceAt(offset) - (isLeftOut ? STEP : 0n),
      rule,
      used: votesAt(offset).slice(0, isLeftOut ? 3 : 5),
      excluded: isLeftOut
        ? votesAt(offsets[index - 1] ?? offset)
            .slice(3)
            .map(({ name, family, ...said }) => ({
              name,
              family,
              reason: leftOut.reason,
              said: leftOut.reason === 'silent' ? null : said,
            }))
        : [],
      environment: 'sim',
      isJump: false,
      previous: texts.at(-1)?.hash ?? NO_TICK_HASH,
      ...(lateAt.includes(offset) && { lateMs }),
      ...(names?.has(offset) && { promises: names.get(offset) ?? '' }),
    };
    texts.push(signText(writeTick(tick), seed));
  }
  return texts;
}

/** Signed at index 2 of a tree of five. */
export function signedTerms(terms: SignedOptionTerms, seed = TEST_KEY_SEEDS.receipt): OptionReceipt['terms'] {
  const bodies = numbersBetween(0, 4).map((n) =>
    writeOptionTerms(n === 2 ? terms : { ...terms, order: `neighbour-${n}` }),
  );
  const type = typeOfTerms(bodies[0] ?? '');
  return proveInTree(type, bodies, 2, signText(writeTreeHead(type, bodies), seed));
}

/**
 * The receipt that the platform would build from these terms and ticks. Even after a manipulation, the arithmetic is
 * right and everything is signed.
 */
export function settleTestOption(
  terms: SignedOptionTerms,
  texts: readonly SignedText[],
  priceAt: (offset: number) => bigint,
  offsets: readonly number[],
): OptionReceipt {
  const expiry = terms.acceptedMs + terms.durationMs;
  const atOf = (n: number) => FIRST_TICK_MS + (offsets[n] ?? 0) * 1_000;
  const start = offsets.findIndex((_, n) => atOf(n) > terms.acceptedMs);
  const end = offsets.findLastIndex((_, n) => atOf(n) <= expiry);
  const isVoid = expiry - atOf(end) > 3_000;
  const [from, to] = [priceAt(offsets[start] ?? 0), priceAt(offsets[end] ?? 0)];
  const isWon = !isVoid && from !== to && to > from === (terms.direction === 'up');
  const status = isVoid ? 'void' : from === to ? 'tie' : isWon ? 'won' : 'lost';
  const { stake } = terms;
  const profit = (stake * terms.payoutBasisPoints) / 10_000n;
  const fee = (profit * terms.feeBasisPoints + 9_999n) / 10_000n;
  const [spot, pool] = ['customer:spot', 'house:options_pool'];
  const entry = (
    seq: number,
    kind: OptionReceipt['transfers'][number]['kind'],
    [a, b]: [string, string],
    amount: bigint,
    resolves: number | null,
  ) => ({
    seq: String(seq),
    kind,
    from: a,
    to: b,
    asset: 'USDT',
    amount: String(amount),
    resolves: resolves === null ? null : String(resolves),
  });
  const results = {
    won: { profit: String(profit), fee: String(fee), credited: String(stake + profit - fee) },
    lost: { profit: String(-stake), fee: '0', credited: '0' },
    tie: { profit: '0', fee: '0', credited: String(stake) },
    void: { profit: '0', fee: '0', credited: String(stake) },
  };
  return {
    v: 'receipt/1',
    terms: signedTerms(terms),
    account: TEST_ACCOUNT,
    ticks: {
      before_start: texts[start - 1] ?? null,
      start: texts[start] ?? null,
      end: texts[end] ?? null,
      after_end: texts[end + 1] ?? null,
    },
    result: { status, reason: isVoid ? 'no_end_tick' : null, ...results[status] },
    transfers: [
      entry(41, 'hold', [spot, pool], stake, null),
      entry(42, 'hold', [pool, spot], profit, null),
      entry(90, status === 'lost' ? 'post' : 'void', [spot, pool], stake, 41),
      entry(91, isWon ? 'post' : 'void', [pool, spot], profit, 42),
      ...(isWon && fee > 0n ? [entry(92, 'single', [spot, 'house:fee_income'], fee, null)] : []),
    ],
  };
}

/** Terms that are in the chain of promises. */
export const PROMISED_TERMS: SignedOptionTerms = { ...TEST_TERMS, latestMs: ACCEPTED_MS + 3_000 };

interface PromiseChoices {
  /** Offset of the tick that names the terms' link, or the newest of the links after it. */
  readonly namedAt?: number;
  /** How many links come between that of the terms and the one that is named. */
  readonly between?: number;
  /** How many other trees are in the link of the terms. */
  readonly beside?: number;
  readonly chain?: ChainChoices;
  readonly priceAt: (offset: number) => bigint;
  readonly offsets: readonly number[];
}

/** The receipt of terms that are in the chain of promises, and the ticks of its coin. */
export function settlePromisedOption(
  terms: SignedOptionTerms,
  { namedAt = 0, between = 0, beside = 2, chain = {}, priceAt, offsets }: PromiseChoices,
): { readonly receipt: OptionReceipt; readonly texts: readonly SignedText[] } {
  const own = signedTerms(terms).tree.hash;
  const headOf = (n: number) => n.toString(16).padStart(64, 'a');
  const heads = [own, ...numbersBetween(1, beside).map(headOf)];
  const links: string[] = [];
  for (const nth of numbersBetween(0, between)) {
    const members = nth === 0 ? heads : [headOf(100 + nth)];
    const link = {
      sequence: BigInt(7 + nth),
      at: FIRST_TICK_MS + (namedAt - between + nth) * 1_000,
      previous: nth === 0 ? 'b'.repeat(64) : hashOfBody(links[nth - 1] ?? ''),
      root: promisesRoot(members),
      size: members.length,
    };
    links.push(writePromiseLink(link));
  }
  const named = hashOfBody(links.at(-1) ?? '');
  const texts = tickChainOf(offsets, priceAt, { ...chain, names: new Map([[namedAt, named]]) });
  const tick = texts[offsets.indexOf(namedAt)];
  if (tick === undefined) throw new RangeError('no tick at that offset');
  const promise = { index: '0', path: promisePath(heads, 0), links, tick };
  return { receipt: { ...settleTestOption(terms, texts, priceAt, offsets), promise }, texts };
}
