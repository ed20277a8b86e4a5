import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asOwner, type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { announceAccounts, openBankAccounts, readBankFile } from './bank-accounts.ts';

const KBANK = {
  bank: 'KBANK',
  bank_name: 'Kasikornbank',
  account_name: 'Brand Co., Ltd.',
  number: '123-4-56789-0',
  promptpay_biller: '099400000000001',
};
const SCB = { ...KBANK, bank: 'SCB', bank_name: 'SCB', number: '987-6-54321-0', promptpay_biller: '099400000000002' };

describe('the house’s accounts', () => {
  let test: TestDatabase;
  const folder = mkdtempSync(path.join(tmpdir(), 'sathorn-bank-'));
  const log: unknown[] = [];
  const audit = { append: async (_transaction: unknown, entry: unknown) => BigInt(log.push(entry)) };
  beforeAll(async () => {
    test = await testDatabase();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await test.close();
  });

  const file = (content: unknown): string => {
    const at = path.join(folder, 'bank.json');
    writeFileSync(at, typeof content === 'string' ? content : JSON.stringify(content));
    return at;
  };

  it.each<[string, unknown]>([
    ['no list', {}],
    ['an empty list', []],
    ['a number of letters', [{ ...KBANK, number: 'ABCDEFGH' }]],
    ['a short PromptPay id', [{ ...KBANK, promptpay_biller: '0994' }]],
    ['a missing name', [{ ...KBANK, account_name: '' }]],
    ['no JSON', '{'],
  ])('%s is refused', (_name, content) => {
    expect(() => readBankFile(file(content))).toThrow();
  });

  it('I4 count at once when they are the first; a change a day later, and the log says so', async () => {
    const now = new Date();
    const first = readBankFile(file([KBANK]));
    expect(await announceAccounts(test.database, audit, first, now)).not.toBeNull();
    expect(await announceAccounts(test.database, audit, first, now)).toBeNull();
    const accounts = await openBankAccounts(test.database);
    const before = accounts.forCustomer(7n);
    expect(before).toMatchObject({ bank: 'KBANK', number: KBANK.number, promptPayBiller: KBANK.promptpay_biller });

    const changed = readBankFile(file([SCB, KBANK]));
    const from = await announceAccounts(test.database, audit, changed, now);
    expect((from?.getTime() ?? 0) - now.getTime()).toBeGreaterThanOrEqual(24 * 3_600_000);
    await accounts.refresh();
    expect(accounts.forCustomer(7n)).toEqual(before);
    expect(log).toMatchObject([
      { what: 'bank_account.announced', after: { accounts: ['KBANK 89-0'] } },
      { what: 'bank_account.announced', after: { accounts: ['SCB 21-0', 'KBANK 89-0'] } },
    ]);
    const early = test.database.query({
      name: '',
      text: `INSERT INTO deposits.bank_accounts (content, effective_from) VALUES ('[]', now())`,
    });
    await expect(early).rejects.toThrow('a day later');

    await asOwner(
      test.owner,
      `SET session_replication_role = replica; UPDATE deposits.bank_accounts SET effective_from = now() WHERE n = (SELECT max(n) FROM deposits.bank_accounts)`,
    );
    await accounts.refresh();
    expect(new Set([0n, 1n, 2n].map((customer) => accounts.forCustomer(customer)?.bank))).toEqual(
      new Set(['SCB', 'KBANK']),
    );
    // An order shows the account that its customer was given.
    expect(accounts.ofOrder(before?.id ?? null)).toEqual(before);
  });
});
