import { COIN_CODES, type CoinCode } from '@sathorn/money';
import { type Canonical, canonicalText, parseCanonical } from './canonical.ts';
import { toHex, utf8Bytes } from './hash.ts';
import { INDEX_RULES, type IndexRuleName, medianOfVotes, roundToStep } from './index-price.ts';
import { faultOfMoment, listDifferencesFromKept, type PurchaseMoment } from './judge-terms.ts';
import { inclusionPath, leafHash, treeRoot } from './merkle-tree.ts';
import { type KnownOrder, type OptionReceipt, RECEIPT_CHECKS, verifyOptionReceipt } from './option-receipt.ts';
import { accountSeal, readOptionTerms, type SignedOptionTerms, writeOptionTerms } from './option-terms.ts';
import { type ProofKey, type PublishedKey, trustKeys, writeKeyRecord } from './proof-keys.ts';
import { isOptionReceipt } from './receipt-shape.ts';
import { faultOfPublicChain, findFork, type SeenTick, type ShownChain } from './seen-chain.ts';
import { bytesToSign, type SignedText, signText } from './signature.ts';
import {
  CHEATING_DRAWS,
  friendDraw,
  shownDrawOf,
  TEST_BOX,
  TEST_BOX_OPENS_MS,
  TEST_DRAW,
  testBox,
  testDraw,
  testFile,
} from './testing-boxes.ts';
import { liabilityVectors } from './testing-liabilities.ts';
import { orderedVectors } from './testing-ordered.ts';
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
import { statementVectors } from './testing-statements.ts';
import { keptVectors } from './testing-vectors-kept.ts';
import {
  fileVectors,
  moreDifferenceVectors,
  moreForkVectors,
  moreKeyVectors,
  moreMomentVectors,
  moreReceiptVectors,
  moreTermsVectors,
  moreTickVectors,
  signedTextVectors,
} from './testing-vectors-more.ts';
import { promiseMomentVectors, promiseTickVectors, promiseVectors } from './testing-vectors-promises.ts';
import { bidVectors, saleTermsVectors, soldVectors } from './testing-vectors-sold.ts';
import { indexStepOf, NO_TICK_HASH, readTick, TICK_LATE_MAX_MS, type Tick, verifyTick, writeTick } from './tick.ts';
import { verifyTickPage } from './tick-page.ts';
import { type BoxFile, DRAW_STEPS, verifyBox, verifyDraw } from './verify-draw.ts';

const OFFSETS = numbersBetween(-5, 40);
const rising = (offset: number): bigint => 64_000_000_000n + BigInt(offset) * 10_000n;
const falling = (offset: number): bigint => rising(-offset);
const flat = (): bigint => rising(0);

function canonicalVectors() {
  const values: Canonical[] = [
    {},
    [],
    '',
    null,
    true,
    { b: '1', a: ['2', null, false, { z: '', y: 'é "\\/\b\f\n\r\t\u0001\u007f\u2028' }] },
    { '\u20ac': '1', '\r': '2', '1': '3', '\u{1f600}': '4', '\ufb33': '5', '\u0080': '6', ö: '7' },
  ];
  const refused = [
    '{"b":"1","a":"2"}',
    '{"a": "1"}',
    '{"a":1}',
    '{"a":"1","a":"1"}',
    '["\\u0061"]',
    '["\\/"]',
    '["\\ud800"]',
    ' {}',
    '{}\n',
    '{',
    '',
  ];
  for (const text of refused) if (parseCanonical(text) !== undefined) throw new Error(`${text} is canonical`);
  return { texts: values.map(canonicalText), refused };
}

function signatureVectors() {
  const bodies = [canonicalText({ v: 'tick/1', px: '1' }), canonicalText({ v: 'note/1', text: 'ราคา' })];
  const key = proofKeyOf('index', TEST_KEY_SEEDS.index);
  return {
    public_key: key.public_key,
    key: key.id,
    texts: bodies.map((body) => ({
      ...signText(body, TEST_KEY_SEEDS.index),
      signed_bytes: toHex(bytesToSign(body) ?? utf8Bytes('')),
    })),
    unsigned: ['{"px":"1"}', '{"v":"Tick/1"}', '{"v":"tick"}', '{"v":"tick/1","px":1}', '[]'],
    seal: { ...TEST_ACCOUNT, seal: accountSeal(TEST_ACCOUNT.salt, TEST_ACCOUNT.customer) },
  };
}

function treeVectors() {
  return [1, 2, 3, 5, 8, 64].map((size) => {
    const bodies = numbersBetween(0, size - 1).map((n) => writeOptionTerms({ ...TEST_TERMS, order: `order-${n}` }));
    const leaves = bodies.map((body) => leafHash(utf8Bytes(`opt/3\n${body}`)));
    const shown = [0, Math.floor(size / 2), size - 1];
    return {
      size: String(size),
      root: toHex(treeRoot(leaves)),
      proofs: shown.map((index) => ({
        index: String(index),
        body: bodies[index],
        path: inclusionPath(leaves, index).map(toHex),
      })),
    };
  });
}

