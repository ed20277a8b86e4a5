import { getPublicKey } from '@noble/ed25519';
import type { CoinCode } from '@sathorn/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalText } from './canonical.ts';
import { toHex } from './hash.ts';
import {
  isOptionReceipt,
  type OptionReceipt,
  type ProofKey,
  RECEIPT_CHECKS,
  type ReceiptCheckName,
  type ReceiptFault,
  verifyOptionReceipt,
} from './index.ts';
import { accountSeal, type SignedOptionTerms, typeOfTerms, writeOptionTerms } from './option-terms.ts';
import { bytesToSign, hashOfBody, keyIdOf, type SignedText, signText } from './signature.ts';
import { proveInTree, writeTreeHead } from './terms-tree.ts';
import { TEST_KEYS } from './testing-receipts.ts';
import { SALE_TERMS, sellTestOption } from './testing-vectors-sold.ts';
import { NO_TICK_HASH, type Tick, writeTick } from './tick.ts';

const seeds = {
  index: new Uint8Array(32).fill(1),
  receipt: new Uint8Array(32).fill(2),
  other: new Uint8Array(32).fill(3),
};
const keyOf = (use: 'index' | 'receipt', seed: Uint8Array = seeds[use]): ProofKey => {
  const publicKey = toHex(getPublicKey(seed));
  return { use, id: keyIdOf(publicKey), public_key: publicKey };
};

const ACCEPTED = 1_767_225_600_123;
const SECOND = 1_767_225_600_000;
const account = { salt: 'a3f1', customer: '17' };
const usual: SignedOptionTerms = {
  order: '019b2c1e-0000-7000-8000-000000000001',
  account: accountSeal(account.salt, account.customer),
  coin: 'BTC',
  direction: 'up',
  stake: 10_000_000n,
  payoutBasisPoints: 7_800n,
  feeBasisPoints: 200n,
  acceptedMs: ACCEPTED,
  durationMs: 30_000,
  rules: 'ab'.repeat(32),
  environment: 'sim',
  arrival: { atMs: ACCEPTED - 1_000, nonce: 'q83vEjRWeJCrze8SNFZ4kA' },
  hold: 41n,
};
const { arrival: _arrival, hold: _hold, ...before } = usual;

