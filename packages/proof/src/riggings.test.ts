import { describe, expect, it } from 'vitest';
import {
  faultOfMoment,
  listDifferencesFromKept,
  listDifferencesFromKnown,
  purchaseMomentByArrival,
} from './judge-terms.ts';
import { type OptionReceipt, verifyOptionReceipt } from './option-receipt.ts';
import { accountSeal, type SignedOptionTerms, writeOptionTerms } from './option-terms.ts';
import { trustKeys } from './proof-keys.ts';
import {
  faultOfPublicChain,
  findFork,
  findTickUnlikeSeen,
  neededSequences,
  type SeenTick,
  withTickAfterEnd,
} from './seen-chain.ts';
import type { SignedText } from './signature.ts';
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
import { readTick } from './tick.ts';

/* Each manipulation is signed with the platform's own keys, so the receipt alone passes every check. The customer's
   device has the answer to the purchase and the streamed ticks, and these must reveal the fraud. */

const OFFSETS = numbersBetween(-5, 40);
const rising = (offset: number): bigint => 64_000_000_000n + BigInt(offset) * 10_000n;
const HONEST = tickChainOf(OFFSETS, rising);
const kept = signedTerms(TEST_TERMS).body;
const asSeen = (texts: readonly SignedText[]): SeenTick[] =>
  texts.map(({ body, hash }) => ({ sequence: readTick(body)?.sequence ?? 0n, hash }));
const headOf = (texts: readonly SignedText[]) => asSeen(texts).at(-1) ?? null;

async function isVerifiedAlone(receipt: OptionReceipt): Promise<boolean> {
  return (await verifyOptionReceipt(receipt, TEST_KEYS)).verified;
}

describe('L6 terms that were signed again while the order was open', () => {
  const rules = 'cd'.repeat(32);
  it.each<[string, Partial<SignedOptionTerms>, string[]]>([
    ['22: the other direction', { direction: 'down' }, ['direction']],
    ['23: accepted 1.4 s later', { acceptedMs: ACCEPTED_MS + 1_400 }, ['acceptance']],
    ['24: a payout of 10%', { payoutBasisPoints: 1_000n }, ['payout']],
    ['27: a smaller stake', { stake: 1_000_000n }, ['stake']],
    ['28: a higher fee', { feeBasisPoints: 5_000n }, ['fee']],
    ['29: other rules', { rules }, ['rules']],
    ['30: another customer', { account: accountSeal(TEST_ACCOUNT.salt, '18') }, ['account']],
    ['another order', { order: '019b2c1e-0000-7000-8000-000000000002' }, ['order']],
    ['another coin', { coin: 'ETH' }, ['coin']],
    ['a longer duration', { durationMs: 60_000 }, ['duration']],
    ['a later arrival', { arrival: { atMs: ACCEPTED_MS, nonce: TEST_TERMS.arrival?.nonce ?? '' } }, ['arrival']],
    ['another nonce', { arrival: { atMs: TEST_TERMS.arrival?.atMs ?? 0, nonce: 'A'.repeat(22) } }, ['nonce']],
    ['transfers of another order', { hold: 51n }, ['hold']],
    ['two things at once', { direction: 'down', stake: 1n }, ['direction', 'stake']],
  ])('%s', async (_, change, members) => {
    const forged = { ...TEST_TERMS, ...change };
    if (
      forged.coin === 'BTC' &&
      forged.account === TEST_TERMS.account &&
      forged.durationMs < 35_000 &&
      forged.hold === 41n
    )
      expect(await isVerifiedAlone(settleTestOption(forged, HONEST, rising, OFFSETS))).toBe(true);
    expect(listDifferencesFromKept(kept, signedTerms(forged).body)).toEqual(members);
    expect(listDifferencesFromKept(kept, kept)).toEqual([]);
  });

  it('differ from the older type of the same terms, and from a text that is not terms', () => {
    const { arrival: _arrival, hold: _hold, ...before } = TEST_TERMS;
    expect(listDifferencesFromKept(kept, writeOptionTerms(before))).toEqual(['arrival', 'nonce', 'hold']);
    expect(listDifferencesFromKept(kept, '{}')).toEqual(['text']);
    expect(listDifferencesFromKept('{}', kept)).toEqual(['text']);
  });

  it('differ from what a device that stored nothing knows of the order on its screen', () => {
    const known = {
      order: TEST_TERMS.order,
      direction: 'up',
      stake: '10000000',
      payout: '7800',
      fee: null,
      coin: 'BTC',
    };
    expect(listDifferencesFromKnown(kept, known)).toEqual([]);
    expect(listDifferencesFromKnown(signedTerms({ ...TEST_TERMS, direction: 'down', stake: 1n }).body, known)).toEqual([
      'direction',
      'stake',
    ]);
  });
});

