import { type Canonical, canonicalText, parseCanonical } from './canonical.ts';
import type { OptionReceipt } from './option-receipt.ts';
import type { SignedOptionTerms } from './option-terms.ts';
import { hashOfBody, signText } from './signature.ts';
import {
  ACCEPTED_MS,
  FIRST_TICK_MS,
  numbersBetween,
  PROMISED_TERMS,
  settlePromisedOption,
  settleTestOption,
  signedTerms,
  TEST_KEY_SEEDS,
  TEST_TERMS,
  tickChainOf,
} from './testing-receipts.ts';

const OFFSETS = numbersBetween(-5, 40);
const MIDDLE = 100_000_000n;
const rising = (offset: number): bigint => MIDDLE + BigInt(offset) * 10_000n;

/** Receipts of terms that are in the chain of promises. */
export function promiseVectors(): { readonly name: string; readonly receipt: unknown }[] {
  const settle = (choices: object = {}, terms: SignedOptionTerms = PROMISED_TERMS) =>
    settlePromisedOption(terms, { priceAt: rising, offsets: OFFSETS, ...choices }).receipt;
  const honest = settle();
  const { promise } = honest;
  if (!promise) throw new Error('no promise');
  const withPromise = (part: object): unknown => ({ ...honest, promise: { ...promise, ...part } });
  const [link = ''] = promise.links;
  const relinked = (part: Readonly<Record<string, Canonical>>): string => {
    const value = parseCanonical(link);
    return canonicalText({ ...(value as Record<string, Canonical>), ...part });
  };
  // Signed anew, so that only the link itself is at fault.
  const renamed = (body: string): unknown => {
    const names = new Map([[0, hashOfBody(body)]]);
    const texts = tickChainOf(OFFSETS, rising, { names });
    return {
      ...settleTestOption(PROMISED_TERMS, texts, rising, OFFSETS),
      promise: { ...promise, links: [body], tick: texts[OFFSETS.indexOf(0)] },
    };
  };
  const { promise: _, ...without } = honest;
  const gone: OptionReceipt = {
    ...without,
    result: { status: 'void', reason: 'no_end_tick', profit: '0', fee: '0', credited: '10000000' },
  };
  const lateEnd = [...numbersBetween(-5, 26), ...numbersBetween(33, 40)];
  const named = settle({ namedAt: 4 });
  return [
    { name: 'promised by the tick before the start', receipt: honest },
    { name: 'promised by the tick of the start', receipt: settle({ namedAt: 1 }) },
    { name: 'promised four seconds after the acceptance', receipt: named },
    { name: 'promised five seconds after the acceptance', receipt: settle({ namedAt: 5 }) },
    { name: 'promised long before the acceptance', receipt: settle({ namedAt: -5 }) },
    { name: 'promised alone in its link', receipt: settle({ beside: 0 }) },
    { name: 'promised among many', receipt: settle({ beside: 200 }) },
    { name: 'named three links later', receipt: settle({ namedAt: 1, between: 3 }) },
    {
      name: 'promised, of a customer who named no latest acceptance',
      receipt: settle({}, { ...PROMISED_TERMS, latestMs: null }),
    },
    { name: 'promised, and lost', receipt: settle({ priceAt: (offset: number) => MIDDLE - BigInt(offset) * 10_000n }) },
    { name: 'promised, and void', receipt: settle({ offsets: lateEnd }) },
    { name: 'void and never promised', receipt: { ...settle({ offsets: lateEnd }), promise: null } },
    { name: 'void by its own word and never promised', receipt: { ...gone, promise: null } },
    { name: 'won and never promised', receipt: { ...honest, promise: null } },
    { name: 'no word of a promise', receipt: without },
    {
      name: 'a promise under older terms',
      receipt: { ...honest, terms: signedTerms(TEST_TERMS) },
    },
    { name: 'another place in the link', receipt: withPromise({ index: '1' }) },
    { name: 'a place with a zero before it', receipt: withPromise({ index: '00' }) },
    { name: 'a path that is too short', receipt: withPromise({ path: promise.path.slice(1) }) },
    { name: 'a path that is too long', receipt: withPromise({ path: [...promise.path, 'c'.repeat(64)] }) },
    { name: 'a path in capitals', receipt: withPromise({ path: promise.path.map((hex) => hex.toUpperCase()) }) },
    { name: 'no links', receipt: withPromise({ links: [] }) },
    { name: 'links that are no list', receipt: withPromise({ links: link }) },
    { name: 'a link that no tick names', receipt: withPromise({ links: [relinked({ seq: '8' })] }) },
    { name: 'a link left out', receipt: withoutMiddle(settle({ namedAt: 1, between: 2 })) },
    {
      name: 'the terms of another order',
      receipt: { ...honest, terms: signedTerms({ ...PROMISED_TERMS, stake: 11_000_000n }) },
    },
    { name: 'a tick that names nothing', receipt: withPromise({ tick: honest.ticks.start }) },
    {
      name: 'a tick that somebody else signed',
      receipt: withPromise({ tick: signText(promise.tick.body, TEST_KEY_SEEDS.other) }),
    },
    {
      name: 'a naming tick that differs from the one before the start',
      receipt: { ...honest, promise: otherTick(promise) },
    },
    { name: 'a member more in the promise', receipt: withPromise({ note: '' }) },
    { name: 'a link with a member more', receipt: renamed(relinked({ note: '' })) },
    { name: 'a link of another type', receipt: renamed(relinked({ v: 'promises/2' })) },
    { name: 'a link without a number', receipt: renamed(relinked({ seq: '0' })) },
    { name: 'a first link that names one before it', receipt: renamed(relinked({ seq: '1' })) },
    { name: 'a first link', receipt: renamed(relinked({ seq: '1', prev: '0'.repeat(64) })) },
    { name: 'a link of too many trees', receipt: renamed(relinked({ size: '4097' })) },
    { name: 'a link of another size', receipt: renamed(relinked({ size: '200' })) },
    { name: 'accepted later than allowed', receipt: settle({}, { ...PROMISED_TERMS, latestMs: ACCEPTED_MS - 1 }) },
    { name: 'a latest acceptance that is no time', receipt: { ...honest, terms: badLatest() } },
  ];
}

