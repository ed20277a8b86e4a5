/** Vectors of `kept/1` and `contradiction/1`: what a device kept, and each way in which it can contradict something. */
import {
  type AnySignedText,
  type Contradiction,
  findContradictions,
  isContradiction,
  verifyContradiction,
} from './contradiction.ts';
import { judgeKeptFile, type ShownBesideKept } from './judge-kept.ts';
import { isKeptFile, type KeptFile, type KeptPurchaseInFile } from './kept-file.ts';
import { accountSeal, type SignedOptionTerms } from './option-terms.ts';
import { type PublishedKey, trustKeys, writeKeyRecord } from './proof-keys.ts';
import { type SignedText, signText } from './signature.ts';
import { signedAcknowledgement, writtenOddly } from './testing-acknowledgements.ts';
import { FOREIGN_SEED, rewriteDraw, TEST_BOX, TEST_DRAW, TEST_PRIZES, testBox, testDraw } from './testing-boxes.ts';
import { halve, testLeaves, testProof } from './testing-liabilities.ts';
import {
  ACCEPTED_MS,
  FIRST_TICK_MS,
  numbersBetween,
  proofKeyOf,
  settleTestOption,
  signedTerms,
  TEST_ACCOUNT,
  TEST_KEY_SEEDS,
  TEST_KEYS,
  TEST_TERMS,
  tickChainOf,
} from './testing-receipts.ts';
import { headAt, SPOT, signedHeads, TEST_ENTRIES } from './testing-statements.ts';
import { readTick } from './tick.ts';

const OFFSETS = numbersBetween(-5, 40);
const rising = (offset: number): bigint => 64_000_000_000n + BigInt(offset) * 10_000n;
const bent = (offset: number): bigint => rising(offset) - (offset >= 20 ? 100_000n : 0n);
const HONEST = tickChainOf(OFFSETS, rising);
const BENT = tickChainOf(OFFSETS, bent);
const RECEIPT = settleTestOption(TEST_TERMS, HONEST, rising, OFFSETS);
/** Signed heads of one customer: an early one, a later one, and one over a changed entry. */
const HEADS = {
  early: signedHeads([headAt(SPOT, TEST_ENTRIES.slice(0, 5))]),
  later: signedHeads([headAt(SPOT, TEST_ENTRIES)], { atMs: FIRST_TICK_MS + 90_000 }),
  rigged: signedHeads(
    [
      headAt(
        SPOT,
        TEST_ENTRIES.map((entry, n) => (n === 1 ? { ...entry, amount: '999999' } : entry)),
      ),
    ],
    { atMs: FIRST_TICK_MS + 120_000 },
  ),
  foreign: signedHeads([headAt(SPOT, TEST_ENTRIES)], { seed: TEST_KEY_SEEDS.other }),
};
/** Acknowledgements of one lock-up: as accepted, once more in another tree, and with half of its yield. */
const LOCKUP = { about: 'lockup', id: '019b2c1e-0000-7000-8000-000000000003' };
const LOCKUP_FACTS = { amount: '1000.000000', daily_rate: '0.00100000', days: '90', note: null };
const LOCKUP_ACK = { ...LOCKUP, facts: LOCKUP_FACTS };
const ACKS = {
  honest: signedAcknowledgement(LOCKUP_ACK),
  again: signedAcknowledgement(LOCKUP_ACK, { beside: 4 }),
  halved: signedAcknowledgement({ ...LOCKUP, facts: { ...LOCKUP_FACTS, daily_rate: '0.00050000' } }),
  shorter: signedAcknowledgement({ ...LOCKUP, facts: { amount: '1000.000000', daily_rate: '0.00100000', days: '90' } }),
  foreign: signedAcknowledgement(LOCKUP_ACK, { seed: TEST_KEY_SEEDS.other }),
  neighbour: signedAcknowledgement({ ...LOCKUP, facts: { ...LOCKUP_FACTS, days: '30' } }, { customer: '8' }),
};
/** What was owed to all customers at one moment, and half of it. */
const OWED = {
  honest: testProof(testLeaves(3), 0).signed,
  halved: testProof(testLeaves(3), 0, { change: halve }).signed,
  foreign: testProof(testLeaves(3), 0, { seed: TEST_KEY_SEEDS.other }).signed,
};
const OTHER_ORDER = '019b2c1e-0000-7000-8000-000000000002';
const ARRIVED_MS = TEST_TERMS.arrival?.atMs ?? 0;

