import type { Liabilities, LiabilityLeaf, LiabilityProof } from '@sathorn/proof';
import { hashOfBody, writeLiabilities } from '@sathorn/proof';
import { expect, it } from 'vitest';
import type { WalkedAccount } from './follow-own-chain.ts';
import { judgeLiability, type LiabilityDoor } from './judge-liability.ts';

const TREE: Liabilities = {
  sequence: 3n,
  previous: 'b'.repeat(64),
  atMs: 1_767_225_600_000,
  ledger: 100n,
  environment: 'demo',
  size: 9,
  root: 'a'.repeat(64),
  sums: [
    ['USDT', 90n],
    ['options', 0n],
  ],
};
const textOf = (tree: Liabilities): LiabilityProof['signed'] => {
  const body = writeLiabilities(tree);
  return { body, hash: hashOfBody(body), signature: '', key: '' };
};
const PROOF: LiabilityProof = { signed: textOf(TREE), leaf: '', index: '0', path: [] };
const spot = (n: string, total: string, seq: string): WalkedAccount => ({
  name: 'spot',
  asset: 'USDT',
  n,
  total,
  seq,
  hash: '',
  held: '0',
  at: '0',
});
/** The entries of the customer's account: number, sequence, total. */
const ENTRIES = [
  ['1', '90', '10'],
  ['2', '95', '30'],
  ['3', '105', '25'],
] as const;

const door = (leaf: Partial<LiabilityLeaf> = {}): LiabilityDoor => ({
  verify: async () => ({
    ok: true,
    tree: TREE,
    leaf: {
      salt: '',
      customer: '17',
      accounts: [{ name: 'spot', asset: 'USDT', n: 2n, total: 30n }],
      options: 0n,
      ...leaf,
    },
  }),
  readEntries: async (_, from) => ({
    prev: '',
    items: ENTRIES.filter(([n]) => BigInt(n) >= from).map(([n, seq, total]) => ({ n, seq, total }) as never),
  }),
  nowMs: () => 5,
});
const HOLDS = { holds: { atMs: TREE.atMs, customers: 9 }, finding: null };

it('holds where the leaf has the balances of the own chain, also where money moved since', async () => {
  expect(await judgeLiability(PROOF, [spot('2', '30', '95')], null, door())).toEqual(HOLDS);
  expect(await judgeLiability(PROOF, [spot('3', '25', '105')], null, door())).toEqual(HOLDS);
});

it.each([
  ['a smaller balance', { accounts: [{ name: 'spot', asset: 'USDT', n: 2n, total: 3n }] }],
  ['an older balance', { accounts: [{ name: 'spot', asset: 'USDT', n: 1n, total: 10n }] }],
])('finds %s, before and after money moved', async (_, leaf) => {
  for (const walked of [spot('2', '30', '95'), spot('3', '25', '105')])
    expect((await judgeLiability(PROOF, [walked], null, door(leaf))).finding).toMatchObject({
      kind: 'liability',
      fault: 'smaller',
      about: 'USDT spot',
    });
});

it('finds an account that is left out, and says nothing where it can’t know', async () => {
  const none = door({ accounts: [] });
  expect((await judgeLiability(PROOF, [spot('2', '30', '95')], null, none)).finding).toMatchObject({
    fault: 'smaller',
  });
  expect(await judgeLiability(PROOF, [spot('2', '0', '95')], null, none)).toEqual(HOLDS);
  expect(await judgeLiability(PROOF, [spot('3', '25', '105')], null, none)).toEqual({ holds: null, finding: null });
  // The device has not walked so far yet.
  expect(await judgeLiability(PROOF, [spot('1', '10', '90')], null, door())).toEqual({ holds: null, finding: null });
});

it('finds another text under the number that this device has kept, and one that does not follow', async () => {
  const kept = (change: Partial<Liabilities>) => textOf({ ...TREE, ...change });
  const judge = (before: LiabilityProof['signed']) => judgeLiability(PROOF, [spot('2', '30', '95')], before, door());
  expect((await judge(kept({ size: 8 }))).finding).toMatchObject({ fault: 'rewritten' });
  expect((await judge(kept({ sequence: 2n }))).finding).toMatchObject({ fault: 'rewritten' });
  expect((await judge(kept({ sequence: 4n }))).finding).toMatchObject({ fault: 'rewritten' });
  expect(await judge(textOf(TREE))).toEqual(HOLDS);
  expect(await judge(kept({ sequence: 1n, previous: '0'.repeat(64) }))).toEqual(HOLDS);
});