function priceVectors() {
  const votes = (prices: readonly (readonly [string, bigint])[]) =>
    prices.map(([family, price], n) => ({ name: `s${n}`, family, price, at: FIRST_TICK_MS }));
  const adaMids = votes([
    ['USDT', 461_749n],
    ['USDT', 461_753n],
    ['USD', 461_761n],
    ['USD', 461_770n],
  ]);
  const cases: [string, CoinCode, ReturnType<typeof votes>, IndexRuleName?][] = [
    ['the step of the older rule', 'ADA', adaMids],
    ['the step of the newer rule', 'ADA', adaMids, 'families/2'],
    [
      'a newer step that is not the smallest unit',
      'SOL',
      votes([
        ['USDT', 150_000_149n],
        ['USDT', 150_000_199n],
        ['USDT', 150_000_301n],
      ]),
      'families/2',
    ],
    [
      'three in USDT',
      'BTC',
      votes([
        ['USDT', 64_000_010_000n],
        ['USDT', 64_000_030_000n],
        ['USDT', 64_000_020_000n],
      ]),
    ],
    [
      'an even count, rounded down to the step',
      'BTC',
      votes([
        ['USDT', 10_000n],
        ['USDT', 20_000n],
        ['USDT', 30_001n],
        ['USDT', 40_000n],
      ]),
    ],
    [
      'two of one other currency share a vote',
      'BTC',
      votes([
        ['USDT', 100_000n],
        ['USDT', 110_000n],
        ['USD', 90_001n],
        ['USD', 90_004n],
      ]),
    ],
    [
      'each other currency has one vote',
      'ADA',
      votes([
        ['USDT', 400_010n],
        ['USD', 400_025n],
        ['USDC', 399_990n],
        ['USDC', 420_000n],
        ['USDC', 400_001n],
      ]),
    ],
    [
      'the step of a coin of five decimals',
      'DOGE',
      votes([
        ['USDT', 123_456n],
        ['USDT', 123_457n],
        ['USDT', 123_499n],
      ]),
    ],
  ];
  return {
    steps: Object.fromEntries(
      RULES.map((rule) => [
        rule,
        Object.fromEntries(COIN_CODES.map((coin) => [coin, String(indexStepOf(coin, rule))])),
      ]),
    ),
    medians: cases.map(([name, coin, used, rule = 'families/1']) => ({
      name,
      rule,
      coin,
      used: used.map(({ family, price }) => [family, String(price)]),
      price: String(roundToStep(medianOfVotes(used), indexStepOf(coin, rule))),
    })),
  };
}

const RULES = Object.keys(INDEX_RULES) as IndexRuleName[];

/** Cases of the newer rule and of late ticks. The second tick of ADA follows the first. */
function newerTicks(): [string, SignedText, SignedText | null][] {
  const of = (rule: string, price: bigint, before: SignedText | null = null, change: Partial<Tick> = {}) => {
    const at = FIRST_TICK_MS + (before === null ? 0 : 1_000);
    const used = [461_749n, 461_753n, 461_761n].map((said, n) => ({
      name: `v${n}`,
      family: 'USDT',
      price: said,
      at: at - 100,
    }));
    const tick: Tick = {
      coin: 'ADA',
      sequence: before === null ? 1n : 2n,
      at,
      price,
      rule,
      used,
      excluded: [],
      environment: 'sim',
      isJump: false,
      previous: before?.hash ?? NO_TICK_HASH,
    };
    return signText(writeTick({ ...tick, ...change }), TEST_KEY_SEEDS.index);
  };
  const older = of('families/1', 461_700n);
  const fine = (before: SignedText | null, change: Partial<Tick> = {}) => of('families/2', 461_753n, before, change);
  const late = fine(older, { lateMs: 1_000 });
  const withMember = (name: string, value: Canonical): SignedText =>
    signText(
      canonicalText({ ...(parseCanonical(late.body) as Record<string, Canonical>), [name]: value } as Canonical),
      TEST_KEY_SEEDS.index,
    );
  const withLate = (value: Canonical): SignedText => withMember('late', value);
  // A price that a source reported after the second does not count for that second, however late the tick is published.
  const saidAfter = (ms: number) => {
    const tick = readTick(late.body) as Tick;
    return signText(
      writeTick({ ...tick, lateMs: 5_000, used: tick.used.map((vote) => ({ ...vote, at: tick.at + ms })) }),
      TEST_KEY_SEEDS.index,
    );
  };
  return [
    ['families/1 on its step', older, null],
    ['families/1 on the step of families/2', of('families/1', 461_753n), null],
    ['families/2 on its step', fine(null), null],
    ['families/2 on the step of families/1', of('families/2', 461_700n), null],
    ['families/2 behind families/1', fine(older), older],
    ['families/3', of('families/3', 461_753n), null],
    ['a late tick', late, older],
    ['a tick a minute late', fine(older, { lateMs: TICK_LATE_MAX_MS }), older],
    ['a tick more than a minute late', fine(older, { lateMs: TICK_LATE_MAX_MS + 1 }), older],
    ['a tick on time that says so', withLate('0'), older],
    ['a lateness that is no number', withLate(''), older],
    ['a lateness with a zero before it', withLate('01000'), older],
    ['a lateness of null', withLate(null), older],
    ['a late tick of sources at its second', saidAfter(1_000), older],
    ['a late tick of sources after its second', saidAfter(1_001), older],
    ...promiseTickVectors.map(([name, promises]): [string, SignedText, SignedText] => [
      name,
      withMember('promises', promises),
      older,
    ]),
  ];
}