const seenOf = (texts: readonly SignedText[]): [string, string][] =>
  texts.map(({ body, hash }) => [String(readTick(body)?.sequence), hash]);

/** The keys as they were published: first ones without a record. */
export const TEST_PUBLISHED: readonly PublishedKey[] = TEST_KEYS.map((key) => ({ ...key, record: null }));

const NEXT_SEED = new Uint8Array(32).fill(4);
/** A receipt key that follows the first one at this moment (ms). */
function nextKey(fromMs: number, signedBy = TEST_KEY_SEEDS.receipt, seed = NEXT_SEED): PublishedKey {
  const key = proofKeyOf('receipt', seed);
  const previous = proofKeyOf('receipt', TEST_KEY_SEEDS.receipt).id;
  const body = writeKeyRecord({ use: 'receipt', publicKey: key.public_key, fromMs, previous });
  const [own, before] = [signText(body, seed), signText(body, signedBy)];
  return { ...key, record: { body, signature: own.signature, previous_signature: before.signature } };
}

export const TEST_PURCHASE: KeptPurchaseInFile = {
  terms: signedTerms(TEST_TERMS),
  rules: TEST_TERMS.rules,
  kept: String(ACCEPTED_MS + 50),
  from: 'answer',
  times: {
    sent: String(ARRIVED_MS - 20 - 7_000),
    answered: String(ARRIVED_MS + 40 - 7_000),
    offset: '7000',
    newest_tick: String(FIRST_TICK_MS - 1_000),
  },
};

/** A file with one purchase and nothing else, or with these members. */
export function testKeptFile(change: Partial<KeptFile> = {}): KeptFile {
  return {
    v: 'kept/1',
    platform: 'https://platform.example',
    made: String(ACCEPTED_MS + 90_000),
    keys: TEST_PUBLISHED,
    purchases: [TEST_PURCHASE],
    ticks: [],
    boxes: [],
    draws: [],
    receipts: [],
    findings: [],
    contradictions: [],
    ...change,
  };
}

const BOXES: KeptFile['boxes'] = [{ id: TEST_BOX.terms.id, hash: TEST_BOX.signed.hash, text: TEST_BOX.signed }];
const DRAWS: KeptFile['draws'] = [
  {
    order: JSON.parse(TEST_DRAW.reservation.body).order,
    reservation: TEST_DRAW.reservation.body,
    client_seed: TEST_DRAW.client_seed ?? '',
    text: TEST_DRAW.reservation,
  },
];
const TICKS: KeptFile['ticks'] = [{ coin: 'BTC', since: String(FIRST_TICK_MS), seen: seenOf(HONEST), texts: [] }];
const WHOLE = testKeptFile({
  ticks: TICKS,
  boxes: BOXES,
  draws: DRAWS,
  receipts: [RECEIPT],
  findings: [{ kind: 'fork', about: 'BTC 12', at: String(ACCEPTED_MS), says: ['rewritten'] }],
});
const RICHER = testBox({ table: [{ ...TEST_PRIZES[0], weight: 9_000 } as never, ...TEST_PRIZES.slice(1)] });