describe('38: an acceptance time that the server chose later', () => {
  const sentMs = ACCEPTED_MS - 1_040;
  const moment = { sentMs, answeredMs: sentMs + 60, newestTickMs: FIRST_TICK_MS - 1_000 };
  const at = (acceptedMs: number, arrivedMs = TEST_TERMS.arrival?.atMs ?? 0) =>
    faultOfMoment({ ...TEST_TERMS, acceptedMs, arrival: { atMs: arrivedMs, nonce: '' } }, moment);

  it('contradicts the device’s own clock', () => {
    expect(at(ACCEPTED_MS)).toBeNull();
    expect(at(ACCEPTED_MS + 1_400)).toBe('accepted_too_late');
    expect(at(ACCEPTED_MS + 1_400, sentMs + 1_420)).toBe('arrived_after_answer');
    expect(at(ACCEPTED_MS - 900)).toBe('accepted_before_seen');
    expect(at(ACCEPTED_MS - 100)).toBe('accepted_too_early');
    expect(faultOfMoment({ ...TEST_TERMS, acceptedMs: ACCEPTED_MS - 800 }, { ...moment, newestTickMs: null })).toBe(
      'accepted_too_early',
    );
    expect(at(ACCEPTED_MS, sentMs - 600)).toBe('arrived_before_sent');
  });

  it('contradicts the round trip, without a reliable clock', () => {
    const arrivedMs = TEST_TERMS.arrival?.atMs ?? 0;
    expect(faultOfMoment(TEST_TERMS, purchaseMomentByArrival(arrivedMs, 60))).toBeNull();
    const late = { ...TEST_TERMS, acceptedMs: ACCEPTED_MS + 2_000 };
    expect(faultOfMoment(late, purchaseMomentByArrival(arrivedMs, 60))).toBe('accepted_too_late');
  });
});

describe('a rewritten chain', () => {
  const bent = (offset: number): bigint => rising(offset) + (offset >= 20 ? -300_000_000n : 0n);
  const rewritten = tickChainOf(OFFSETS, bent);
  const seen = asSeen(HONEST);

  it('25: rewritten from a tick on, is detected by the first remembered tick that differs', () => {
    const place = OFFSETS.indexOf(20);
    expect(findFork([seen[place] as SeenTick], { texts: [rewritten[place] as SignedText], head: null })).toEqual({
      kind: 'rewritten',
      sequence: BigInt(place + 1),
    });
    expect(findFork(seen, { texts: HONEST, head: headOf(HONEST) })).toBeNull();
    // The reader recomputes the hash, so a server cannot claim the old one for a new text.
    const lying = { ...(rewritten[place] as SignedText), hash: HONEST[place]?.hash ?? '' };
    expect(findFork([seen[place] as SeenTick], { texts: [lying], head: null })).toMatchObject({ kind: 'rewritten' });
  });

  it('20: rolled back, also if it has grown past the remembered ticks', () => {
    const cut = HONEST.slice(0, 30);
    expect(findFork(seen.slice(-1), { texts: [], head: headOf(cut) })).toEqual({
      kind: 'rolled_back',
      sequence: BigInt(OFFSETS.length),
    });
    const regrown = tickChainOf([...numbersBetween(-5, 24), ...numbersBetween(30, 60)], rising);
    const place = 35;
    expect(
      findFork([seen[place] as SeenTick], { texts: [regrown[place] as SignedText], head: headOf(regrown) }),
    ).toEqual({
      kind: 'rewritten',
      sequence: BigInt(place + 1),
    });
  });

  it('is not reported for ticks that the device has not seen', () => {
    expect(findFork([], { texts: rewritten, head: headOf(rewritten) })).toBeNull();
    expect(findFork(seen.slice(0, 3), { texts: [], head: headOf(HONEST) })).toBeNull();
  });
});