const OTHER_INDEX = proofKeyOf('index', TEST_KEY_SEEDS.other);

/** Pages of `GET /proof/ticks`: sealed ticks have no signature of their own. */
async function pageVectors() {
  const chain = tickChainOf(numbersBetween(1, 8), rising);
  const sealed = (...signed: number[]): SignedText[] =>
    chain.map((text, n) => (signed.includes(n + 1) ? text : { ...text, signature: '', key: '' }));
  const page = sealed(4, 8);
  const changed = (n: number, change: Partial<SignedText>): SignedText[] =>
    page.with(n, { ...(page[n] as SignedText), ...change });
  const bent = tickChainOf(numbersBetween(1, 8), (offset) => rising(offset) - 100_000n);
  const bare = ({ body, hash }: SignedText): SignedText => ({ body, hash, signature: '', key: '' });
  const orphan = tickChainOf(numbersBetween(1, 2), rising).map(({ body }) =>
    signText(body.replace(NO_TICK_HASH, '1'.repeat(64)), TEST_KEY_SEEDS.index),
  );
  const cases: [string, SignedText[], SignedText | null, ProofKey[]?][] = [
    ['all signed', chain, null],
    ['signed in the middle and at the end', page, null],
    ['signed at the end', sealed(8), null],
    ['behind a page that was read before', page.slice(4), page[3] as SignedText],
    ['nothing', [], null],
    ['no signature at the end', page.slice(0, 7), null],
    ['no signature at all', sealed(), null],
    ['an unsigned tick of another chain', page.with(5, bare(bent[5] as SignedText)), null],
    ['an unsigned tick under the hash of the right one', changed(5, { body: bent[5]?.body ?? '' }), null],
    ['an unsigned tick left out', page.toSpliced(5, 1), null],
    ['unsigned ticks of another chain before a signed one', [...bent.slice(0, 3).map(bare), ...page.slice(3)], null],
    ['a signature that is another tick’s', changed(3, { signature: chain[4]?.signature ?? '' }), null],
    ['a signature without its key', changed(3, { key: '' }), null],
    ['a key without its signature', changed(3, { signature: '' }), null],
    ['behind another page than was read before', page.slice(4), bare(bent[3] as SignedText)],
    ['a first tick that names one before it', orphan, null],
    ['keys of nobody', page, null, [OTHER_INDEX]],
    ['a key that had a successor', page, null, [{ ...(TEST_KEYS[0] as ProofKey), until_ms: FIRST_TICK_MS - 20_000 }]],
  ];
  return Promise.all(
    cases.map(async ([name, items, before, keys = [TEST_KEYS[0] as ProofKey]]) => {
      const found = await verifyTickPage(items, keys, before ?? undefined);
      return { name, keys, before, items, ok: found === null, at: found?.at ?? null, fault: found?.fault ?? null };
    }),
  );
}

async function tickVectors() {
  const honest = tickChainOf(numbersBetween(0, 6), rising);
  const at = (n: number): SignedText => honest[n] as SignedText;
  const forged = (n: number, change: (tick: Tick) => Partial<Tick>): SignedText => {
    const tick = readTick(at(n).body) as Tick;
    return signText(writeTick({ ...tick, ...change(tick) }), TEST_KEY_SEEDS.index);
  };
  const left =
    (reason: 'far' | 'old' | 'ahead' | 'silent' | 'stuck', price: bigint | null, ageMs = 200) =>
    (tick: Tick) => ({
      excluded: [{ name: 'f', family: 'USDT', reason, said: price === null ? null : { price, at: tick.at - ageMs } }],
    });
  const jump = tickChainOf(numbersBetween(0, 1), (offset) => (offset === 0 ? 100_000_000n : 130_000_000n));
  const stuck = forged(2, left('stuck', 1_000_000n));
  const afterStuck = (price: bigint) => {
    const tick = readTick(forged(3, left('stuck', price)).body) as Tick;
    return signText(writeTick({ ...tick, previous: stuck.hash }), TEST_KEY_SEEDS.index);
  };
  const cases: [string, SignedText, SignedText | null][] = [
    ['a tick by itself', at(0), null],
    ['the next of a chain', at(1), at(0)],
    ['a source far away', forged(1, left('far', 128_000_000_000n)), at(0)],
    ['a source too old', forged(1, left('old', 1_000_000n, 5_001)), at(0)],
    ['a source ahead', forged(1, left('ahead', 1_000_000n, -1_001)), at(0)],
    ['a silent source', forged(1, left('silent', null)), at(0)],
    ['a source that stays stuck', afterStuck(1_000_000n), stuck],
    ['a source called stuck that moved', afterStuck(1_000_001n), stuck],
    ['a source not old enough', forged(1, left('old', 1_000_000n, 5_000)), at(0)],
    ['a source not far enough', forged(1, left('far', 64_000_010_000n)), at(0)],
    ['a silent source with a price', forged(1, left('silent', 1_000_000n)), at(0)],
    ['a price off the median', forged(1, ({ price }) => ({ price: price + 10_000n })), at(0)],
    ['two sources', forged(1, ({ used }) => ({ used: used.slice(0, 2) })), at(0)],
    [
      'an old source that was used',
      forged(1, ({ used, at: ms }) => ({
        used: used.map((vote, n) => (n === 0 ? { ...vote, at: ms - 5_001 } : vote)),
      })),
      at(0),
    ],
    ['a source used twice', forged(1, ({ used }) => ({ used: used.map((vote) => ({ ...vote, name: 'a' })) })), at(0)],
    ['not a whole second', forged(1, ({ at: ms }) => ({ at: ms + 1 })), at(0)],
    ['a number skipped', at(2), at(0)],
    [
      'another tick before',
      at(1),
      forged(0, ({ price, used }) => ({
        price: price + 10_000n,
        used: used.map((vote) => ({ ...vote, price: vote.price + 10_000n })),
      })),
    ],
    ['a jump that is not marked', forgedIn(jump[1] as SignedText, { isJump: false }), jump[0] as SignedText],
    ['a jump that is marked', forgedIn(jump[1] as SignedText, { isJump: true }), jump[0] as SignedText],
    ['a rule that nobody knows', forged(1, () => ({ rule: 'families/0' })), at(0)],
    ['a signature of somebody else', signText(at(1).body, TEST_KEY_SEEDS.other), at(0)],
    ['another hash', { ...at(1), hash: at(0).hash }, at(0)],
    ['a member more', withMember(at(1)), at(0)],
    ...newerTicks(),
    ...moreTickVectors(),
  ];
  const key = TEST_KEYS[0] as ProofKey;
  return Promise.all(
    cases.map(async ([name, text, previous]) => {
      const verdict = await verifyTick(text, key.public_key, previous ?? undefined);
      return { name, text, previous, ok: verdict.ok, fault: verdict.ok ? null : verdict.fault };
    }),
  );
}

