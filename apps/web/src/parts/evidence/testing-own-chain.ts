import type { SignedStatement } from '@sathorn/api';
import {
  type AccountEntry,
  accountSeal,
  type ChainAccount,
  hashOfEntry,
  keyIdOf,
  NO_ENTRY_HASH,
  type ProofKey,
  signText,
  verifyStatement,
  writeStatementHead,
} from '@sathorn/proof';
import type { OwnChainDoor } from './follow-own-chain.ts';

const SEED = new Uint8Array(32).fill(5);
/** Of the seed. */
const PUBLIC_KEY = '6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd80505bf1';
const KEYS: readonly ProofKey[] = [{ use: 'receipt', id: keyIdOf(PUBLIC_KEY), public_key: PUBLIC_KEY }];
const ACCOUNT = { salt: 'a1', customer: '17' };
const START_MS = 1_767_225_600_000;

export type TestAccounts = readonly (ChainAccount & { readonly entries: readonly AccountEntry[] })[];

/** Credits of one unit each, ten seconds apart. */
export const creditsOf = (
  count: number,
  change: (entry: AccountEntry) => AccountEntry = (entry) => entry,
): AccountEntry[] =>
  Array.from({ length: count }, (_, index) =>
    change({
      n: String(index + 1),
      seq: String(2 * index + 1),
      journal: `019b2c1e-0000-7000-8000-${String(index).padStart(12, '0')}`,
      kind: 'single',
      resolves: null,
      amount: '1000000',
      held: '0',
      total: `${index + 1}000000`,
      purpose: 'deposit',
      at: String(START_MS + 10_000 * index),
    }),
  );

/** A server that holds these accounts and signs whatever it has. */
export function testServer(accounts: TestAccounts, atMs: number, seal = ACCOUNT) {
  const heads = accounts.map(({ name, asset, entries }) => ({
    name,
    asset,
    n: BigInt(entries.length),
    hash: entries.reduce((before, entry) => hashOfEntry({ name, asset }, entry, before), NO_ENTRY_HASH),
    total: BigInt(entries.at(-1)?.total ?? 0),
    held: BigInt(entries.at(-1)?.held ?? 0),
  }));
  const body = writeStatementHead({
    account: accountSeal(seal.salt, seal.customer),
    atMs,
    environment: 'demo',
    accounts: heads,
  });
  const statement: SignedStatement = { signed: signText(body, SEED), account: seal };
  let asked = 0;
  const door: OwnChainDoor = {
    async readEntries(account, from, limit) {
      asked += 1;
      const found = accounts.find(({ name, asset }) => name === account.name && asset === account.asset);
      const before = found?.entries.slice(0, Number(from) - 1) ?? [];
      return {
        prev: before.reduce((hash, entry) => hashOfEntry(account, entry, hash), NO_ENTRY_HASH),
        items: found?.entries.slice(Number(from) - 1, Number(from) - 1 + limit) ?? [],
      };
    },
    verify: (shown) => verifyStatement(shown, KEYS),
    pause: async () => undefined,
    nowMs: () => 1,
  };
  return { statement, door, asked: () => asked };
}
