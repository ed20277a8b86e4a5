import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { KeptFile } from './kept-file.ts';
import { type OptionReceipt, verifyOptionReceipt } from './option-receipt.ts';
import { accountSeal, type SignedOptionTerms } from './option-terms.ts';
import type { SignedText } from './signature.ts';
import {
  ACCEPTED_MS,
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
import { TEST_PUBLISHED, TEST_PURCHASE, testKeptFile } from './testing-vectors-kept.ts';
import { readTick } from './tick.ts';

/* A stranger has a customer's file and a receipt, and no connection. Each receipt is signed with the platform's own
   keys and is verified by itself; both commands run as processes, as the stranger would run them. */

const TOOLS = path.join(import.meta.dirname, '../../../tools');
const folder = mkdtempSync(path.join(tmpdir(), 'forged-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const hasPython = spawnSync('python3', ['--version']).status === 0;

function write(name: string, value: unknown): string {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

function run(command: string, script: string, parameters: readonly string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(command, [path.join(TOOLS, script), ...parameters], {
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}
const verify = (...parameters: string[]) => run(process.execPath, 'verify/main.ts', parameters);
const secondVerifier = (...parameters: string[]) => run('python3', 'second-verifier/verify.py', parameters);

const OFFSETS = numbersBetween(-5, 40);
const STEP = 10_000n;
const rising = (offset: number): bigint => 64_000_000_000n + BigInt(offset) * STEP;
const HONEST = tickChainOf(OFFSETS, rising);
const KEYS = write('keys.json', { keys: TEST_PUBLISHED });
const permilleOff = (price: bigint, permille: bigint): bigint => {
  const less = (price * (1_000n - permille)) / 1_000n;
  return less - (less % STEP);
};

const filesOf = (chain: readonly SignedText[]): KeptFile =>
  testKeptFile({
    ticks: [
      {
        coin: 'BTC',
        since: null,
        seen: chain.map(({ body, hash }) => [String(readTick(body)?.sequence), hash] as const),
        texts: [],
      },
    ],
  });
const KEPT = write('kept.json', filesOf(HONEST));

interface Forgery {
  readonly name: string;
  readonly receipt: OptionReceipt;
  /** What the command says with the device's file. */
  readonly says: string;
  readonly kept?: string;
}

const resigned = (name: string, change: Partial<SignedOptionTerms>, says: string): Forgery => ({
  name,
  receipt: settleTestOption({ ...TEST_TERMS, ...change }, HONEST, rising, OFFSETS),
  says,
});
const bentBy = (name: string, priceAt: (offset: number) => bigint): Forgery => ({
  name,
  receipt: settleTestOption(TEST_TERMS, tickChainOf(OFFSETS, priceAt), priceAt, OFFSETS),
  says: 'is another than the one that was streamed',
});
const fromEnd = (permille: bigint) => (offset: number) =>
  offset >= 30 ? permilleOff(rising(offset), permille) : rising(offset);

const level = (offset: number): bigint => (offset < 30 ? rising(0) : rising(0) + STEP);
const withoutTwo = (reason: 'silent' | 'stuck'): Forgery => ({
  name: `two sources called ${reason}`,
  receipt: settleTestOption(
    TEST_TERMS,
    tickChainOf(OFFSETS, level, { leftOut: { at: 30, reason } }),
    (offset) => (offset <= 30 ? rising(0) : level(offset)),
    OFFSETS,
  ),
  says: 'is another than the one that was streamed',
  kept: write('kept-level.json', filesOf(tickChainOf(OFFSETS, level))),
});
const gap = [...numbersBetween(-5, 25), ...numbersBetween(31, 40)];

const FORGERIES: readonly Forgery[] = [
  resigned('another direction', { direction: 'down' }, 'they differ in direction.'),
  resigned('a smaller stake', { stake: 1_000_000n }, 'they differ in stake.'),
  resigned('a lower payout', { payoutBasisPoints: 1_000n }, 'they differ in payout.'),
  resigned('a higher fee', { feeBasisPoints: 5_000n }, 'they differ in fee.'),
  resigned('other rules', { rules: 'cd'.repeat(32) }, 'they differ in rules.'),
  {
    name: 'another customer',
    receipt: {
      ...settleTestOption({ ...TEST_TERMS, account: accountSeal(TEST_ACCOUNT.salt, '18') }, HONEST, rising, OFFSETS),
      account: { ...TEST_ACCOUNT, customer: '18' },
    },
    says: 'they differ in account.',
  },
  resigned(
    'another nonce',
    { arrival: { atMs: TEST_TERMS.arrival?.atMs ?? 0, nonce: 'A'.repeat(22) } },
    'they differ in nonce.',
  ),
  resigned('an acceptance that was chosen later', { acceptedMs: ACCEPTED_MS + 1_400 }, 'they differ in acceptance.'),
  bentBy('the end bent by 0.1%', fromEnd(1n)),
  bentBy('the end bent by 1.9%', fromEnd(19n)),
  bentBy('the end bent by 15%', fromEnd(150n)),
  bentBy('the start bent', (offset) => (offset >= 1 && offset < 5 ? rising(offset) + 500n * STEP : rising(offset))),
  withoutTwo('silent'),
  withoutTwo('stuck'),
  {
    name: 'a gap that never was',
    receipt: settleTestOption(TEST_TERMS, tickChainOf(gap, rising), rising, gap),
    says: 'is another than the one that was streamed',
  },
];

describe('a forged receipt beside what the device kept', { timeout: 60_000 }, () => {
  it.each(FORGERIES)('$name: is refused, and what differs is named', async ({ receipt, says, kept = KEPT }) => {
    // The keys' holder has made it so that the receipt alone holds.
    expect((await verifyOptionReceipt(receipt, TEST_KEYS)).verified).toBe(true);
    const found = verify(write('receipt.json', receipt), '--kept', kept);
    expect(found.said).toContain(says);
    expect([found.status, found.said.includes('NOT VERIFIED.')]).toEqual([1, true]);
  });

  it.skipIf(!hasPython)('is refused by the second verifier too, which names the same', () => {
    const cases = FORGERIES.map(({ receipt, kept = KEPT }) => ({
      kept: JSON.parse(readFileSync(kept, 'utf8')),
      receipt,
    }));
    const verdicts = JSON.parse(secondVerifier('--verdicts', write('cases.json', cases)).said);
    for (const [n, { name, says }] of FORGERIES.entries()) {
      const { ok, found, contradictions } = verdicts[n];
      const named = contradictions.map(({ differs }: { differs: string[] }) => `they differ in ${differs.join(', ')}.`);
      expect([ok, found.length > 0], name).toEqual([false, true]);
      if (says.startsWith('they differ')) expect(named, name).toEqual([says]);
      else expect(found[0], name).toContain('tick_differs');
    }
  });

  it('is told from an honest one', () => {
    const file = write('honest.json', settleTestOption(TEST_TERMS, HONEST, rising, OFFSETS));
    expect(verify(file, '--kept', KEPT).said).toMatch(/\nVerified\.\n$/);
    expect(verify('--kept', KEPT).status).toBe(0);
    expect(verify(KEPT).status).toBe(0);
    if (hasPython) expect(secondVerifier('--kept', KEPT, '--keys', KEYS, file)).toMatchObject({ status: 0 });
  });

  it('under exchanged keys is refused with the file’s keys, and the exchange is named with the new ones', () => {
    const [index, receiptSeed] = [TEST_KEY_SEEDS.other, new Uint8Array(32).fill(4)];
    const exchanged = [proofKeyOf('index', index), proofKeyOf('receipt', receiptSeed)].map((key) => ({
      ...key,
      record: null,
    }));
    const forged = {
      ...settleTestOption(TEST_TERMS, tickChainOf(OFFSETS, rising, { seed: index }), rising, OFFSETS),
      terms: signedTerms(TEST_TERMS, receiptSeed),
    };
    const [file, keys] = [write('exchanged.json', forged), write('exchanged-keys.json', { keys: exchanged })];
    expect(verify(file, '--keys', keys).status).toBe(0);
    expect(verify(file, '--kept', KEPT)).toMatchObject({ status: 1, said: expect.stringContaining('key_unknown') });
    const named = verify(file, '--kept', KEPT, '--keys', keys);
    expect([named.status, named.said.split('KEY: the device trusts').length]).toEqual([1, 3]);
    if (hasPython) expect(secondVerifier('--kept', KEPT, '--keys', keys, file).status).toBe(1);
  });

  it('with the transfers of another order is refused by everybody, the file or not', () => {
    const settled = settleTestOption(TEST_TERMS, HONEST, rising, OFFSETS);
    const moved: Record<string, string> = { '41': '51', '42': '52' };
    const transfers = settled.transfers.map((transfer) => ({
      ...transfer,
      seq: moved[transfer.seq] ?? transfer.seq,
      resolves: transfer.resolves && (moved[transfer.resolves] ?? transfer.resolves),
    }));
    const file = write('moved.json', { ...settled, transfers });
    expect(verify(file, '--keys', KEYS)).toMatchObject({ status: 1, said: expect.stringContaining('hold_differs') });
    if (hasPython)
      expect(secondVerifier(file, KEYS)).toMatchObject({
        status: 1,
        said: expect.stringContaining('transfers of another order'),
      });
    // Terms that name the other hold contradict the kept ones.
    const named = write('moved.json', { ...settled, terms: signedTerms({ ...TEST_TERMS, hold: 51n }), transfers });
    expect(verify(named, '--keys', KEYS).status).toBe(0);
    expect(verify(named, '--kept', KEPT)).toMatchObject({
      status: 1,
      said: expect.stringContaining('they differ in hold.'),
    });
  });
});

it('the verdict is a file that anybody verifies by itself', { timeout: 60_000 }, () => {
  const receipt = settleTestOption(
    { ...TEST_TERMS, direction: 'down', payoutBasisPoints: 1_000n },
    HONEST,
    rising,
    OFFSETS,
  );
  const [file, out] = [write('receipt.json', receipt), path.join(folder, 'contradiction.json')];
  const sentence =
    `Two signed versions of order ${TEST_TERMS.order}: they differ in direction, payout. ` +
    `One of the two was forged by the holder of key ${proofKeyOf('receipt', TEST_KEY_SEEDS.receipt).id}.`;
  const found = verify(file, '--kept', KEPT, '--out', out);
  expect(found).toMatchObject({ status: 1, said: expect.stringContaining(sentence) });
  expect(found.said).toContain("The keys are the file's own");
  expect(verify(out)).toMatchObject({ status: 0, said: expect.stringContaining(sentence) });
  expect(verify(out, '--keys', KEYS)).toMatchObject({ status: 0, said: expect.stringContaining('among those given') });
  const others = write('others.json', { keys: [{ ...proofKeyOf('receipt', TEST_KEY_SEEDS.other), record: null }] });
  expect(verify(out, '--keys', others).status).toBe(1);
  if (hasPython) expect(secondVerifier(out)).toMatchObject({ status: 0, said: expect.stringContaining(sentence) });

  const text = readFileSync(out, 'utf8');
  writeFileSync(out, text.replace('"payout"', '"stake"'));
  expect(verify(out)).toMatchObject({ status: 1, said: 'NOT VERIFIED: differences_wrong\n' });
  // A file that holds both versions reaches the verdict without anything beside it.
  const both = write('both.json', testKeptFile({ purchases: [TEST_PURCHASE], contradictions: [JSON.parse(text)] }));
  expect(verify('--kept', both)).toMatchObject({ status: 1, said: expect.stringContaining(sentence) });
  expect(verify(write('other.json', { v: 'evidence/1' }), '--kept', out).said).toContain('kept/1');
});