/** Each way in which the holder of the receipt key can sign an order again. */
export const RESIGNED_TERMS: readonly (readonly [name: string, change: Partial<SignedOptionTerms>])[] = [
  ['direction', { direction: 'down' }],
  ['acceptance', { acceptedMs: ACCEPTED_MS + 1_400 }],
  ['payout', { payoutBasisPoints: 1_000n }],
  ['stake', { stake: 1_000_000n }],
  ['fee', { feeBasisPoints: 5_000n }],
  ['rules', { rules: 'cd'.repeat(32) }],
  ['customer', { account: accountSeal(TEST_ACCOUNT.salt, '18') }],
  ['nonce', { arrival: { atMs: ARRIVED_MS, nonce: 'A'.repeat(22) } }],
  ['arrival', { arrival: { atMs: ARRIVED_MS + 20, nonce: TEST_TERMS.arrival?.nonce ?? '' } }],
  ['transfers', { hold: 51n }],
  ['direction and payout', { direction: 'down', payoutBasisPoints: 1_000n }],
];

interface KeptCase extends Pick<ShownBesideKept, 'receipt' | 'draw'> {
  readonly name: string;
  readonly file: unknown;
  /** Published keys beside the file; without them the file's own count. */
  readonly keys?: readonly PublishedKey[];
}