function forgedIn(text: SignedText, change: Partial<Tick>): SignedText {
  return signText(writeTick({ ...(readTick(text.body) as Tick), ...change }), TEST_KEY_SEEDS.index);
}

function withMember({ body }: SignedText): SignedText {
  return signText(
    canonicalText({ ...(parseCanonical(body) as Record<string, Canonical>), zz: '1' }),
    TEST_KEY_SEEDS.index,
  );
}

function termsVectors() {
  const { hold: _hold, ...withoutHold } = TEST_TERMS;
  const { arrival: _arrival, ...before } = withoutHold;
  const body = writeOptionTerms(TEST_TERMS);
  const bodies = [
    body,
    writeOptionTerms(withoutHold),
    writeOptionTerms(before),
    writeOptionTerms({ ...TEST_TERMS, arrival: { atMs: ACCEPTED_MS, nonce: '' } }),
    body.replace('"opt/3"', '"opt/1"'),
    body.replace('"opt/3"', '"opt/2"'),
    body.replace('"opt/3"', '"opt/4"'),
    writeOptionTerms({ ...before, hold: 41n }),
    writeOptionTerms(withoutHold).replace('"opt/2"', '"opt/3"'),
    ...['0', '041', '9'.repeat(18), '9'.repeat(19), ''].map((hold) => body.replace('"hold":"41"', `"hold":"${hold}"`)),
    body.replace('"dir":"up"', '"dir":"sideways"'),
    body.replace('"sym":"BTCUSDT"', '"sym":"LTCUSDT"'),
    body.replace('"stake":"10000000"', '"stake":"010000000"'),
    body.replace('"max_gap":"3000"', '"max_gap":"4000"'),
    body.replace('"v":"opt/3"', '"v":"opt/3","z":"1"'),
    body.replace(TEST_TERMS.arrival?.nonce ?? '', 'short'),
    writeOptionTerms(before).replace('"v":"opt/1"', '"v":"opt/2"'),
    ...moreTermsVectors(),
    ...saleTermsVectors(),
  ];
  return bodies.map((text) => ({ body: text, ok: readOptionTerms(text) !== undefined }));
}

interface ReceiptCase {
  readonly name: string;
  readonly receipt: unknown;
  readonly keys?: readonly ProofKey[];
  readonly known?: KnownOrder;
}

