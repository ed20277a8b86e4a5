/**
 * Vectors for rules that a verifier could lack unnoticed: the edges of each limit, and evidence that breaks only one
 * rule.
 */
import * as ed25519 from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import type { CoinCode } from '@sathorn/money';
import { type Canonical, canonicalText, parseCanonical, parseUniqueJson } from './canonical.ts';
import { sha256, toHex, utf8Bytes } from './hash.ts';
import { LAST_TIME_MS, type SourceVote } from './index-price.ts';
import type { PurchaseMoment } from './judge-terms.ts';
import type { KnownOrder, OptionReceipt } from './option-receipt.ts';
import { accountSeal, type SignedOptionTerms, writeOptionTerms } from './option-terms.ts';
import { type KeyUse, type ProofKey, type PublishedKey, writeKeyRecord } from './proof-keys.ts';
import type { SeenTick, ShownChain } from './seen-chain.ts';
import { bytesToSign, keyIdOf, type SignedText, signText, verifySignedText } from './signature.ts';
import { proveInTree, writeTreeHead } from './terms-tree.ts';
import {
  ACCEPTED_MS,
  FIRST_TICK_MS,
  numbersBetween,
  proofKeyOf,
  settleTestOption,
  signedTerms,
  TEST_KEY_SEEDS,
  TEST_KEYS,
  TEST_TERMS,
  tickChainOf,
} from './testing-receipts.ts';
import { type ExcludedSource, NO_TICK_HASH, type Tick, writeTick } from './tick.ts';

// --- Files and signatures

/** Files with signed texts: a duplicate key invalidates the whole file. */
export function fileVectors() {
  const texts = [
    '{"a":"1","b":{"a":"2"},"c":[{"a":"3"},{"a":"4"}]}',
    '{ "a" : "\\"a\\":1", "b" : "a" }',
    '{"a":"1","a":"1"}',
    '{"a":{"b":"1","c":[],"b":"2"}}',
    '{"a":"1","b":{"c":"2"},"\\u0061":"3"}',
    '[{"a":"1"},{"a":"1" , "a" :"2"}]',
  ];
  const isRead = (text: string): boolean => {
    try {
      parseUniqueJson(text);
      return true;
    } catch {
      return false;
    }
  };
  return texts.map((text) => ({ text, ok: isRead(text) }));
}

const ORDER = ed25519.Point.CURVE().n;
/** A point of order 8, which is a small order: any message can be signed for such a key. */
const SMALL = ed25519.Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');