function keptCases(): KeptCase[] {
  const small = testKeptFile();
  const purchase = (change: Partial<KeptPurchaseInFile>) =>
    testKeptFile({ purchases: [{ ...TEST_PURCHASE, ...change }] });
  const times = (change: object) => purchase({ times: { ...(TEST_PURCHASE.times as object), ...change } as never });
  const settled = (change: Partial<SignedOptionTerms>) =>
    settleTestOption({ ...TEST_TERMS, ...change }, HONEST, rising, OFFSETS);
  const resigned = signedTerms({ ...TEST_TERMS, direction: 'down' });
  const { hold: _, ...withoutHold } = TEST_TERMS;
  const foreign = signedTerms({ ...TEST_TERMS, direction: 'down' }, TEST_KEY_SEEDS.other);
  const ticks = (change: object): KeptFile => testKeptFile({ ticks: [{ ...TICKS[0], seen: [], ...change } as never] });
  const swapped = [['2', 'a'.repeat(64)] as const, ['1', 'b'.repeat(64)] as const];
  const later = nextKey(ACCEPTED_MS + 60_000);
  const laterTerms = { ...TEST_TERMS, direction: 'down', acceptedMs: ACCEPTED_MS + 120_000 } as const;
  return [
    { name: 'whole', file: WHOLE },
    { name: 'whole, with its receipt', file: WHOLE, receipt: RECEIPT },
    { name: 'whole, with its draw', file: WHOLE, draw: TEST_DRAW },
    { name: 'empty', file: testKeptFile({ purchases: [] }) },
    { name: 'a purchase with its receipt', file: small, receipt: RECEIPT },
    { name: 'the receipt of another order', file: small, receipt: settled({ order: OTHER_ORDER }) },
    ...RESIGNED_TERMS.map(([name, change]) => ({
      name: `signed again: ${name}`,
      file: small,
      receipt: settled(change),
    })),
    { name: 'signed again without a hold', file: small, receipt: { ...RECEIPT, terms: signedTerms(withoutHold) } },
    { name: 'a receipt of another key', file: small, receipt: { ...RECEIPT, terms: foreign } },
    {
      name: 'two versions kept',
      file: testKeptFile({ purchases: [TEST_PURCHASE, { ...TEST_PURCHASE, terms: resigned }] }),
    },
    {
      name: 'two versions, one by a foreign key',
      file: testKeptFile({ purchases: [TEST_PURCHASE, { ...TEST_PURCHASE, terms: foreign }] }),
    },
    {
      name: 'a spoiled copy and a good one of a second version',
      file: testKeptFile({
        purchases: [
          { ...TEST_PURCHASE, terms: { ...resigned, index: '1' } },
          { ...TEST_PURCHASE, terms: resigned },
          TEST_PURCHASE,
        ],
      }),
    },
    { name: 'the same purchase twice', file: testKeptFile({ purchases: [TEST_PURCHASE, TEST_PURCHASE] }) },
    { name: 'terms of opt/2', file: purchase({ terms: signedTerms(withoutHold) }) },
    {
      name: 'terms that nobody signed',
      file: purchase({
        terms: { ...TEST_PURCHASE.terms, tree: { ...TEST_PURCHASE.terms.tree, signature: '0'.repeat(128) } },
      }),
    },
    { name: 'terms that are none', file: purchase({ terms: { ...TEST_PURCHASE.terms, body: '{"v":"opt/3"}' } }) },
    { name: 'rules that were not read', file: purchase({ rules: 'cd'.repeat(32) }) },
    { name: 'rules unknown', file: purchase({ rules: null, times: null, from: 'open' }) },
    {
      name: 'sent after the arrival',
      file: times({ sent: String(ARRIVED_MS - 7_000 + 501), answered: String(ARRIVED_MS - 7_000 + 900) }),
    },
    {
      name: 'a clock behind the server’s',
      file: times({ sent: String(ARRIVED_MS + 6_980), answered: String(ARRIVED_MS + 7_040), offset: '-7000' }),
    },
    { name: 'an unknown clock', file: times({ offset: null }) },
    { name: 'a tick that was on the screen', file: times({ newest_tick: String(ACCEPTED_MS - 999) }) },
    { name: 'an offset of minus nothing', file: times({ offset: '-0' }) },
    { name: 'an offset with a plus sign', file: times({ offset: '+7000' }) },
    { name: 'a bent chain under the receipt', file: WHOLE, receipt: settleTestOption(TEST_TERMS, BENT, bent, OFFSETS) },
    {
      name: 'a bent chain, hashes alone',
      file: testKeptFile({ ticks: TICKS }),
      receipt: settleTestOption(TEST_TERMS, BENT, bent, OFFSETS),
    },
    { name: 'ticks as they came', file: ticks({ seen: seenOf(HONEST), texts: HONEST.slice(0, 3) }) },
    {
      name: 'a tick other than was streamed',
      file: ticks({ seen: seenOf(HONEST).slice(30, 31), texts: BENT.slice(30, 31) }),
    },
    { name: 'two signed ticks of one number', file: ticks({ texts: [HONEST[30], BENT[30]] }) },
    {
      name: 'two ticks of which one is unsigned',
      file: ticks({ texts: [HONEST[30], { ...BENT[30], signature: '', key: '' }] }),
    },
    { name: 'a tick under another coin', file: ticks({ coin: 'ETH', texts: HONEST.slice(0, 1) }) },
    { name: 'numbers that go back', file: ticks({ seen: swapped }) },
    { name: 'a number twice', file: ticks({ seen: [swapped[0], swapped[0]] }) },
    { name: 'a coin twice', file: testKeptFile({ ticks: [...TICKS, ...TICKS] }) },
    { name: 'a coin that is none', file: ticks({ coin: 'XYZ' }) },
    {
      name: 'another table of the box',
      file: testKeptFile({ purchases: [], boxes: BOXES }),
      draw: testDraw(RICHER, 3),
    },
    {
      name: 'another table of the box, its hash alone',
      file: testKeptFile({ purchases: [], boxes: BOXES.map((box) => ({ ...box, text: null })) }),
      draw: testDraw(RICHER, 3),
    },
    {
      name: 'another reservation of the draw',
      file: testKeptFile({ purchases: [], draws: DRAWS }),
      draw: rewriteDraw(TEST_DRAW, { reserved: String(FIRST_TICK_MS + 9_000) }),
    },
    {
      name: 'another reservation by a foreign key',
      file: testKeptFile({ purchases: [], draws: DRAWS }),
      draw: rewriteDraw(TEST_DRAW, { i: '4' }, FOREIGN_SEED),
    },
    {
      name: 'another seed of the customer',
      file: testKeptFile({ purchases: [], draws: DRAWS }),
      draw: { ...TEST_DRAW, client_seed: null },
    },
    {
      name: 'a box that nobody signed',
      file: testKeptFile({
        boxes: BOXES.map((box) => ({ ...box, text: box.text && { ...box.text, signature: '0'.repeat(128) } })),
      }),
    },
    {
      name: 'a box under another id',
      file: testKeptFile({ boxes: BOXES.map((box) => ({ ...box, id: OTHER_ORDER })) }),
    },
    {
      name: 'a box’s hash that is not its text’s',
      file: testKeptFile({ boxes: BOXES.map((box) => ({ ...box, hash: 'a'.repeat(64) })) }),
    },
    {
      name: 'a reservation that is not the text’s',
      file: testKeptFile({ draws: DRAWS.map((draw) => ({ ...draw, reservation: '{}' })) }),
    },
    {
      name: 'a draw under another id',
      file: testKeptFile({ draws: DRAWS.map((draw) => ({ ...draw, order: OTHER_ORDER })) }),
    },
    {
      name: 'a kept receipt that is wrong',
      file: testKeptFile({ receipts: [{ ...RECEIPT, result: { ...RECEIPT.result, credited: '1' } }] }),
    },
    { name: 'a kept receipt of another version', file: testKeptFile({ receipts: [settled({ direction: 'down' })] }) },
    { name: 'keys as published', file: small, keys: TEST_PUBLISHED },
    {
      name: 'keys that were exchanged',
      file: small,
      keys: [
        { ...proofKeyOf('index', TEST_KEY_SEEDS.other), record: null },
        { ...proofKeyOf('receipt', NEXT_SEED), record: null },
      ],
    },
    { name: 'a newer key beside', file: small, keys: [...TEST_PUBLISHED, later] },
    {
      name: 'terms after the key’s time',
      file: purchase({ terms: signedTerms(laterTerms), rules: null, times: null }),
      keys: [...TEST_PUBLISHED, later],
    },
    {
      name: 'the second version by the next key',
      file: testKeptFile({ keys: [...TEST_PUBLISHED, later] }),
      receipt: { ...RECEIPT, terms: signedTerms(laterTerms, NEXT_SEED) },
    },
    {
      name: 'promises and statements of unknown types',
      file: { ...small, promises: [TEST_PURCHASE.terms], statements: [HONEST[0], TEST_PURCHASE.terms] },
    },
    {
      name: 'heads of accounts, each later than the one before',
      file: { ...small, statements: [HEADS.early, HEADS.later] },
    },
    {
      name: 'heads of accounts of which the last two contradict each other',
      file: { ...small, statements: [HEADS.early, HEADS.later, HEADS.rigged] },
    },
    { name: 'heads that somebody else signed', file: { ...small, statements: [HEADS.foreign] } },
    { name: 'acknowledgements of one thing in two trees', file: { ...small, promises: [ACKS.honest, ACKS.again] } },
    { name: 'an acknowledgement with another rate', file: { ...small, promises: [ACKS.honest, ACKS.halved] } },
    { name: 'an acknowledgement with a fact less', file: { ...small, promises: [ACKS.honest, ACKS.shorter] } },
    { name: 'one thing of two customers', file: { ...small, promises: [ACKS.honest, ACKS.neighbour] } },
    { name: 'an acknowledgement that somebody else signed', file: { ...small, promises: [ACKS.honest, ACKS.foreign] } },
    {
      name: 'an acknowledgement before its key’s time',
      file: {
        ...small,
        keys: [...TEST_PUBLISHED, later],
        promises: [signedAcknowledgement(LOCKUP_ACK, { seed: NEXT_SEED })],
      },
    },
    ...writtenOddly().map(([name, text]) => ({ name, file: { ...small, promises: [text] } })),
    { name: 'promises that are no texts in a tree', file: { ...small, promises: [HONEST[0]] } },
    { name: 'sums of liabilities', file: { ...small, statements: [OWED.honest, OWED.honest] } },
    { name: 'other sums of liabilities under one number', file: { ...small, statements: [OWED.honest, OWED.halved] } },
    { name: 'sums of liabilities that somebody else signed', file: { ...small, statements: [OWED.foreign] } },
    { name: 'statements that are no list', file: { ...small, statements: {} } },
    { name: 'a member more', file: { ...small, session: 'x' } },
    { name: 'a member more in a purchase', file: purchase({ note: '' } as never) },
    {
      name: 'a member more in a key',
      file: testKeptFile({ keys: TEST_PUBLISHED.map((key) => ({ ...key, from: '1' })) }),
    },
    { name: 'a member left out', file: { ...small, draws: undefined } },
    { name: 'another type', file: { ...small, v: 'kept/2' } },
    { name: 'a time that is a number', file: { ...small, made: 5 } },
    { name: 'a list', file: [] },
    { name: 'nothing', file: null },
  ];
}