function receiptCases(): ReceiptCase[] {
  const texts = tickChainOf(OFFSETS, rising);
  const won = settleTestOption(TEST_TERMS, texts, rising, OFFSETS);
  const { arrival: _arrival, hold: _hold, ...before } = TEST_TERMS;
  const of = (terms: SignedOptionTerms, priceAt = rising, offsets = OFFSETS) =>
    settleTestOption(terms, tickChainOf(offsets, priceAt), priceAt, offsets);
  const early = [...numbersBetween(-5, 0), ...numbersBetween(4, 40)];
  const noStart: OptionReceipt = {
    ...of(TEST_TERMS, rising, early),
    result: { status: 'void', reason: 'no_start_tick', profit: '0', fee: '0', credited: '10000000' },
  };
  const voidTransfers = of(TEST_TERMS, flat).transfers;
  const started = { ...noStart, transfers: voidTransfers, ticks: { ...noStart.ticks, end: null, after_end: null } };
  const late = [...numbersBetween(-5, 26), ...numbersBetween(33, 40)];
  const lateVoid = of(TEST_TERMS, rising, late);
  /** Had void: the stake of an order that late ticks settled went back. */
  const hadVoid = (priceAt: typeof rising, lateMs: number, part: object = {}, lateAt = [30]): OptionReceipt => {
    const settled = settleTestOption(TEST_TERMS, tickChainOf(OFFSETS, priceAt, { lateAt, lateMs }), priceAt, OFFSETS);
    const [stake] = settled.transfers;
    if (stake === undefined) throw new Error('no stake');
    const back = { ...stake, seq: '120', kind: 'single', from: stake.to, to: stake.from, ...part };
    return { ...settled, transfers: [...settled.transfers, back as OptionReceipt['transfers'][number]] };
  };
  const change = (part: Partial<OptionReceipt>): OptionReceipt => ({ ...won, ...part });
  const ticks = (part: Partial<OptionReceipt['ticks']>) => change({ ticks: { ...won.ticks, ...part } });
  const tickAt = (offset: number): SignedText => texts[OFFSETS.indexOf(offset)] as SignedText;
  const moved = (n: number, part: object) =>
    change({ transfers: won.transfers.map((transfer, index) => (index === n ? { ...transfer, ...part } : transfer)) });
  const inTime = (part: Partial<ProofKey>) => TEST_KEYS.map((key) => ({ ...key, ...part }));
  return [
    { name: 'won', receipt: won, known: { rulesHash: TEST_TERMS.rules } },
    { name: 'won under opt/1', receipt: of(before) },
    {
      name: 'won by ticks of families/2, start and end late',
      receipt: settleTestOption(
        TEST_TERMS,
        tickChainOf(OFFSETS, rising, { rule: 'families/2', lateAt: [1, 30] }),
        rising,
        OFFSETS,
      ),
    },
    { name: 'lost', receipt: of(TEST_TERMS, falling) },
    { name: 'lost to an end more than five seconds late, had void', receipt: hadVoid(falling, 5_001) },
    { name: 'lost after a start more than five seconds late, had void', receipt: hadVoid(falling, 60_000, {}, [1]) },
    { name: 'had void, though five seconds late and no more', receipt: hadVoid(falling, 5_000) },
    { name: 'had void, though won', receipt: hadVoid(rising, 6_000) },
    { name: 'had void, more than the stake', receipt: hadVoid(falling, 6_000, { amount: '10000001' }) },
    { name: 'had void, out of another account', receipt: hadVoid(falling, 6_000, { from: 'house:fee_income' }) },
    { name: 'had void before the settlement', receipt: hadVoid(falling, 6_000, { seq: '91' }) },
    {
      name: 'had void twice',
      receipt: {
        ...hadVoid(falling, 6_000),
        transfers: [
          ...hadVoid(falling, 6_000).transfers,
          ...hadVoid(falling, 6_000, { seq: '121' }).transfers.slice(-1),
        ],
      },
    },
    { name: 'down, won', receipt: of({ ...TEST_TERMS, direction: 'down' }, falling) },
    { name: 'tie', receipt: of(TEST_TERMS, flat) },
    {
      name: 'profit and fee rounded',
      receipt: of({ ...TEST_TERMS, stake: 1_000_001n, payoutBasisPoints: 7_501n, feeBasisPoints: 333n }),
    },
    { name: 'no fee', receipt: of({ ...TEST_TERMS, feeBasisPoints: 0n }) },
    { name: 'void: no start tick', receipt: started },
    { name: 'void: no end tick', receipt: lateVoid },
    {
      name: 'void: nothing has come since',
      receipt: { ...lateVoid, ticks: { ...lateVoid.ticks, after_end: null } },
    },
    {
      name: 'void: nothing is said to have come since, and something has',
      receipt: { ...lateVoid, ticks: { ...lateVoid.ticks, after_end: null } },
      known: { newestTickMs: FIRST_TICK_MS + 40_000 },
    },
    {
      name: 'keys in their time',
      receipt: won,
      keys: inTime({ from_ms: FIRST_TICK_MS, until_ms: FIRST_TICK_MS + 60_000 }),
    },
    { name: 'keys that came later', receipt: won, keys: inTime({ from_ms: FIRST_TICK_MS + 60_000 }) },
    { name: 'keys that had a successor', receipt: won, keys: inTime({ until_ms: FIRST_TICK_MS - 20_000 }) },
    { name: 'keys of nobody', receipt: won, keys: [] },
    { name: 'other rules', receipt: won, known: { rulesHash: 'cd'.repeat(32) } },
    { name: 'another customer', receipt: change({ account: { ...TEST_ACCOUNT, customer: '18' } }) },
    {
      name: 'terms changed after signing',
      receipt: change({ terms: { ...won.terms, body: won.terms.body.replace('"up"', '"down"') } }),
    },
    { name: 'terms of another place', receipt: change({ terms: { ...won.terms, index: '3' } }) },
    { name: 'a path cut short', receipt: change({ terms: { ...won.terms, path: won.terms.path.slice(1) } }) },
    { name: 'a later start', receipt: ticks({ before_start: tickAt(1), start: tickAt(2) }) },
    { name: 'a start before the acceptance', receipt: ticks({ before_start: tickAt(-1), start: tickAt(0) }) },
    { name: 'no tick before the start', receipt: ticks({ before_start: null }) },
    { name: 'an earlier end', receipt: ticks({ end: tickAt(29), after_end: tickAt(30) }) },
    { name: 'a later end', receipt: ticks({ end: tickAt(31), after_end: tickAt(32) }) },
    { name: 'a tick skipped after the end', receipt: ticks({ after_end: tickAt(32) }) },
    { name: 'an end where there was no start', receipt: { ...started, ticks: noStart.ticks } },
    {
      name: 'ticks of another coin',
      receipt: {
        ...won,
        ticks: settleTestOption(TEST_TERMS, tickChainOf(OFFSETS, rising, { coin: 'ETH' }), rising, OFFSETS).ticks,
      },
    },
    {
      name: 'ticks signed by somebody else',
      receipt: {
        ...won,
        ticks: settleTestOption(
          TEST_TERMS,
          tickChainOf(OFFSETS, rising, { seed: TEST_KEY_SEEDS.other }),
          rising,
          OFFSETS,
        ).ticks,
      },
    },
    { name: 'live terms on simulated ticks', receipt: of({ ...TEST_TERMS, environment: 'live' }) },
    {
      name: 'a win called a loss',
      receipt: change({ result: { status: 'lost', reason: null, profit: '-10000000', fee: '0', credited: '0' } }),
    },
    { name: 'a unit less', receipt: change({ result: { ...won.result, credited: '17643999' } }) },
    { name: 'a fee that is higher', receipt: change({ result: { ...won.result, fee: '156001' } }) },
    {
      name: 'still open',
      receipt: change({
        result: { status: 'holding', reason: null, profit: '0', fee: '0', credited: '0' },
        transfers: won.transfers.slice(0, 2),
      }),
    },
    { name: 'a transfer left out', receipt: change({ transfers: won.transfers.slice(0, 4) }) },
    {
      name: 'a transfer too many',
      receipt: change({
        transfers: [...won.transfers, { ...won.transfers[4], seq: '93' } as OptionReceipt['transfers'][number]],
      }),
    },
    { name: 'a transfer to elsewhere', receipt: moved(4, { to: 'house:equity' }) },
    { name: 'a gap in the numbers of a journal', receipt: moved(4, { seq: '93' }) },
    {
      name: 'a settlement before the purchase',
      receipt: change({
        transfers: won.transfers.map((transfer, n) => ({ ...transfer, seq: n > 1 ? String(n) : transfer.seq })),
      }),
    },
    { name: 'a number with a zero before it', receipt: moved(0, { seq: '041' }) },
    { name: 'a member more at the top', receipt: { ...won, note: '' } },
    { name: 'a member more in a transfer', receipt: moved(0, { note: '' }) },
    { name: 'a member left out', receipt: { ...won, account: { salt: TEST_ACCOUNT.salt } } },
    { name: 'another type', receipt: { ...won, v: 'receipt/2' } },
    ...moreReceiptVectors(),
    ...promiseVectors(),
    ...soldVectors(),
  ];
}

