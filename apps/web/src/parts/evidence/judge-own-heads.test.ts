import { inclusionPath, leafHash, sha256, toHex, treeRoot, utf8Bytes } from '@sathorn/proof';
import { type Checkpoint, writeLoggedEntry } from '@sathorn/transparency';
import { describe, expect, it } from 'vitest';
import type { WalkedAccount } from './follow-own-chain.ts';
import { areHeadsLogged, type OwnHeadsCase } from './judge-own-heads.ts';
import { TestingLog } from './testing-log.ts';

const hashOf = (what: string): string => toHex(sha256(utf8Bytes(what)));
const walkedTo = (name: string, n: string, hash: string): WalkedAccount => ({
  name,
  asset: 'USDT',
  n,
  hash,
  total: '5',
  held: '0',
  seq: n,
  at: '1',
});

/** Heads of five customers in entry 300 of a log, of which two are this customer's. */
async function caseOf(): Promise<OwnHeadsCase> {
  const hashes = ['a', 'b', 'c', 'd', 'e'].map(hashOf);
  const leaves = hashes.map((hash) => leafHash(new Uint8Array(Buffer.from(hash, 'hex'))));
  const text = writeLoggedEntry({ tMs: 7, heads: { accounts: ['5', toHex(treeRoot(leaves))] } });
  const log = await (await (await new TestingLog().grow(300)).add(text)).grow(20);
  const headOf = (account: string, n: string, position: number) => ({
    account,
    asset: 'USDT',
    n,
    entry: '300',
    text,
    position: String(position),
    path: inclusionPath(leaves, position).map(toHex),
  });
  return {
    walked: [walkedTo('spot', '12', hashes[1] ?? ''), walkedTo('lockup', '3', hashes[4] ?? '')],
    logged: [headOf('spot', '12', 1), headOf('lockup', '3', 4)],
    checkpoint: log.checkpoint as Checkpoint,
    read: log.read,
  };
}

describe('the own heads in the public log', () => {
  it('are there when each leads to the checkpoint', async () => {
    expect(await areHeadsLogged(await caseOf())).toBe(true);
    expect(await areHeadsLogged({ ...(await caseOf()), walked: [] })).toBe(true);
  });

  type Change = (given: OwnHeadsCase) => Partial<OwnHeadsCase>;
  const first = (given: OwnHeadsCase, change: Partial<OwnHeadsCase['logged'][number]>): Partial<OwnHeadsCase> => ({
    logged: given.logged.map((head, n) => (n === 0 ? { ...head, ...change } : head)),
  });
  it.each<[string, Change]>([
    ['another hash at this number', ({ walked }) => ({ walked: walked.map((one) => ({ ...one, hash: hashOf('x') })) })],
    ['an older head', (given) => first(given, { n: '11' })],
    ['no head of an account', ({ logged }) => ({ logged: logged.slice(0, 1) })],
    ['the place of another customer', (given) => first(given, { position: '2' })],
    ['a path with a hash more', (given) => first(given, { path: [...(given.logged[0]?.path ?? []), hashOf('x')] })],
    ['a path that is no hash', (given) => first(given, { path: ['x'] })],
    [
      'a text that is not in the log',
      (given) => first(given, { text: (given.logged[0]?.text ?? '').replace('"7"', '"8"') }),
    ],
    ['a text that is no entry', (given) => first(given, { text: '{}' })],
    ['another entry', (given) => first(given, { entry: '299' })],
    ['an entry after the checkpoint', (given) => first(given, { entry: '320' })],
    ['an entry that is no number', (given) => first(given, { entry: '0300' })],
    ['tiles that are gone', () => ({ read: async () => undefined })],
  ])('are not there with %s', async (_, change) => {
    const given = await caseOf();
    expect(await areHeadsLogged({ ...given, ...change(given) })).toBe(false);
  });
});