async function pairOf(texts: readonly AnySignedText[], published = TEST_PUBLISHED): Promise<Contradiction> {
  const { trusted } = await trustKeys(published, []);
  const [found] = await findContradictions(texts, { trusted, published });
  if (found === undefined) throw new Error('the texts do not contradict each other');
  return found;
}

/** One contradiction of each kind, all true, and two by a line of keys. */
export async function trueContradictions(): Promise<[string, Contradiction][]> {
  const pairs: [string, AnySignedText[], (readonly PublishedKey[])?][] = [
    ...RESIGNED_TERMS.map(([name, change]): [string, AnySignedText[]] => [
      `an order signed again: ${name}`,
      [signedTerms(TEST_TERMS), signedTerms({ ...TEST_TERMS, ...change })],
    ]),
    ['a tick', [HONEST[30] as SignedText, BENT[30] as SignedText]],
    ['a box', [TEST_BOX.signed, RICHER.signed]],
    ['a draw', [TEST_DRAW.reservation, rewriteDraw(TEST_DRAW, { i: '4' }).reservation]],
    ['heads of accounts', [HEADS.later, HEADS.rigged]],
    ['a thing that was acknowledged', [ACKS.honest, ACKS.halved]],
    ['what is owed', [OWED.honest, OWED.halved]],
    [
      'an order, by the next key',
      [signedTerms(TEST_TERMS), signedTerms({ ...TEST_TERMS, acceptedMs: ACCEPTED_MS + 120_000 }, NEXT_SEED)],
      [...TEST_PUBLISHED, nextKey(ACCEPTED_MS + 60_000)],
    ],
  ];
  return Promise.all(
    pairs.map(async ([name, texts, keys]) => [name, await pairOf(texts, keys)] as [string, Contradiction]),
  );
}