async function receiptVectors() {
  return Promise.all(
    receiptCases().map(async ({ name, receipt, keys = TEST_KEYS, known = {} }) => {
      const isReceipt = isOptionReceipt(receipt);
      const verdict = isReceipt ? await verifyOptionReceipt(receipt, keys, known) : undefined;
      const faults = verdict?.checks.filter(({ ok }) => !ok).map(({ name: check, fault }) => [check, fault]) ?? [];
      return {
        name,
        receipt,
        keys,
        known: {
          rules_hash: known.rulesHash ?? null,
          newest_tick_ms: known.newestTickMs === undefined ? null : String(known.newestTickMs),
        },
        is_receipt: isReceipt,
        verified: verdict?.verified ?? false,
        pending: verdict?.checks.filter(({ isPending }) => isPending).map(({ name: check }) => check) ?? [],
        faults: Object.fromEntries(faults),
      };
    }),
  );
}

const seedOf = (n: number): Uint8Array => new Uint8Array(32).fill(n);

async function keyVectors() {
  const first = (n: number): PublishedKey => ({ ...proofKeyOf('receipt', seedOf(n)), record: null });
  const next = (n: number, previous: number, seconds: number, signedBy = previous): PublishedKey => {
    const key = first(n);
    const body = writeKeyRecord({
      use: 'receipt',
      publicKey: key.public_key,
      fromMs: FIRST_TICK_MS + seconds * 1_000,
      previous: first(previous).id,
    });
    return {
      ...key,
      record: {
        body,
        signature: signText(body, seedOf(n)).signature,
        previous_signature: signText(body, seedOf(signedBy)).signature,
      },
    };
  };
  const pin = ({ use, id, public_key }: PublishedKey): ProofKey => ({ use, id, public_key });
  const cases: [string, PublishedKey[], PublishedKey[]][] = [
    ['the first keys that are seen', [first(10), next(11, 10, 0)], []],
    ['two steps from the pinned one', [first(10), next(11, 10, 0), next(12, 11, 60)], [first(10)]],
    ['the predecessor of the pinned one', [first(10), next(11, 10, 0)], [first(11)]],
    ['the pinned one withdrawn', [next(11, 10, 0)], [first(10)]],
    ['another one in its place', [first(13)], [first(10)]],
    ['one beside it', [first(10), first(13)], [first(10)]],
    ['a record signed by somebody else', [first(10), next(11, 10, 0, 13)], [first(10)]],
    ['two successors of one key', [first(10), next(11, 10, 0), next(12, 10, 5)], [first(10)]],
    ['two successors of which one is pinned', [first(10), next(11, 10, 0), next(12, 10, 5)], [first(10), first(11)]],
    ['an id of another key', [{ ...first(13), id: first(10).id }], []],
    ...moreKeyVectors(),
  ];
  return Promise.all(
    cases.map(async ([name, published, pinned]) => {
      const { trusted, refused, withdrawn } = await trustKeys(published, pinned.map(pin));
      return {
        name,
        published,
        pinned: pinned.map(pin),
        trusted: trusted
          .map(({ public_key, from_ms, until_ms }) => ({
            public_key,
            from: from_ms === undefined ? null : String(from_ms),
            until: until_ms === undefined ? null : String(until_ms),
          }))
          .sort((a, b) => (a.public_key < b.public_key ? -1 : 1)),
        refused: refused.map(({ key, fault }) => ({ public_key: key.public_key, fault })),
        withdrawn: withdrawn.map(({ public_key }) => public_key),
      };
    }),
  );
}