describe('another end tick and successor for one customer', () => {
  const expiry = 30;
  const lower = (permille: bigint) => (offset: number) =>
    offset >= expiry
      ? (rising(offset) * (1_000n - permille)) / 1_000n - (((rising(offset) * (1_000n - permille)) / 1_000n) % 10_000n)
      : rising(offset);
  const publicSpan = (receipt: OptionReceipt, texts: readonly SignedText[]) => {
    const span = neededSequences(receipt);
    return texts.filter(({ body }) => {
      const sequence = readTick(body)?.sequence ?? 0n;
      return span !== null && sequence >= span.from && sequence <= span.to;
    });
  };

  it.each<[string, (offset: number) => bigint]>([
    ['31: sources 0.1% lower', lower(1n)],
    ['32: sources 1.9% lower', lower(19n)],
    // A larger change would have to be flagged as a jump.
    ['33: sources 15% lower', lower(150n)],
  ])('%s', async (_, priceAt) => {
    const forged = tickChainOf(OFFSETS, priceAt);
    const receipt = settleTestOption(TEST_TERMS, forged, priceAt, OFFSETS);
    expect([receipt.result.status, await isVerifiedAlone(receipt)]).toEqual(['lost', true]);
    expect(faultOfPublicChain(receipt, publicSpan(receipt, HONEST))).toBe('chain_differs');
    expect(findTickUnlikeSeen(receipt, asSeen(HONEST))).toBe(BigInt(OFFSETS.indexOf(expiry) + 1));
    expect(findTickUnlikeSeen(receipt, [])).toBeNull();
  });

  it.each<[string, 'silent' | 'stuck']>([
    ['34: two sources called silent', 'silent'],
    ['35: two sources called stuck', 'stuck'],
  ])('%s', async (_, reason) => {
    const level = () => rising(0);
    const honest = tickChainOf(OFFSETS, (offset) => (offset < expiry ? level() : level() + 10_000n));
    const priceAt = (offset: number) => (offset <= expiry ? level() : level() + 10_000n);
    const forged = tickChainOf(OFFSETS, (offset) => (offset < expiry ? level() : level() + 10_000n), {
      leftOut: { at: expiry, reason },
    });
    // A win by one step becomes a tie.
    const receipt = settleTestOption(TEST_TERMS, forged, priceAt, OFFSETS);
    expect([receipt.result.status, await isVerifiedAlone(receipt)]).toEqual(['tie', true]);
    expect(faultOfPublicChain(receipt, publicSpan(receipt, honest))).toBe('chain_differs');
    expect(findTickUnlikeSeen(receipt, asSeen(honest))).toBe(BigInt(OFFSETS.indexOf(expiry) + 1));
  });

  it('36: a gap that never existed', async () => {
    const offsets = [...numbersBetween(-5, 25), ...numbersBetween(31, 40)];
    const receipt = settleTestOption(TEST_TERMS, tickChainOf(offsets, rising), rising, offsets);
    expect([receipt.result.status, await isVerifiedAlone(receipt)]).toEqual(['void', true]);
    expect(faultOfPublicChain(receipt, publicSpan(receipt, HONEST))).toBe('chain_differs');
    expect(findTickUnlikeSeen(receipt, asSeen(HONEST))).toBe(32n);
    // The tick after the end is withheld, but the public chain contains it.
    const withheld = { ...receipt, ticks: { ...receipt.ticks, after_end: null } };
    expect(await isVerifiedAlone(withheld)).toBe(true);
    expect(await isVerifiedAlone(withTickAfterEnd(withheld, publicSpan(withheld, HONEST)))).toBe(false);
  });

  it('accepts the ticks that everybody was shown', () => {
    const receipt = settleTestOption(TEST_TERMS, HONEST, rising, OFFSETS);
    const span = publicSpan(receipt, HONEST);
    expect(faultOfPublicChain(receipt, span)).toBeNull();
    expect(findTickUnlikeSeen(receipt, asSeen(HONEST))).toBeNull();
    expect(faultOfPublicChain(receipt, span.toSpliced(5, 1))).toBe('sequence_gap');
    expect(faultOfPublicChain(receipt, span.slice(0, -4))).toBe('chain_incomplete');
  });
});

it('26: if both keys are exchanged, a reader who has seen the earlier ones refuses them', async () => {
  const exchanged = [proofKeyOf('index', TEST_KEY_SEEDS.other), proofKeyOf('receipt', new Uint8Array(32).fill(4))];
  const { trusted, refused, withdrawn } = await trustKeys(exchanged, TEST_KEYS);
  expect(trusted.map(({ id }) => id)).toEqual(TEST_KEYS.map(({ id }) => id));
  expect(refused.map(({ fault }) => fault)).toEqual(['not_announced', 'not_announced']);
  expect(withdrawn).toHaveLength(2);
  const receipt = settleTestOption(
    TEST_TERMS,
    tickChainOf(OFFSETS, rising, { seed: TEST_KEY_SEEDS.other }),
    rising,
    OFFSETS,
  );
  const { verified, checks } = await verifyOptionReceipt(receipt, trusted);
  expect([verified, checks.find(({ name }) => name === 'ticks_signed')?.fault]).toEqual([false, 'key_unknown']);
});

it('a replaced key signs nothing dated after its time', async () => {
  const receipt = settleTestOption(TEST_TERMS, HONEST, rising, OFFSETS);
  const faultsWith = async (times: object) => {
    const { checks } = await verifyOptionReceipt(
      receipt,
      TEST_KEYS.map((key) => ({ ...key, ...times })),
    );
    return checks.filter(({ ok }) => !ok).map(({ name, fault }) => [name, fault]);
  };
  expect(await faultsWith({ until_ms: ACCEPTED_MS + 60_000 })).toEqual([]);
  expect(await faultsWith({ until_ms: ACCEPTED_MS - 60_000 })).toEqual([
    ['terms_signed', 'key_out_of_time'],
    ['ticks_signed', 'key_out_of_time'],
  ]);
  expect(await faultsWith({ from_ms: ACCEPTED_MS + 60_000 })).toHaveLength(2);
});