async function contradictionCases(): Promise<[string, unknown][]> {
  const all = await trueContradictions();
  const terms = all[0]?.[1] as Contradiction;
  const byNext = all.at(-1)?.[1] as Contradiction;
  const tick = all.find(([name]) => name === 'a tick')?.[1] as Contradiction;
  const heads = all.find(([name]) => name === 'heads of accounts')?.[1] as Contradiction;
  const ack = all.find(([name]) => name === 'a thing that was acknowledged')?.[1] as Contradiction;
  const [first, next] = byNext.keys as [PublishedKey, PublishedKey];
  const other: PublishedKey = { ...proofKeyOf('receipt', TEST_KEY_SEEDS.other), record: null };
  const unlinked: PublishedKey = { ...next, record: null };
  return [
    ...all,
    ['the two the other way round', { ...terms, first: terms.second, second: terms.first }],
    ['one text twice', { ...terms, second: terms.first }],
    ['one text twice, nothing differs', { ...terms, second: terms.first, differs: [] }],
    ['about another order', { ...terms, about: OTHER_ORDER }],
    ['of another kind', { ...terms, kind: 'draw' }],
    ['of an unknown kind', { ...terms, kind: 'order' }],
    ['other differences', { ...terms, differs: ['stake'] }],
    ['differences left out', { ...terms, differs: [] }],
    ['a difference more', { ...terms, differs: [...terms.differs, 'stake'] }],
    ['another key', { ...terms, keys: [other] }],
    ['a key more', { ...terms, keys: [...terms.keys, other] }],
    ['a key twice', { ...terms, keys: [...terms.keys, ...terms.keys] }],
    ['no key', { ...terms, keys: [] }],
    ['the key with a use of its own', { ...terms, keys: terms.keys.map((key) => ({ ...key, use: 'index' })) }],
    ['the key under another id', { ...terms, keys: terms.keys.map((key) => ({ ...key, id: other.id })) }],
    [
      'one text of a foreign key',
      { ...terms, second: signedTerms({ ...TEST_TERMS, direction: 'down' }, TEST_KEY_SEEDS.other) },
    ],
    ['a spoiled signature', { ...tick, second: { ...tick.second, signature: '0'.repeat(128) } }],
    ['a tick’s hash that is another', { ...tick, second: { ...tick.second, hash: tick.first.hash } }],
    [
      'another order of the same direction',
      { ...terms, second: signedTerms({ ...TEST_TERMS, order: OTHER_ORDER, direction: 'down' }) },
    ],
    ['two keys that nothing links', { ...byNext, keys: [first, unlinked] }],
    ['the later key alone', { ...byNext, keys: [unlinked] }],
    [
      'a record that the first key did not sign',
      { ...byNext, keys: [first, nextKey(ACCEPTED_MS + 60_000, TEST_KEY_SEEDS.other)] },
    ],
    ['a text after its key’s time', { ...byNext, keys: [first, nextKey(ACCEPTED_MS - 60_000)] }],
    ['a text before its key’s time', { ...byNext, keys: [first, nextKey(ACCEPTED_MS + 180_000)] }],
    ['a member more', { ...terms, note: '' }],
    ['a member left out', { ...terms, about: undefined }],
    ['another type', { ...terms, v: 'contradiction/2' }],
    ['heads that can both be true', { ...heads, first: HEADS.early, second: HEADS.later, differs: [] }],
    ['heads that can both be true, as if one were rewritten', { ...heads, first: HEADS.early, second: HEADS.later }],
    ['heads of which one is not signed', { ...heads, second: { ...HEADS.rigged, signature: '0'.repeat(128) } }],
    ['heads about another customer', { ...heads, about: '0'.repeat(64) }],
    ['acknowledgements that can both be true', { ...ack, first: ACKS.honest, second: ACKS.again }],
    ['acknowledgements to two customers', { ...ack, second: ACKS.neighbour }],
    ['an acknowledgement of a foreign key', { ...ack, second: ACKS.foreign }],
    ['acknowledgements that differ in another fact', { ...ack, differs: ['days'] }],
    ['an acknowledgement as terms', { ...ack, kind: 'terms' }],
    ['a text that is not in a tree', { ...terms, first: terms.first, second: tick.second }],
    ['nothing', null],
  ];
}