function memoryVectors() {
  const honest = tickChainOf(OFFSETS, rising);
  const bent = tickChainOf(OFFSETS, (offset) => rising(offset) - (offset >= 20 ? 100_000n : 0n));
  const seen = (texts: readonly SignedText[], n: number): SeenTick => ({
    sequence: BigInt(n + 1),
    hash: texts[n]?.hash ?? '',
  });
  const forkCases: [string, SeenTick[], readonly SignedText[], SeenTick | null, ShownChain['asked']?][] = [
    ['the same chain', [seen(honest, 30)], [honest[30] as SignedText], seen(honest, 45)],
    ['rewritten', [seen(honest, 30)], [bent[30] as SignedText], seen(bent, 45)],
    [
      'the old hash claimed for another text',
      [seen(honest, 30)],
      [{ ...(bent[30] as SignedText), hash: honest[30]?.hash ?? '' }],
      seen(bent, 45),
    ],
    ['rolled back', [seen(honest, 30)], [], seen(honest, 20)],
    ['an empty chain', [seen(honest, 30)], [], null],
    ['a full page without a head', [seen(honest, 30)], honest.slice(20, 40), null],
    ['a full page without a head, rewritten', [seen(honest, 30)], bent.slice(20, 40), null],
    ['another head under the same number', [seen(honest, 30)], [], seen(bent, 30)],
    ...moreForkVectors(),
  ];
  const receipt = settleTestOption(TEST_TERMS, honest, rising, OFFSETS);
  const bentReceipt = settleTestOption(
    TEST_TERMS,
    bent,
    (offset) => rising(offset) - (offset >= 20 ? 100_000n : 0n),
    OFFSETS,
  );
  const span = honest.slice(5, 37);
  const chains: [string, OptionReceipt, SignedText[]][] = [
    ['the public chain', receipt, span],
    ['another chain for one customer', bentReceipt, span],
    ['a tick left out', receipt, span.toSpliced(4, 1)],
    ['the end left out', receipt, span.slice(0, -4)],
  ];
  const kept = signedTerms(TEST_TERMS).body;
  const others: Partial<SignedOptionTerms>[] = [
    {},
    { direction: 'down' },
    { acceptedMs: ACCEPTED_MS + 1_400 },
    { payoutBasisPoints: 1_000n, stake: 1n },
    { account: accountSeal(TEST_ACCOUNT.salt, '18') },
    ...moreDifferenceVectors,
  ];
  const sentMs = ACCEPTED_MS - 1_040;
  const moments: [Partial<SignedOptionTerms>, PurchaseMoment][] = [
    [{}, { sentMs, answeredMs: sentMs + 60, newestTickMs: FIRST_TICK_MS - 1_000 }],
    [{ acceptedMs: ACCEPTED_MS + 1_400 }, { sentMs, answeredMs: sentMs + 60, newestTickMs: null }],
    [{ acceptedMs: ACCEPTED_MS - 800 }, { sentMs, answeredMs: sentMs + 60, newestTickMs: null }],
    [{}, { sentMs, answeredMs: sentMs + 60, newestTickMs: FIRST_TICK_MS }],
    [{}, { sentMs: sentMs + 1_000, answeredMs: sentMs + 1_060, newestTickMs: null }],
    [{}, { sentMs: sentMs - 9_000, answeredMs: sentMs - 8_000, newestTickMs: null }],
    ...moreMomentVectors(),
    ...promiseMomentVectors.map((change): [Partial<SignedOptionTerms>, PurchaseMoment] => [
      change,
      { sentMs, answeredMs: sentMs + 60, newestTickMs: null },
    ]),
  ];
  const asText = (tick: SeenTick | null) => tick && { sequence: String(tick.sequence), hash: tick.hash };
  return {
    forks: forkCases.map(([name, remembered, texts, head, asked]) => {
      const fork = findFork(remembered, { texts, head, ...(asked && { asked }) });
      const question = asked && { from: String(asked.from), limit: String(asked.limit) };
      const kind = fork?.kind ?? null;
      return { name, seen: remembered.map(asText), texts, head: asText(head), asked: question, fork: kind };
    }),
    public_chains: chains.map(([name, given, texts]) => ({
      name,
      ticks: given.ticks,
      texts,
      fault: faultOfPublicChain(given, texts),
    })),
    terms: others.map((change) => {
      const shown = signedTerms({ ...TEST_TERMS, ...change }).body;
      return { kept, shown, differs: listDifferencesFromKept(kept, shown) };
    }),
    moments: moments.map(([change, { sentMs: sent, answeredMs, newestTickMs }]) => ({
      body: writeOptionTerms({ ...TEST_TERMS, ...change }),
      sent: String(sent),
      answered: String(answeredMs),
      newest_tick: newestTickMs === null ? null : String(newestTickMs),
      fault: faultOfMoment({ ...TEST_TERMS, ...change }, { sentMs: sent, answeredMs, newestTickMs }),
    })),
  };
}

