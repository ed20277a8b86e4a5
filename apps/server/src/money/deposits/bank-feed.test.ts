import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { TestStatements } from '../testing-statement.ts';
import { fixedBankAccounts } from './bank-accounts.ts';
import { importBankFeed, readBankFeedKey } from './bank-feed.ts';
import { DEMO_BANK } from './bank-rails.ts';

const bank = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const raw = bank.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
let test: TestDatabase;
let folder = '';
beforeAll(async () => {
  test = await openTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'bank-feed-'));
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

const put = async (name: string, text: string, key = bank.privateKey, form: 'raw' | 'base64' = 'raw') => {
  await writeFile(path.join(folder, name), text);
  const signature = sign(null, Buffer.from(text), key);
  await writeFile(path.join(folder, `${name}.sig`), form === 'raw' ? signature : signature.toString('base64'));
};
const known = new Set<string>();
const read = () => {
  const key = readBankFeedKey(raw);
  if (!key) throw new Error('no key');
  return importBankFeed(
    {
      database: test.database,
      audit: { append: async () => 0n },
      banks: fixedBankAccounts(DEMO_BANK),
      clock: { now: () => new Date() },
      feed: { from: folder, key },
      timeZone: 'Asia/Bangkok',
    },
    known,
  );
};
const sources = async () =>
  (
    await test.database.query<{ source: string; is_kept: boolean }>({
      name: '',
      text: 'SELECT source, file IS NOT NULL AND signature IS NOT NULL AS is_kept FROM deposits.bank_statement ORDER BY imported_at',
    })
  ).map(({ source, is_kept }) => `${source} ${is_kept}`);

it('D18 imports what the bank signed, in the order of names, and each file once', async () => {
  const statements = new TestStatements();
  const one = statements.text([['FEED-1', '5.00', 'R']]);
  statements.kept();
  const two = statements.text([['FEED-2', '-5.00', 'R']]);
  statements.kept();
  await put('2.csv', two, bank.privateKey, 'base64');
  await put('1.csv', one);
  // This file is still being written.
  await writeFile(path.join(folder, '3.csv'), 'account,');
  expect(await read()).toBe(2);
  expect(await read()).toBe(0);
  expect(await sources()).toEqual(['feed true', 'feed true']);

  const forged = statements.text([['FEED-3', '900000.00', 'R']]);
  await put('3.csv', forged, stranger.privateKey);
  await expect(read()).rejects.toThrow("does not have the bank's signature");
  await put('3.csv', forged.replace('900000.00', '900001.00'));
  await expect(read()).rejects.toThrow('statement_sum_differs');
  await put('3.csv', forged);
  await writeFile(path.join(folder, '3.csv'), `${forged}\n`);
  await expect(read()).rejects.toThrow("does not have the bank's signature");
  expect(await sources()).toHaveLength(2);
});

it('accepts only a key of 32 bytes', () => {
  expect(readBankFeedKey('abcd')).toBeNull();
  expect(readBankFeedKey(raw)).not.toBeNull();
});