/** Chained and signed ticks at these offsets (in s). */
function chain(
  offsets: readonly number[],
  priceAt: (offset: number) => bigint,
  coin: CoinCode = 'BTC',
  seed = seeds.index,
): Map<number, SignedText> {
  const texts = new Map<number, SignedText>();
  let previous = NO_TICK_HASH;
  offsets.forEach((offset, index) => {
    const at = SECOND + offset * 1_000;
    const price = priceAt(offset);
    const used = ['a', 'b', 'c'].map((name) => ({ name, family: 'USDT', price, at: at - 200 }));
    const tick: Tick = {
      coin,
      sequence: BigInt(index + 1),
      at,
      price,
      rule: 'families/1',
      used,
      excluded: [],
      environment: 'sim',
      isJump: false,
      previous,
    };
    const text = signText(writeTick(tick), seed);
    previous = text.hash;
    texts.set(offset, text);
  });
  return texts;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const rising = (offset: number) => 64_000_000_000n + BigInt(offset) * 10_000n;

function signedTerms(terms: SignedOptionTerms, neighbours = 4): OptionReceipt['terms'] {
  const bodies = Array.from({ length: neighbours + 1 }, (_, index) =>
    writeOptionTerms(index === 2 ? terms : { ...terms, order: `neighbour-${index}` }),
  );
  if (neighbours === 0) bodies[0] = writeOptionTerms(terms);
  const type = typeOfTerms(bodies[0] ?? '');
  return proveInTree(type, bodies, neighbours === 0 ? 0 : 2, signText(writeTreeHead(type, bodies), seeds.receipt));
}

const hold = (seq: number, from: string, to: string, amount: string) =>
  ({ seq: String(seq), kind: 'hold', from, to, asset: 'USDT', amount, resolves: null }) as const;
const [spot, pool] = ['customer:spot', 'house:options_pool'];
const holds = [hold(41, spot, pool, '10000000'), hold(42, pool, spot, '7800000')] as const;
const resolve = (seq: number, of: (typeof holds)[0] | (typeof holds)[1], kind: 'post' | 'void') => ({
  ...of,
  seq: String(seq),
  kind,
  resolves: of.seq,
});
const fee = {
  seq: '92',
  kind: 'single',
  from: spot,
  to: 'house:fee_income',
  asset: 'USDT',
  amount: '156000',
  resolves: null,
} as const;

const settledTransfers = {
  won: [...holds, resolve(90, holds[0], 'void'), resolve(91, holds[1], 'post'), fee],
  lost: [...holds, resolve(90, holds[0], 'post'), resolve(91, holds[1], 'void')],
  back: [...holds, resolve(90, holds[0], 'void'), resolve(91, holds[1], 'void')],
};
const back = { profit: '0', fee: '0', credited: '10000000' };

function receipt(
  change: Partial<OptionReceipt> = {},
  texts = chain(range(0, 31), rising),
  at = { before: 0, start: 1, end: 30, after: 31 },
): OptionReceipt {
  const pick = (offset: number) => texts.get(offset) ?? null;
  return {
    v: 'receipt/1',
    terms: signedTerms(usual),
    account,
    ticks: { before_start: pick(at.before), start: pick(at.start), end: pick(at.end), after_end: pick(at.after) },
    result: { status: 'won', reason: null, profit: '7800000', fee: '156000', credited: '17644000' },
    transfers: settledTransfers.won,
    ...change,
  };
}
const keys = [keyOf('index'), keyOf('receipt')];
const faultsOf = async (
  given: OptionReceipt,
  known = {},
  trusted = keys,
): Promise<Partial<Record<ReceiptCheckName, ReceiptFault | null>>> => {
  const verdict = await verifyOptionReceipt(given, trusted, known);
  // Terms before `opt/4` are in no chain.
  const names = RECEIPT_CHECKS.filter((name) => name !== 'terms_before_prices' && name !== 'sold_in_time');
  expect(verdict.checks.map(({ name }) => name)).toEqual(names);
  expect(verdict.verified).toBe(verdict.checks.every(({ ok }) => ok));
  return Object.fromEntries(verdict.checks.filter(({ ok }) => !ok).map(({ name, fault }) => [name, fault]));
};

describe('a receipt is verified', () => {
  const falling = (offset: number) => rising(-offset);
  const flat = () => rising(0);
  it.each([
    ['won', receipt()],
    ['won under terms of the older type', receipt({ terms: signedTerms(before) })],
    ['won without a nonce', receipt({ terms: signedTerms({ ...usual, arrival: { atMs: ACCEPTED, nonce: '' } }) })],
    ['won alone in its tree', receipt({ terms: signedTerms(usual, 0) })],
    [
      'lost',
      receipt(
        {
          result: { status: 'lost', reason: null, profit: '-10000000', fee: '0', credited: '0' },
          transfers: settledTransfers.lost,
        },
        chain(range(0, 31), falling),
      ),
    ],
    [
      'tie',
      receipt(
        { result: { status: 'tie', reason: null, ...back }, transfers: settledTransfers.back },
        chain(range(0, 31), flat),
      ),
    ],
    [
      'void: no start tick',
      receipt(
        { result: { status: 'void', reason: 'no_start_tick', ...back }, transfers: settledTransfers.back },
        chain([0, ...range(4, 31)], rising),
        { before: 0, start: 4, end: -1, after: -1 },
      ),
    ],
    [
      'void: no end tick',
      receipt(
        { result: { status: 'void', reason: 'no_end_tick', ...back }, transfers: settledTransfers.back },
        chain([...range(0, 26), 33], rising),
        { before: 0, start: 1, end: 26, after: 33 },
      ),
    ],
    [
      'won on ticks 3 s away',
      receipt({}, chain([0, ...range(3, 28), 33], rising), { before: 0, start: 3, end: 28, after: 33 }),
    ],
    ['first tick of all', receipt({}, chain(range(1, 31), rising))],
    ['after the end still to come', receipt({}, chain(range(0, 30), rising))],
  ])('%s', async (_, given) => {
    expect(isOptionReceipt(JSON.parse(JSON.stringify(given)))).toBe(true);
    expect(await faultsOf(given, { rulesHash: usual.rules })).toEqual({});
  });

  it('with a mark while a later tick could still contradict a void, and without it for a reader who knows later ticks', async () => {
    const result = { status: 'void', reason: 'no_end_tick', ...back } as const;
    const given = receipt({ result, transfers: settledTransfers.back }, chain(range(0, 26), rising), {
      before: 0,
      start: 1,
      end: 26,
      after: -1,
    });
    const verdict = await verifyOptionReceipt(given, keys);
    expect(verdict.verified).toBe(true);
    expect(verdict.checks.filter(({ isPending }) => isPending).map(({ name }) => name)).toEqual(['end_is_last']);
    expect(await faultsOf(given, { newestTickMs: ACCEPTED + 60_000 })).toEqual({ end_is_last: 'after_end_missing' });

    const none = receipt(
      { result: { ...result, reason: 'no_start_tick' }, transfers: settledTransfers.back },
      chain([0], rising),
      { before: 0, start: -1, end: -1, after: -1 },
    );
    expect(await faultsOf(none)).toEqual({});
    expect(await faultsOf(none, { newestTickMs: ACCEPTED + 60_000 })).toEqual({ start_is_first: 'start_missing' });
  });
});

it('with a mark if the index stopped just before the end, and only for a reader who has seen the end and no later tick', async () => {
  const given = receipt({}, chain(range(0, 28), rising), { before: 0, start: 1, end: 28, after: -1 });
  const expiryMs = ACCEPTED + 30_000;
  expect(await faultsOf(given)).toEqual({ end_is_last: 'after_end_missing' });
  const end = ACCEPTED - 123 + 28_000;
  // A tick after the expiry, one between the end and the expiry, and one older than the end, which proves nothing.
  for (const newestTickMs of [expiryMs + 1, end + 1_000, end - 1_000])
    expect(await faultsOf(given, { newestTickMs })).toEqual({ end_is_last: 'after_end_missing' });
  const verdict = await verifyOptionReceipt(given, keys, { newestTickMs: end });
  expect(verdict.verified).toBe(true);
  expect(verdict.checks.filter(({ isPending }) => isPending).map(({ name }) => name)).toEqual(['end_is_last']);
});

/** Yields the value with each of its parts in turn removed, doubled or changed, including parts of the signed texts. */
function* spoiled(value: unknown): Generator<unknown> {
  if (value === null) yield '0';
  else if (typeof value === 'string') yield* [`${value}0`, value.slice(1) || '-', null];
  else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      for (const other of spoiled(item)) yield value.with(at, other);
      yield* [value.toSpliced(at, 1), value.toSpliced(at, 0, item)];
    }
  } else {
    const entries = Object.entries(value as Record<string, unknown>);
    for (const [name, member] of entries) {
      yield Object.fromEntries(entries.filter(([other]) => other !== name));
      for (const other of spoiled(member)) yield { ...(value as object), [name]: other };
      if (name !== 'body') continue;
      for (const other of spoiled(JSON.parse(String(member)))) {
        const body = canonicalText(other as never);
        yield { ...(value as object), body };
        if (bytesToSign(body)) yield { ...(value as object), body, hash: hashOfBody(body) };
      }
    }
  }
}