/** The time of the sixth draw's reservation, in ms since 1970. */
const DRAWN_AT_MS = TEST_BOX_OPENS_MS + 6_000;

/** Public files of a box: an honest one, one with an open draw, and each manipulation by an operator. */
function boxFiles(): (readonly [name: string, file: BoxFile])[] {
  const draws = [1, 2, 3, 4, 5].map((i) => shownDrawOf(testDraw(TEST_BOX, i)));
  const [first, ...rest] = draws;
  if (!first) return [];
  const file = testFile(TEST_BOX, draws);
  const { reservation } = testDraw(TEST_BOX, 6);
  const lucky = (count: number) =>
    testFile(
      TEST_BOX,
      Array.from({ length: count }, (_, n) => shownDrawOf(friendDraw(TEST_BOX, n + 1))),
    );
  const poor = testBox({ budget: { USDT: 0n, POINTS: 19n } });
  return [
    ['five draws', file],
    ['no draw yet', testFile(TEST_BOX, [])],
    ['an open draw that is still in time', testFile(TEST_BOX, [...draws, { reservation }], DRAWN_AT_MS + 60_000)],
    ['a draw that was left open', testFile(TEST_BOX, [...draws, { reservation }], DRAWN_AT_MS + 60_001)],
    ['a draw that was left out', { ...file, draws: draws.filter((_, n) => n !== 2) }],
    ['draws in another order', { ...file, draws: [...rest, first] }],
    ['a number that differs', { ...file, draws: [{ ...first, number: '1' }, ...rest] }],
    ['commitments in another order', { ...file, commitments: [...file.commitments].reverse() }],
    ['a commitment left out', { ...file, commitments: file.commitments.slice(1) }],
    [
      'prizes above the budget',
      testFile(
        poor,
        draws.map((_, n) => shownDrawOf(testDraw(poor, n + 1))),
      ),
    ],
    ['draws of another box', { ...file, box: testBox({ price: 99n }).signed }],
    ['a customer who is lucky twice', lucky(2)],
    ['a friend who draws the highest prize each time', lucky(4)],
  ];
}

/** Draws of blind boxes, honest ones and each way to cheat that a verifier must name. */
async function drawVectors() {
  const honest: typeof CHEATING_DRAWS = [
    ['won', '', TEST_DRAW],
    ['without a seed of the phone', '', testDraw(TEST_BOX, 4, { clientSeed: null })],
  ];
  return {
    keys: TEST_KEYS,
    steps: DRAW_STEPS,
    draws: await Promise.all(
      [...honest, ...CHEATING_DRAWS].map(async ([name, , draw, kept = {}]) => {
        const { verified, steps, number } = await verifyDraw(draw, TEST_KEYS, { kept });
        return { name, draw, kept, verified, faults: steps, number: number === null ? null : String(number) };
      }),
    ),
    files: await Promise.all(
      boxFiles().map(async ([name, file]) => {
        const { verified, faults, given } = await verifyBox(file, TEST_KEYS);
        return { name, file, verified, faults, given };
      }),
    ),
  };
}

/** The vectors, by the names of their files in `vectors/`. */
export async function makeTestVectors(): Promise<Readonly<Record<string, unknown>>> {
  return {
    'texts.json': {
      canonical: canonicalVectors(),
      signatures: signatureVectors(),
      trees: treeVectors(),
      signed: await signedTextVectors(),
      files: fileVectors(),
    },
    'prices.json': priceVectors(),
    'ticks.json': { key: TEST_KEYS[0], ticks: await tickVectors(), pages: await pageVectors() },
    'receipts.json': { checks: RECEIPT_CHECKS, terms: termsVectors(), receipts: await receiptVectors() },
    'bids.json': bidVectors(),
    'keys.json': await keyVectors(),
    'memory.json': memoryVectors(),
    'draws.json': await drawVectors(),
    'kept.json': await keptVectors(),
    'statements.json': await statementVectors(),
    'liabilities.json': await liabilityVectors(),
    'ordered.json': await orderedVectors(),
  };
}