function withoutMiddle(receipt: OptionReceipt): unknown {
  const { promise } = receipt;
  return { ...receipt, promise: promise && { ...promise, links: promise.links.toSpliced(1, 1) } };
}

/** The same promise, named by a tick of a second chain. */
function otherTick(promise: NonNullable<OptionReceipt['promise']>): unknown {
  const names = new Map([[0, hashOfBody(promise.links[0] ?? '')]]);
  const texts = tickChainOf(OFFSETS, (offset) => rising(offset) + 100_000n, { names });
  return { ...promise, tick: texts[OFFSETS.indexOf(0)] };
}

function badLatest(): unknown {
  const signed = signedTerms(PROMISED_TERMS);
  const body = signed.body.replace(`"latest":"${ACCEPTED_MS + 3_000}"`, '"latest":"soon"');
  return { ...signed, body, hash: hashOfBody(body) };
}

/** Changes of a tick that names promises, each with what its member says. */
export const promiseTickVectors: readonly [name: string, promises: Canonical][] = [
  ['a tick that names promises', 'd'.repeat(64)],
  ['a tick that names nothing', ''],
  ['a tick that names zeros', '0'.repeat(64)],
  ['a tick that names promises in capitals', 'D'.repeat(64)],
  ['a tick that names null', null],
];

export const promiseMomentVectors: readonly Partial<SignedOptionTerms>[] = [
  { latestMs: ACCEPTED_MS },
  { latestMs: ACCEPTED_MS - 1 },
  { latestMs: null },
  { latestMs: FIRST_TICK_MS + 90_000 },
];