const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes.toReversed()) || '0'}`);

function scalarBytes(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, n) => Number((value >> BigInt(8 * n)) & 255n));
}

const BODY = canonicalText({ v: 'note/1', text: 'a signature' });

/**
 * Signs with the given scalar, public key and nonce, and adds the point `small` to R. Only a malicious key holder could
 * make such signatures.
 */
function signOddly(key: Uint8Array, scalar: bigint, r: bigint, small = ed25519.Point.ZERO): SignedText & { h: bigint } {
  const bytes = bytesToSign(BODY) ?? utf8Bytes('');
  const point = ed25519.Point.BASE.multiply(r).add(small).toBytes();
  const h = littleEndian(sha512(Uint8Array.from([...point, ...key, ...bytes]))) % ORDER;
  return {
    body: BODY,
    hash: toHex(sha256(bytes)),
    signature: toHex(point) + toHex(scalarBytes((r + h * scalar) % ORDER)),
    key: keyIdOf(toHex(key)),
    h,
  };
}

export async function signedTextVectors() {
  const { scalar, point, pointBytes } = ed25519.utils.getExtendedPublicKey(TEST_KEY_SEEDS.other);
  const right = signText(BODY, TEST_KEY_SEEDS.other);
  const publicKey = toHex(pointBytes);
  const s = littleEndian(Uint8Array.from(Buffer.from(right.signature.slice(64), 'hex')));
  const identity = ed25519.Point.ZERO.toBytes();
  const mixed = point.add(SMALL).toBytes();
  // If eight divides h, the small-order part of the key has no effect, and every verification equation holds.
  const mixedText = numbersBetween(1, 99)
    .map((r) => signOddly(mixed, scalar, BigInt(r)))
    .find(({ h }) => h % 8n === 0n) as SignedText;
  const other = proofKeyOf('index', TEST_KEY_SEEDS.index).public_key;
  // A second encoding of the identity, as p + 1.
  const beyond = `ee${'ff'.repeat(30)}7f`;
  const cases: [string, SignedText, string][] = [
    ['a signed text', right, publicKey],
    [
      'an S that is larger by the order of the group',
      { ...right, signature: right.signature.slice(0, 64) + toHex(scalarBytes(s + ORDER)) },
      publicKey,
    ],
    ['digits in upper case', { ...right, signature: right.signature.toUpperCase() }, publicKey],
    [
      'another hash',
      { ...right, hash: signText(canonicalText({ v: 'note/1' }), TEST_KEY_SEEDS.other).hash },
      publicKey,
    ],
    ['the id of another key', { ...right, key: keyIdOf(other) }, publicKey],
    ['another key', right, other],
    ['another key under its own id', { ...right, key: keyIdOf(other) }, other],
    ['a key of small order', signOddly(identity, 0n, 7n), toHex(identity)],
    ['a key that is not canonically encoded', { ...signOddly(identity, 0n, 7n), key: keyIdOf(beyond) }, beyond],
    ['a key with a part of small order', mixedText, toHex(mixed)],
    ['an R with a part of small order', signOddly(pointBytes, scalar, 7n, SMALL), publicKey],
    ['an R of its own', signOddly(pointBytes, scalar, 7n), publicKey],
  ];
  return Promise.all(
    cases.map(async ([name, { body, hash, signature, key }, public_key]) => {
      const text = { body, hash, signature, key };
      const fault = await verifySignedText(text, public_key);
      return { name, public_key, text, ok: fault === null, fault };
    }),
  );
}

// --- Ticks

/** The middle price of nearly all ticks below; one percent of it is a whole number of units. */
const MIDDLE = 64_000_000_000n;
const PERCENT = MIDDLE / 100n;
type Said = readonly [name: string, price: bigint, ageMs?: number | undefined, family?: string];

const voteOf =
  (at: number) =>
  ([name, price, ageMs = 100, family = 'USDT']: Said): SourceVote => ({ name, family, price, at: at - ageMs });

function plainTick(change: Partial<Tick> = {}, used: readonly Said[] = THREE, left: readonly Left[] = []): Tick {
  const at = change.at ?? FIRST_TICK_MS;
  return {
    coin: 'BTC',
    sequence: 1n,
    at,
    price: MIDDLE,
    rule: 'families/1',
    used: used.map(voteOf(at)),
    excluded: left.map(([reason, said]): ExcludedSource => {
      const { name, family, ...rest } = voteOf(at)(said);
      return { name, family, reason, said: rest };
    }),
    environment: 'sim',
    isJump: false,
    previous: NO_TICK_HASH,
    ...change,
  };
}
type Left = readonly [ExcludedSource['reason'], Said];
/** The last ms that a date can name is a whole second. */
const LAST_SECOND = LAST_TIME_MS;
const THREE: readonly Said[] = [
  ['a', MIDDLE],
  ['b', MIDDLE],
  ['c', MIDDLE],
];
const sign = (tick: Tick): SignedText => signText(writeTick(tick), TEST_KEY_SEEDS.index);

/** Edits a tick's text by hand into something that `writeTick` would not write. */
function edited(tick: Tick, change: (members: Record<string, Canonical>) => Record<string, Canonical>): SignedText {
  return signText(
    canonicalText(change(parseCanonical(writeTick(tick)) as Record<string, Canonical>)),
    TEST_KEY_SEEDS.index,
  );
}

const replaced = (tick: Tick, members: Record<string, Canonical>): SignedText =>
  edited(tick, (all) => ({ ...all, ...members }));

export function moreTickVectors(): [string, SignedText, SignedText | null][] {
  const [middle, percent] = [MIDDLE, PERCENT];
  const alone = (name: string, used: readonly Said[], left: readonly Left[] = [], change: Partial<Tick> = {}) =>
    [name, sign(plainTick(change, used, left)), null] as [string, SignedText, null];
  const excluding = (name: string, reason: ExcludedSource['reason'], price: bigint, ageMs?: number) =>
    alone(name, THREE, [[reason, ['f', price, ageMs]]]);
  const swapped = (tick: Tick): SignedText =>
    edited(tick, (all) => ({ ...all, src: [...(all.src as Canonical[])].reverse() }));
  // By UTF-16 code units the emoji sorts first, by code points the ligature.
  const named = plainTick({}, [
    ['\u{1f600}', middle],
    ['\ufb33', middle],
    ['a', middle],
  ]);
  const bySources = (n: number, ms: number): Said[] =>
    THREE.map(([name, price], at) => [name, price, at === n ? ms : 100]);
  const far = 2n * percent;
  return [
    // These ticks are judged without a predecessor.
    alone('a source exactly 2% from the middle', [...THREE, ['d', middle + far]]),
    alone('a source beyond 2% from the middle', [...THREE, ['d', middle + far + 1n]]),
    excluding('far: exactly 1% from the middle', 'far', middle + percent),
    excluding('far: a unit less than 1%', 'far', middle + percent - 1n),
    excluding('far: below the middle', 'far', middle - percent),
    // Without the far source the middle would be 1000, and the used source at 1021 would be beyond 2%.
    alone(
      'far: it is part of the middle',
      [
        ['a', middle],
        ['b', middle],
        ['c', (middle * 1021n) / 1000n],
      ],
      [['far', ['f', (middle * 1040n) / 1000n]]],
    ),
    // Without it the middle would be 1000 and 1015 would be at 1.5%; with it the middle is 1007.5.
    alone(
      'far: too near to the middle of which it is part',
      [
        ['a', middle],
        ['b', middle],
        ['c', (middle * 1020n) / 1000n],
      ],
      [['far', ['f', (middle * 1015n) / 1000n]]],
    ),
    excluding('far: at the age that counts', 'far', middle * 2n, 5_000),
    excluding('far: too old to be compared', 'far', middle * 2n, 5_001),
    excluding('far: as far ahead as counts', 'far', middle * 2n, -1_000),
    excluding('far: too far ahead to be compared', 'far', middle * 2n, -1_001),
    excluding('far: a price of nothing', 'far', 0n),
    excluding('old: just too old', 'old', middle, 5_001),
    excluding('ahead: just not ahead', 'ahead', middle, -1_000),
    excluding('backwards', 'backwards', middle),
    excluding('stuck', 'stuck', middle),
    ['stuck without a price', replaced(plainTick(), { excl: [['f', 'stuck', 'USDT', '', '']] }), null],
    ['backwards without a price', replaced(plainTick(), { excl: [['f', 'backwards', 'USDT', '', '']] }), null],
    ['a price without its time', replaced(plainTick(), { excl: [['f', 'stuck', 'USDT', '1', '']] }), null],
    [
      'a reason that nobody knows',
      replaced(plainTick(), { excl: [['f', 'odd', 'USDT', '1', String(FIRST_TICK_MS)]] }),
      null,
    ],
    excluding('a time that is the last of a date', 'ahead', middle, FIRST_TICK_MS - 8_640_000_000_000_000),
    [
      'a time after the last of a date',
      replaced(plainTick(), { excl: [['f', 'ahead', 'USDT', '1', '8640000000000001']] }),
      null,
    ],
    excluding('a price of eighteen digits', 'far', 10n ** 18n - 1n),
    excluding('a price of nineteen digits', 'far', 10n ** 18n),
    alone('a source of exactly 5 s', bySources(0, 5_000)),
    alone('a source of more than 5 s', bySources(0, 5_001)),
    alone('a source exactly 1 s ahead', bySources(0, -1_000)),
    alone('a source more than 1 s ahead', bySources(0, -1_001)),
    alone(
      'a price that rounds to nothing',
      [
        ['a', 5_000n],
        ['b', 5_000n],
        ['c', 5_000n],
      ],
      [],
      { price: 0n },
    ),
    alone('three sources of one currency', [
      ['a', middle, 100, 'USD'],
      ['b', middle, 100, 'USD'],
      ['c', middle, 100, 'USD'],
    ]),
    alone('three sources, two votes', [
      ['a', middle],
      ['b', middle, 100, 'USD'],
      ['c', middle, 100, 'USD'],
    ]),
    alone('five sources, three votes', [
      ['a', middle],
      ['b', middle, 100, 'USD'],
      ['c', middle, 100, 'USD'],
      ['d', middle, 100, 'EUR'],
      ['e', middle, 100, 'EUR'],
    ]),
    alone('a currency in lower case is another one', [
      ['a', middle, 100, 'usdt'],
      ['b', middle, 100, 'usdt'],
      ['c', middle],
    ]),
    alone('a source without a name, a currency without one', [
      ['', middle],
      ['b', middle],
      ['c', middle, 100, ''],
    ]),
    ['sources in another order', swapped(plainTick()), null],
    ['sources by code units', sign(named), null],
    [
      'sources by code points',
      edited(named, (all) => {
        const [a, emoji, ligature] = all.src as [Canonical, Canonical, Canonical];
        return { ...all, src: [a, ligature, emoji] };
      }),
      null,
    ],
    ['a name that counts and is excluded', sign(plainTick({}, THREE, [['stuck', ['a', middle]]])), null],
    alone('number 0', THREE, [], { sequence: 0n }),
    alone('number 1 that names one before it', THREE, [], { previous: '1'.repeat(64) }),
    alone('number 1 that jumps', THREE, [], { isJump: true }),
    alone('number 2 that names none before it', THREE, [], { sequence: 2n }),
    alone(
      'the second 0',
      THREE.map(([name, price]) => [name, price, 0] as const),
      [],
      { at: 0 },
    ),
    alone('the last second of a date', bySources(0, 0), [], { at: LAST_SECOND }),
    alone(
      'a second after the last of a date',
      THREE.map(([name, price]) => [name, price, 1_000] as const),
      [],
      { at: LAST_SECOND + 1_000 },
    ),
    ['another type', replaced(plainTick(), { v: 'tick/2' }), null],
    ['quoted in another unit', replaced(plainTick(), { sym: 'BTCUSDC' }), null],
    ['a coin that nobody knows', replaced(plainTick(), { sym: 'LTCUSDT' }), null],
    ['a hash before it in upper case', sign(plainTick({ sequence: 2n, previous: 'A'.repeat(64) })), null],
    ['sources that are no list', replaced(plainTick(), { excl: {} }), null],
    ['a source that is no list', replaced(plainTick(), { excl: [null] }), null],
    ['a source without a currency', replaced(plainTick(), { excl: [['f', 'silent', null, '', '']] }), null],
    ['a source with an entry more', replaced(plainTick(), { excl: [['f', 'silent', 'USDT', '', '', '']] }), null],
    ['another scale', replaced(plainTick(), { scale: '8' }), null],
    ['another flag', replaced(plainTick({ sequence: 2n, previous: '1'.repeat(64) }), { flag: 'up' }), null],
    ['another environment', replaced(plainTick(), { env: 'test' }), null],
    ...moreLinks(),
  ];
}

function moreLinks(): [string, SignedText, SignedText | null][] {
  const [middle, percent] = [MIDDLE, PERCENT];
  const link = (
    name: string,
    before: Tick,
    change: Partial<Tick> = {},
    used: readonly Said[] = THREE,
    left: readonly Left[] = [],
  ) => {
    const first = sign(before);
    const after = { sequence: 2n, at: before.at + 1_000, previous: first.hash, ...change };
    return [name, sign(plainTick(after, used, left)), first] as [string, SignedText, SignedText];
  };
  const excluded = plainTick({}, THREE, [['far', ['f', middle * 2n]]]);
  const counted = plainTick({}, [...THREE, ['f', middle]]);
  const stuck = plainTick({}, THREE, [['old', ['f', middle, 6_000]]]);
  const later = { at: FIRST_TICK_MS + 2_000 };
  const at100 = plainTick(
    { price: 100_000_000n },
    THREE.map(([name]) => [name, 100_000_000n] as const),
  );
  const jump = (name: string, price: bigint, isJump: boolean) =>
    link(
      name,
      at100,
      { price, isJump },
      THREE.map(([source]) => [source, price] as const),
    );
  return [
    link('a source that is back within 1%', excluded, {}, [...THREE, ['f', middle + percent - 1n]]),
    link('a source that is back at exactly 1%', excluded, {}, [...THREE, ['f', middle + percent]]),
    link('a source that is back at 1% two seconds later', excluded, later, [...THREE, ['f', middle + percent]]),
    link('a source that counted, beyond 2%', counted, {}, THREE, [['far', ['f', middle + 2n * percent + 1n]]]),
    link('a source that counted, at exactly 2%', counted, {}, THREE, [['far', ['f', middle + 2n * percent]]]),
    link('a source that counted, at 2% two seconds later', counted, later, THREE, [
      ['far', ['f', middle + 2n * percent]],
    ]),
    link('stuck at the price of another exclusion', stuck, {}, THREE, [['stuck', ['f', middle]]]),
    link('stuck at another price than that of an exclusion', stuck, {}, THREE, [['stuck', ['f', middle + 1n]]]),
    link('stuck at another price than when it counted', counted, {}, THREE, [['stuck', ['f', middle + 1n]]]),
    link('stuck at another price two seconds later', counted, later, THREE, [['stuck', ['f', middle + 1n]]]),
    link('another coin', plainTick({ coin: 'ETH' as CoinCode })),
    link('another environment', plainTick({ environment: 'replay' })),
    link('the same second', plainTick(), { at: FIRST_TICK_MS }),
    link('an earlier second', plainTick(), { at: FIRST_TICK_MS - 1_000 }),
    link('the same number', plainTick({ sequence: 2n, previous: '1'.repeat(64) })),
    link('a day later', plainTick(), { at: FIRST_TICK_MS + 86_400_000 }),
    jump('exactly 20% up', 120_000_000n, false),
    jump('exactly 20% up, flagged', 120_000_000n, true),
    jump('more than 20% up', 120_010_000n, false),
    jump('exactly 20% down', 80_000_000n, false),
    jump('more than 20% down, flagged', 79_990_000n, true),
  ];
}

// --- Terms and receipts

export function moreTermsVectors(): string[] {
  const body = writeOptionTerms(TEST_TERMS);
  const change = (part: Partial<SignedOptionTerms>): string => writeOptionTerms({ ...TEST_TERMS, ...part });
  const nonce = (length: number): string =>
    change({ arrival: { atMs: ACCEPTED_MS - 1_020, nonce: 'n'.repeat(length) } });
  return [
    ...[21, 22, 64, 65].map(nonce),
    change({ stake: 0n }),
    change({ stake: 1n }),
    change({ stake: 10n ** 15n - 1n }),
    change({ stake: 10n ** 15n }),
    change({ durationMs: 0 }),
    change({ payoutBasisPoints: 0n }),
    change({ feeBasisPoints: 10_000n }),
    change({ feeBasisPoints: 10_001n }),
    change({ order: '' }),
    change({ account: '17' }),
    change({ rules: 'AB'.repeat(32) }),
    change({ arrival: { atMs: ACCEPTED_MS, nonce: '' } }),
    body.replace('"eq":"refund"', '"eq":"lost"'),
    body.replace('"asset":"USDT"', '"asset":"USDC"'),
    body.replace('"sym":"BTCUSDT"', '"sym":"BTCUSDC"'),
    body.replace(`"order":"${TEST_TERMS.order}"`, '"order":null'),
    body.replace('"env":"sim"', '"env":"test"'),
    body.replace('"entry_rule":"first t>accepted"', '"entry_rule":"first t>=accepted"'),
    body.replace('"exit_rule":"last t<=accepted+dur"', '"exit_rule":"last t<accepted+dur"'),
  ];
}

interface MoreReceipt {
  readonly name: string;
  readonly receipt: unknown;
  readonly keys?: readonly ProofKey[];
  readonly known?: KnownOrder;
}

const OFFSETS = numbersBetween(-5, 40);
const rising = (offset: number): bigint => MIDDLE + BigInt(offset) * 10_000n;

export function moreReceiptVectors(): MoreReceipt[] {
  const texts = tickChainOf(OFFSETS, rising);
  const won = settleTestOption(TEST_TERMS, texts, rising, OFFSETS);
  const of = (change: Partial<SignedOptionTerms>, offsets: readonly number[] = OFFSETS, priceAt = rising) =>
    settleTestOption({ ...TEST_TERMS, ...change }, tickChainOf(offsets, priceAt), priceAt, offsets);
  const ticks = (receipt: OptionReceipt, part: Partial<OptionReceipt['ticks']>): OptionReceipt => ({
    ...receipt,
    ticks: { ...receipt.ticks, ...part },
  });
  return [
    ...termsCases(won),
    ...keyCases(won),
    ...accountCases(),
    ...tickCases(won, of, ticks),
    ...timeCases(of, ticks),
    ...transferCases(won, of),
  ];
}
type Settle = (
  change: Partial<SignedOptionTerms>,
  offsets?: readonly number[],
  priceAt?: (offset: number) => bigint,
) => OptionReceipt;
type WithTicks = (receipt: OptionReceipt, part: Partial<OptionReceipt['ticks']>) => OptionReceipt;

function termsCases(won: OptionReceipt): MoreReceipt[] {
  const terms = (part: Partial<OptionReceipt['terms']>) => ({ ...won, terms: { ...won.terms, ...part } });
  const inTree = (size: number): OptionReceipt['terms'] => {
    const bodies = numbersBetween(0, size - 1).map((n) =>
      writeOptionTerms(n === 2 ? TEST_TERMS : { ...TEST_TERMS, order: `neighbour-${n}` }),
    );
    return proveInTree('opt/3', bodies, 2, signText(writeTreeHead('opt/3', bodies), TEST_KEY_SEEDS.receipt));
  };
  const head = (change: (body: string) => string) => signText(change(won.terms.tree.body), TEST_KEY_SEEDS.receipt);
  return [
    { name: 'terms in a tree of 64', receipt: terms(inTree(64)) },
    { name: 'terms in a tree of 65', receipt: terms(inTree(65)) },
    { name: 'terms under another hash', receipt: terms({ hash: won.terms.tree.hash }) },
    { name: 'terms at a place behind the last', receipt: terms({ index: '5' }) },
    { name: 'terms at a place with a zero before it', receipt: terms({ index: '02' }) },
    { name: 'a path that is too long', receipt: terms({ path: [...won.terms.path, '0'.repeat(64)] }) },
    { name: 'a path in upper case', receipt: terms({ path: won.terms.path.map((hash) => hash.toUpperCase()) }) },
    { name: 'a head with a member more', receipt: terms({ tree: head((body) => body.replace('{', '{"a":"",')) }) },
    { name: 'a head of another type', receipt: terms({ tree: head((body) => body.replace('tree/1', 'tree/2')) }) },
    {
      name: 'a head of another size',
      receipt: terms({ tree: head((body) => body.replace('"size":"5"', '"size":"9"')) }),
    },
  ];
}

function keyCases(won: OptionReceipt): MoreReceipt[] {
  const [index, receipt] = TEST_KEYS as [ProofKey, ProofKey];
  const inTime = (which: KeyUse, part: Partial<ProofKey>) =>
    TEST_KEYS.map((key) => (key.use === which ? { ...key, ...part } : key));
  const start = FIRST_TICK_MS;
  const last = FIRST_TICK_MS + 31_000;
  const named = 'abcdefabcdefabcd';
  return [
    {
      name: 'terms at the first moment of a key',
      receipt: won,
      keys: inTime('receipt', { from_ms: ACCEPTED_MS + 10_000 }),
    },
    {
      name: 'terms before the first moment of a key',
      receipt: won,
      keys: inTime('receipt', { from_ms: ACCEPTED_MS + 10_001 }),
    },
    {
      name: 'terms at the last moment of a key',
      receipt: won,
      keys: inTime('receipt', { until_ms: ACCEPTED_MS - 9_999 }),
    },
    {
      name: 'terms after the last moment of a key',
      receipt: won,
      keys: inTime('receipt', { until_ms: ACCEPTED_MS - 10_000 }),
    },
    { name: 'ticks from the first moment of a key', receipt: won, keys: inTime('index', { from_ms: start + 10_000 }) },
    {
      name: 'a tick before the first moment of a key',
      receipt: won,
      keys: inTime('index', { from_ms: start + 10_001 }),
    },
    { name: 'ticks to the last moment of a key', receipt: won, keys: inTime('index', { until_ms: last - 9_999 }) },
    { name: 'a tick after the last moment of a key', receipt: won, keys: inTime('index', { until_ms: last - 10_000 }) },
    {
      name: 'terms signed by the key of ticks',
      receipt: { ...won, terms: signedTerms(TEST_TERMS, TEST_KEY_SEEDS.index) },
    },
    {
      name: 'ticks signed by the key of terms',
      receipt: {
        ...won,
        ticks: settleTestOption(
          TEST_TERMS,
          tickChainOf(OFFSETS, rising, { seed: TEST_KEY_SEEDS.receipt }),
          rising,
          OFFSETS,
        ).ticks,
      },
    },
    {
      name: 'keys of each other’s use',
      receipt: won,
      keys: [
        { ...index, use: 'receipt' },
        { ...receipt, use: 'index' },
      ],
    },
    {
      name: 'a key under an id that is not its own',
      receipt: { ...won, terms: { ...won.terms, tree: { ...won.terms.tree, key: named } } },
      keys: [index, { ...receipt, id: named }],
    },
  ];
}

function accountCases(): MoreReceipt[] {
  const opened = (salt: string, customer: string) => {
    const terms = { ...TEST_TERMS, account: accountSeal(salt, customer) };
    return { ...settleTestOption(terms, tickChainOf(OFFSETS, rising), rising, OFFSETS), account: { salt, customer } };
  };
  return [
    { name: 'a salt of 32 bytes', receipt: opened('0f'.repeat(32), '9007199254740993') },
    { name: 'a salt with a colon', receipt: opened('a3:f1', '17') },
    { name: 'a salt in upper case', receipt: opened('A3F1', '17') },
    { name: 'no salt', receipt: opened('', '17') },
    { name: 'a customer with a colon', receipt: opened('a3', 'f1:17') },
    { name: 'a customer with a zero before it', receipt: opened('a3f1', '017') },
    { name: 'no customer', receipt: opened('a3f1', '') },
  ];
}

function tickCases(won: OptionReceipt, of: Settle, ticks: WithTicks): MoreReceipt[] {
  const fromFirst = numbersBetween(1, 40);
  const shifted = tickChainOf(OFFSETS, (offset) => rising(offset) + 100_000n);
  const at = (offset: number): SignedText => shifted[OFFSETS.indexOf(offset)] as SignedText;
  const ofBoth = (durationMs: number, end: number): OptionReceipt => ({
    ...ticks(of({ durationMs }), { end: at(end), after_end: at(end + 1) }),
    result: won.result,
    transfers: won.transfers,
  });
  const first = of({}, fromFirst);
  const orphan = signText(first.ticks.start?.body.replace(NO_TICK_HASH, '1'.repeat(64)) ?? '', TEST_KEY_SEEDS.index);
  const longer = tickChainOf(numbersBetween(-15, 40), rising);
  const numbered = (offset: number): SignedText => longer[offset + 15] as SignedText;
  const sealed = (text: SignedText | null): SignedText | null => text && { ...text, signature: '', key: '' };
  return [
    { name: 'the start is the first tick of the chain', receipt: first },
    { name: 'the start is number 1 and names one before it', receipt: ticks(first, { start: orphan }) },
    { name: 'the end is before the start', receipt: of({ durationMs: 500 }) },
    { name: 'one tick is start and end', receipt: of({ durationMs: 1_000 }) },
    { name: 'start and end of one number, of two chains', receipt: ofBoth(1_000, 1) },
    { name: 'start and end next to each other', receipt: of({ durationMs: 2_000 }) },
    { name: 'start and end next to each other, of two chains', receipt: ofBoth(2_000, 2) },
    { name: 'more numbers than seconds', receipt: ticks(won, { end: numbered(30), after_end: numbered(31) }) },
    { name: 'a sealed tick', receipt: ticks(won, { end: sealed(won.ticks.end) }) },
    {
      name: 'a tick under another hash',
      receipt: ticks(won, { after_end: { ...(won.ticks.after_end as SignedText), hash: won.ticks.end?.hash ?? '' } }),
    },
    { name: 'no tick after the end, and none can be missing', receipt: ticks(won, { after_end: null }) },
    {
      name: 'a tick that is before the start and after the acceptance',
      receipt: ticks(of({ acceptedMs: ACCEPTED_MS - 1_000 }), {
        before_start: won.ticks.before_start,
        start: won.ticks.start,
      }),
    },
  ];
}

const VOID = (reason: string): OptionReceipt['result'] => ({
  status: 'void',
  reason,
  profit: '0',
  fee: '0',
  credited: '10000000',
});

function timeCases(of: Settle, ticks: WithTicks): MoreReceipt[] {
  const texts = tickChainOf(OFFSETS, rising);
  const voided = of({}, OFFSETS, () => MIDDLE).transfers;
  const noStart = (receipt: OptionReceipt, part: Partial<OptionReceipt['ticks']> = {}): OptionReceipt => ({
    ...ticks(receipt, { end: null, after_end: null, ...part }),
    result: VOID('no_start_tick'),
    transfers: voided,
  });
  const lateStart = [...numbersBetween(-5, 0), ...numbersBetween(3, 40)];
  const laterStart = [...numbersBetween(-5, -1), ...numbersBetween(3, 40)];
  const earlyEnd = [...numbersBetween(-5, 27), ...numbersBetween(33, 40)];
  const none = noStart(of({}), { start: null });
  // No tick after 28 s; the expiry is at 30,123 ms.
  const stopped = of({}, numbersBetween(-5, 28));
  const whole = { acceptedMs: FIRST_TICK_MS, arrival: { atMs: FIRST_TICK_MS - 1_020, nonce: '' } };
  const cut = of(whole, numbersBetween(-5, 29));
  // The start tick is wrong, because it is at the acceptance and not after it. Everything else is consistent.
  const early = ticks(of(whole), { before_start: texts[4] ?? null, start: texts[5] ?? null });
  const seen = (seconds: number) => ({ newestTickMs: FIRST_TICK_MS + seconds * 1_000 });
  return [
    { name: 'accepted at a tick, which is not the start', receipt: of(whole) },
    { name: 'accepted at a tick, which is called the start', receipt: early },
    {
      name: 'a tick at the expiry, called the one after the end',
      receipt: ticks(cut, { after_end: of(whole).ticks.end }),
    },
    { name: 'no end', receipt: ticks(of({}), { end: null, after_end: null }) },
    { name: 'an end without a start', receipt: ticks(of({}), { before_start: null, start: null }) },
    { name: 'void: no start, but an end', receipt: noStart(of({}), { start: null, end: of({}).ticks.end }) },
    {
      name: 'void: no start, but a tick after the end',
      receipt: noStart(of({}), { start: null, after_end: of({}).ticks.after_end }),
    },
    {
      name: 'void: no start, and the newest tick is at the acceptance',
      receipt: noStart(of(whole), { start: null }),
      known: seen(0),
    },
    { name: 'a start exactly 3 s after the acceptance', receipt: of(whole, lateStart) },
    {
      name: 'a start more than 3 s after the acceptance',
      receipt: of({ ...whole, acceptedMs: FIRST_TICK_MS - 1 }, laterStart),
    },
    {
      name: 'void: a start more than 3 s after the acceptance',
      receipt: noStart(of({ ...whole, acceptedMs: FIRST_TICK_MS - 1 }, laterStart)),
    },
    { name: 'void: a start exactly 3 s after the acceptance', receipt: noStart(of(whole, lateStart)) },
    { name: 'an end exactly 3 s before the expiry', receipt: of(whole, earlyEnd) },
    { name: 'void: an end more than 3 s before the expiry', receipt: of({ ...whole, durationMs: 30_001 }, earlyEnd) },
    { name: 'void: no start yet', receipt: none },
    { name: 'void: no start, and the newest tick is before the acceptance', receipt: none, known: seen(0) },
    { name: 'void: no start, and a newer tick is known', receipt: none, known: seen(1) },
    { name: 'no start, for another reason', receipt: { ...none, result: VOID('no_end_tick') } },
    { name: 'void for want of a start that is there', receipt: noStart(of({})) },
    { name: 'settled, nothing has come since, and nothing is known', receipt: stopped },
    { name: 'settled, nothing has come since, and the end is the newest', receipt: stopped, known: seen(28) },
    { name: 'settled, nothing has come since, and only an older tick is known', receipt: stopped, known: seen(27) },
    {
      name: 'settled, nothing has come since, and a newer tick is known, before the expiry',
      receipt: stopped,
      known: seen(30),
    },
    {
      name: 'settled, nothing has come since, and a tick after the expiry is known',
      receipt: stopped,
      known: seen(31),
    },
    { name: 'no tick after the end, and one at the expiry can be missing', receipt: cut },
    { name: 'no tick after the end, one at the expiry is the newest known', receipt: cut, known: seen(30) },
  ];
}

function transferCases(won: OptionReceipt, of: Settle): MoreReceipt[] {
  const numbered = (...seqs: string[]) => ({
    ...won,
    transfers: won.transfers.map((transfer, n) => ({
      ...transfer,
      seq: seqs[n] ?? '',
      resolves: n === 2 ? (seqs[0] ?? '') : n === 3 ? (seqs[1] ?? '') : null,
    })),
  });
  const withTransfer = (n: number, part: object) => ({
    ...won,
    transfers: won.transfers.map((transfer, index) => (index === n ? { ...transfer, ...part } : transfer)),
  });
  const resolving = (n: number, resolves: string | null) => withTransfer(n, { resolves });
  const { hold: _, ...withoutHold } = TEST_TERMS;
  /** A receipt whose terms name this hold; before `opt/3` they name none. */
  const holding = (receipt: OptionReceipt, hold?: bigint) => ({
    ...receipt,
    terms: signedTerms({ ...withoutHold, ...(hold !== undefined && { hold }) }),
  });
  return [
    { name: 'transfers of another order', receipt: numbered('51', '52', '90', '91', '92') },
    {
      name: 'transfers of another order, under terms that name no hold',
      receipt: holding(numbered('51', '52', '90', '91', '92')),
    },
    { name: 'a hold other than the terms name', receipt: holding(won, 42n) },
    { name: 'settled right behind the purchase', receipt: holding(numbered('1', '2', '3', '4', '5'), 1n) },
    { name: 'settled at the number of the second hold', receipt: holding(numbered('1', '2', '2', '3', '4'), 1n) },
    { name: 'a gap in the numbers of the purchase', receipt: holding(numbered('1', '3', '4', '5', '6'), 1n) },
    { name: 'a fee’s number with a zero before it', receipt: holding(numbered('1', '2', '3', '4', '05'), 1n) },
    { name: 'numbers from 0', receipt: numbered('0', '1', '2', '3', '4') },
    {
      name: 'numbers of eighteen digits',
      receipt: holding(numbered('1', '2', '999999999999999997', '999999999999999998', '999999999999999999'), 1n),
    },
    {
      name: 'a number of nineteen digits',
      receipt: holding(numbered('1', '2', '999999999999999998', '999999999999999999', '1000000000000000000'), 1n),
    },
    { name: 'a profit of nothing', receipt: of({ stake: 1n }) },
    { name: 'a fee of the whole profit', receipt: of({ feeBasisPoints: 10_000n }) },
    { name: 'the first hold resolved twice', receipt: resolving(3, '41') },
    { name: 'a fee that resolves a hold', receipt: resolving(4, '41') },
    { name: 'a hold that resolves itself', receipt: resolving(0, '41') },
    { name: 'a settlement that resolves nothing', receipt: resolving(2, null) },
    { name: 'transfers that are no list', receipt: { ...won, transfers: Object.fromEntries(won.transfers.entries()) } },
    { name: 'a transfer of null', receipt: { ...won, transfers: [null] } },
    { name: 'an amount that is a number', receipt: withTransfer(0, { amount: 10_000_000 }) },
    { name: 'a customer that is a number', receipt: { ...won, account: { ...won.account, customer: 17 } } },
    { name: 'a profit of null', receipt: { ...won, result: { ...won.result, profit: null } } },
    { name: 'a reason that is left out', receipt: { ...won, result: { ...won.result, reason: undefined } } },
    { name: 'a tick that is left out', receipt: { ...won, ticks: { ...won.ticks, after_end: undefined } } },
    { name: 'a path that is a text', receipt: { ...won, terms: { ...won.terms, path: won.terms.path.join('') } } },
    { name: 'a status that nobody knows', receipt: { ...won, result: { ...won.result, status: 'open' } } },
    { name: 'a loss of nothing with a minus sign', receipt: { ...won, result: { ...won.result, fee: '-0' } } },
  ];
}

// --- Keys

const seedOf = (n: number): Uint8Array => new Uint8Array(32).fill(n);

export function moreKeyVectors(): [string, PublishedKey[], PublishedKey[]][] {
  const first = (n: number, use: KeyUse = 'receipt'): PublishedKey => ({ ...proofKeyOf(use, seedOf(n)), record: null });
  const announced = (
    n: number,
    previous: number,
    seconds: number,
    change = (body: string): string => body,
    own = n,
    before = previous,
  ): PublishedKey => {
    const key = first(n);
    const fromMs = FIRST_TICK_MS + seconds * 1_000;
    const body = change(
      writeKeyRecord({ use: 'receipt', publicKey: key.public_key, fromMs, previous: first(previous).id }),
    );
    const record = {
      body,
      signature: signText(body, seedOf(own)).signature,
      previous_signature: signText(body, seedOf(before)).signature,
    };
    return { ...key, record };
  };
  const next = announced(11, 10, 0);
  const body = (from: string, to: string) => announced(11, 10, 0, (text) => text.replace(from, to));
  const { record: _, ...bare } = first(10);
  const small = toHex(ed25519.Point.ZERO.toBytes());
  return [
    ['an entry without a record', [bare, next], []],
    ['a record that the new key has not signed', [first(10), announced(11, 10, 0, undefined, 10)], [first(10)]],
    ['a record of another type', [first(10), body('key/1', 'key/2')], [first(10)]],
    ['a record of another use', [first(10), body('"use":"receipt"', '"use":"index"')], [first(10)]],
    ['a record of another key', [first(10), { ...first(12), record: next.record }], [first(10)]],
    ['a record with a member more', [first(10), body('{', '{"a":"",')], [first(10)]],
    [
      'a record that carries a member more',
      [first(10), { ...next, record: { ...next.record, note: '' } as unknown as NonNullable<PublishedKey['record']> }],
      [first(10)],
    ],
    ['a record from 0', [first(10), body(String(FIRST_TICK_MS), '0')], [first(10)]],
    [
      'a record from a time of sixteen digits',
      [first(10), body(String(FIRST_TICK_MS), `${FIRST_TICK_MS}000`)],
      [first(10)],
    ],
    ['a key that names itself', [first(10), announced(11, 11, 0)], [first(10)]],
    ['a key that names itself, at first sight', [announced(11, 11, 0)], []],
    ['a record that names a key of another use', [first(10, 'index'), next], [first(10, 'index'), first(13)]],
    ['each key has a record', [announced(12, 11, 60), announced(13, 12, 90), announced(14, 11, 30)], []],
    [
      'each key has a record, the first one an unsound one',
      [announced(12, 11, 60, undefined, 10), announced(13, 12, 90)],
      [],
    ],
    [
      'at first sight two successors whose predecessor has a record',
      [announced(12, 11, 0), announced(13, 11, 5), announced(11, 10, 0)],
      [],
    ],
    [
      'a rival without the signature of the key before',
      [first(10), next, announced(12, 10, 5, undefined, 12, 13)],
      [first(10)],
    ],
    [
      'two successors that are both pinned',
      [first(10), announced(11, 10, 60), announced(12, 10, 5)],
      [first(10), first(11), first(12)],
    ],
    ['behind one of two rivals', [first(10), next, announced(12, 10, 5), announced(13, 11, 60)], [first(10)]],
    ['a key listed twice', [first(10), next, next], [first(10)]],
    ['a key listed twice, first without its record', [first(10), first(11), next], [first(10)]],
    ['a pinned key listed with a record', [next, announced(12, 11, 60)], [first(11)]],
    ['each use by itself', [first(10), first(10, 'index'), first(11, 'index')], [first(10), first(10, 'index')]],
    [
      'a key of small order that names a pinned one',
      [first(10), { ...first(11), id: keyIdOf(small), public_key: small }],
      [first(10)],
    ],
  ];
}

// --- Memory

export function moreForkVectors(): [string, SeenTick[], readonly SignedText[], SeenTick | null, ShownChain['asked']][] {
  const texts = tickChainOf(OFFSETS, rising);
  const seen = (n: number): SeenTick => ({ sequence: BigInt(n), hash: texts[n - 1]?.hash ?? '' });
  const at = (from: number, limit: number) => ({ from: BigInt(from), limit });
  return [
    ['asked for and shown', [seen(31)], texts.slice(30, 31), seen(46), at(31, 1)],
    ['asked for and left out', [seen(31)], texts.slice(31, 32), seen(46), at(31, 1)],
    ['left out between others', [seen(30), seen(31)], texts.slice(25, 35).toSpliced(5, 1), null, at(26, 10)],
    ['no items where there is a later head', [seen(31)], [], seen(46), at(31, 1)],
    ['no items where it is the head', [seen(46)], [], seen(46), at(46, 1)],
    ['not asked for', [seen(31), seen(40)], texts.slice(30, 31), seen(46), at(31, 1)],
    ['beyond the head', [seen(46)], [], seen(31), at(46, 1)],
  ];
}

export const moreDifferenceVectors: readonly Partial<SignedOptionTerms>[] = [
  { order: 'another' },
  { coin: 'ETH' },
  { feeBasisPoints: 100n },
  { durationMs: 60_000 },
  { rules: 'cd'.repeat(32) },
  { environment: 'live' },
  { arrival: { atMs: ACCEPTED_MS - 1_021, nonce: TEST_TERMS.arrival?.nonce ?? '' } },
  { arrival: { atMs: ACCEPTED_MS - 1_020, nonce: '' } },
  { hold: 42n },
  { latestMs: ACCEPTED_MS + 3_000 },
];

export function moreMomentVectors(): [Partial<SignedOptionTerms>, PurchaseMoment][] {
  const sentMs = ACCEPTED_MS - 2_000;
  const answeredMs = sentMs + 60;
  const moment = { sentMs, answeredMs, newestTickMs: null };
  // The order arrives `ms` after it was sent and is accepted `delayMs` later.
  const arrived = (ms: number, delayMs = 1_000): Partial<SignedOptionTerms> => ({
    acceptedMs: sentMs + ms + delayMs,
    arrival: { atMs: sentMs + ms, nonce: '' },
  });
  return [
    [arrived(-500), moment],
    [arrived(-501, 1_001), moment],
    [arrived(560), moment],
    [arrived(561, 999), moment],
    [arrived(561), { ...moment, answeredMs: answeredMs + 1 }],
    [arrived(20, 999), moment],
    [arrived(-400, 900), moment],
    [arrived(20, 1_540), moment],
    [arrived(20, 1_541), moment],
    [arrived(20), { ...moment, newestTickMs: sentMs + 20 }],
    [arrived(20), { ...moment, newestTickMs: sentMs + 21 }],
  ];
}