/** Yields the value with an additional field in each of its objects in turn. */
function* withMemberMore(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { ...value, more: '1' };
  for (const [name, member] of Object.entries(value))
    for (const other of withMemberMore(member))
      yield Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
}

describe('a receipt is not verified', () => {
  const texts = chain(range(0, 40), rising);
  const at = (before: number, start: number, end: number, after: number) =>
    receipt({}, texts, { before, start, end, after });
  it.each<[string, OptionReceipt, Partial<Record<ReceiptCheckName, ReceiptFault>>]>([
    ['a later start', at(1, 2, 30, 31), { start_is_first: 'before_start_after_acceptance' }],
    ['a start that is not the next', at(0, 2, 30, 31), { start_is_first: 'sequence_gap' }],
    ['a start before the acceptance', at(-1, 0, 30, 31), { start_is_first: 'start_not_after_acceptance' }],
    ['no tick before the start', at(-1, 1, 30, 31), { start_is_first: 'before_start_missing' }],
    ['an earlier end', at(0, 1, 29, 30), { end_is_last: 'after_end_before_expiry' }],
    ['an earlier end, next one skipped', at(0, 1, 29, 31), { end_is_last: 'sequence_gap' }],
    ['an earlier end, next one withheld', at(0, 1, 29, -1), { end_is_last: 'after_end_missing' }],
    ['a later end', at(0, 1, 31, 32), { end_is_last: 'end_after_expiry' }],
    [
      'no end',
      at(0, 1, -1, -1),
      { end_is_last: 'end_missing', outcome_follows: 'status_differs', transfers_match: 'transfer_unexpected' },
    ],
    [
      'a win called a loss',
      receipt({ result: { status: 'lost', reason: null, profit: '-10000000', fee: '0', credited: '0' } }),
      { outcome_follows: 'status_differs' },
    ],
    [
      'a unit less',
      receipt({ result: { ...receipt().result, credited: '17643999' } }),
      { outcome_follows: 'credited_differs' },
    ],
    ['a fee too many', receipt({ result: { ...receipt().result, fee: '156001' } }), { outcome_follows: 'fee_differs' }],
    [
      'a payout never made',
      receipt({ transfers: settledTransfers.won.slice(0, 3) }),
      { transfers_match: 'transfer_missing' },
    ],
    [
      'a transfer more',
      receipt({ transfers: [...settledTransfers.won, { ...fee, seq: '93' }] }),
      { transfers_match: 'transfer_unexpected' },
    ],
    [
      'a transfer to elsewhere',
      receipt({ transfers: [...settledTransfers.won.slice(0, 4), { ...fee, to: 'house:equity' }] }),
      { transfers_match: 'transfer_differs' },
    ],
    [
      'a settlement before the purchase',
      receipt({
        transfers: settledTransfers.won.map((one, index) => ({ ...one, seq: index > 1 ? String(index) : one.seq })),
      }),
      { transfers_match: 'sequence_differs' },
    ],
    [
      'an end where there was no start',
      receipt(
        { result: { status: 'void', reason: 'no_start_tick', ...back }, transfers: settledTransfers.back },
        chain([0, ...range(4, 31)], rising),
        { before: 0, start: 4, end: 30, after: 31 },
      ),
      { end_is_last: 'end_unexpected' },
    ],
    [
      'an order that is still open',
      receipt({ result: { status: 'holding', reason: null, profit: '0', fee: '0', credited: '0' }, transfers: holds }),
      { outcome_follows: 'not_settled' },
    ],
    [
      'somebody else’s account',
      receipt({ account: { ...account, customer: '18' } }),
      { terms_in_force: 'account_differs' },
    ],
    ['ticks of another coin', receipt({}, chain(range(0, 31), rising, 'ETH')), { prices_follow: 'coin_differs' }],
    [
      'ticks of a stranger',
      receipt({}, chain(range(0, 31), rising, 'BTC', seeds.other)),
      { ticks_signed: 'key_unknown' },
    ],
    [
      'terms changed after signing',
      receipt({ terms: { ...receipt().terms, body: writeOptionTerms({ ...usual, direction: 'down' }) } }),
      {
        terms_signed: 'hash_differs',
        outcome_follows: 'status_differs',
        transfers_match: 'transfer_unexpected',
      },
    ],
    [
      'terms changed and hashed again',
      receipt({ terms: { ...signedTerms({ ...usual, stake: 10_000_001n }), tree: receipt().terms.tree } }),
      {
        terms_signed: 'path_wrong',
        outcome_follows: 'credited_differs',
        transfers_match: 'transfer_differs',
      },
    ],
    [
      'two prices under one number',
      receipt(
        {},
        new Map([
          ...chain([0, 1], rising),
          // Another chain by the same signer, whose second tick is at the order's end.
          ...chain([29, 30, 31], rising),
        ]),
      ),
      { end_is_last: 'previous_differs' },
    ],
    [
      'an end that another start comes before',
      receipt({}, new Map([...chain([0, 1], rising), ...chain([28, 29, 30, 31], rising)])),
      { end_is_last: 'previous_differs' },
    ],
    [
      'more numbers between start and end than seconds',
      receipt({}, new Map([...chain(range(-31, 31), rising), ...chain([0, 1], rising)])),
      { end_is_last: 'sequence_gap' },
    ],
    [
      'live terms on simulated ticks',
      receipt({ terms: signedTerms({ ...usual, environment: 'live' }) }),
      { prices_follow: 'environment_differs' },
    ],
  ])('%s', async (_, given, faults) => {
    const found = await faultsOf(given);
    expect(found).toMatchObject(faults);
    expect(Object.keys(found).length).toBeGreaterThan(0);
  });

  it('under rules that the reader has not seen, or with keys that are not trusted', async () => {
    expect(await faultsOf(receipt(), { rulesHash: 'cd'.repeat(32) })).toEqual({ terms_in_force: 'rules_differ' });
    expect(await faultsOf(receipt(), {}, [])).toEqual({ terms_signed: 'key_unknown', ticks_signed: 'key_unknown' });
    // A key may not be used for a purpose other than the published one.
    const swapped = keys.map((key) => ({
      ...key,
      use: key.use === 'index' ? ('receipt' as const) : ('index' as const),
    }));
    expect(await faultsOf(receipt(), {}, swapped)).toMatchObject({ terms_signed: 'key_unknown' });
    const disguised = [{ ...keyOf('receipt', seeds.other), id: keyOf('receipt').id }, keyOf('index')];
    expect(await faultsOf(receipt(), {}, disguised)).toEqual({ terms_signed: 'key_unknown' });
  });

  it('if it has an additional member at any level, because it would be another file with the same meaning', () => {
    let looked = 0;
    for (const other of withMemberMore(receipt())) {
      looked += 1;
      expect(isOptionReceipt(other)).toBe(false);
    }
    expect(looked).toBe(15);
  });

  it('if any one member differs, with its hash recomputed or not', async () => {
    let looked = 0;
    for (const changed of spoiled(receipt())) {
      if (!isOptionReceipt(changed)) continue;
      looked += 1;
      const { verified } = await verifyOptionReceipt(changed, keys);
      expect(verified && changed).toBe(false);
    }
    expect(looked).toBeGreaterThan(1_000);
  });

  it('when any one character of its text differs', async () => {
    const text = JSON.stringify(receipt());
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length - 1),
        fc.constantFrom(...Array.from('0123456789abcdefXYZ".,:-/ ')),
        async (place, character) => {
          fc.pre(text[place] !== character);
          const changed = text.slice(0, place) + character + text.slice(place + 1);
          let value: unknown;
          try {
            value = JSON.parse(changed);
          } catch {
            return;
          }
          if (!isOptionReceipt(value)) return;
          expect((await verifyOptionReceipt(value, keys)).verified).toBe(false);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});

describe('the receipt of a sold option', () => {
  it('does not verify when any one digit of its result or its transfers differs', async () => {
    const receipt = sellTestOption(SALE_TERMS);
    expect((await verifyOptionReceipt(receipt, TEST_KEYS)).verified).toBe(true);
    const text = JSON.stringify({ result: receipt.result, transfers: receipt.transfers });
    for (const [place, character] of [...text].entries()) {
      // Each third, because a verification takes some milliseconds.
      if (place % 3 > 0 || !/[0-9]/.test(character)) continue;
      const changed = `${text.slice(0, place)}${character === '7' ? '8' : '7'}${text.slice(place + 1)}`;
      const forged: unknown = { ...receipt, ...JSON.parse(changed) };
      if (!isOptionReceipt(forged)) continue;
      expect((await verifyOptionReceipt(forged, TEST_KEYS)).verified, changed).toBe(false);
    }
  });

  it('does not verify with another tick of the same chain, at whatever price that tick gives', async () => {
    const honest = sellTestOption(SALE_TERMS);
    for (const at of [2, 11, 13, 24]) {
      const other = sellTestOption(SALE_TERMS, { at });
      const { verified } = await verifyOptionReceipt({ ...honest, ticks: other.ticks }, TEST_KEYS);
      expect(verified).toBe(false);
    }
  });
});