/** The published vectors; each verdict is that of this package. */
export async function keptVectors() {
  const files = keptCases().map(async ({ name, file, receipt, draw, keys }) => {
    const isKept = isKeptFile(file);
    const published = keys ?? (isKept ? file.keys : []);
    const { trusted } = await trustKeys(published, []);
    const shown = { ...(receipt && { receipt }), ...(draw && { draw }) };
    const judged = isKept ? await judgeKeptFile(file, { trusted, published }, shown) : undefined;
    return {
      name,
      file,
      receipt: receipt ?? null,
      draw: draw ?? null,
      keys: keys ?? null,
      is_kept: isKept,
      ok: judged?.ok ?? false,
      found: judged?.findings.map(({ kind, about }) => `${kind} ${about}`) ?? [],
      contradictions: judged?.contradictions.map(({ kind, about, differs }) => ({ kind, about, differs })) ?? [],
      unread: judged?.unread ?? [],
    };
  });
  const contradictions = (await contradictionCases()).map(async ([name, file]) => {
    const fault = isContradiction(file) ? await verifyContradiction(file) : 'malformed';
    return { name, file, ok: fault === null, fault, differs: fault === null ? (file as Contradiction).differs : [] };
  });
  return { files: await Promise.all(files), contradictions: await Promise.all(contradictions) };
}
