import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, runAsOwner, type TestDatabase } from '../../platform/database/testing.ts';
import { openSealer } from '../../platform/sealing.ts';
import { announceBankAccounts, openBankAccounts, readBankFile } from './bank-accounts.ts';

const KBANK = {
  bank: 'KBANK',
  bank_name: 'Kasikornbank',
  account_name: 'Brand Co., Ltd.',
  number: '123-4-56789-0',
  promptpay_biller: '099400000000001',
};
const SCB = { ...KBANK, bank: 'SCB', bank_name: 'SCB', number: '987-6-54321-0', promptpay_biller: '099400000000002' };

const SEALER = openSealer(Buffer.alloc(32, 3), 'bank accounts');

describe('the house’s accounts', () => {
  const faults: string[] = [];
  const onFault = (error: unknown): void => void faults.push(String(error));
  let test: TestDatabase;
  const folder = mkdtempSync(path.join(tmpdir(), 'sathorn-bank-'));
  const log: unknown[] = [];
  const audit = { append: async (_transaction: unknown, entry: unknown) => BigInt(log.push(entry)) };
  beforeAll(async () => {
    test = await openTestDatabase();
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

  it('I4 count at once if they are the first; a change counts a day later, and is logged', async () => {
    const now = new Date();
    const first = readBankFile(file([KBANK]));
    expect(await announceBankAccounts(test.database, audit, SEALER, first, now)).not.toBeNull();
    expect(await announceBankAccounts(test.database, audit, SEALER, first, now)).toBeNull();
    const accounts = await openBankAccounts(test.database, SEALER, onFault);
    const before = accounts.forCustomer(7n);
    expect(before).toMatchObject({ bank: 'KBANK', number: KBANK.number, promptPayBiller: KBANK.promptpay_biller });

    const changed = readBankFile(file([SCB, KBANK]));
    const from = await announceBankAccounts(test.database, audit, SEALER, changed, now);
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

    await runAsOwner(
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

  it('are never chosen by whoever has the application’s login, not even a day later', async () => {
    const thief = { ...KBANK, number: '666-6-66666-6', promptpay_biller: '666666666666666' };
    const accounts = await openBankAccounts(test.database, SEALER, onFault);
    const shown = () => [0n, 1n].map((customer) => accounts.forCustomer(customer)?.number);
    const before = shown();
    expect(faults).toEqual([]);
    const plant = (content: unknown, days: number) =>
      test.database.query(
        {
          name: '',
          text: `INSERT INTO deposits.bank_accounts (content, effective_from) VALUES ($1, clock_timestamp() + $2 * interval '25 hours')`,
        },
        [JSON.stringify(content), days],
      );
    // The last one takes effect after everything that the platform will announce.
    await plant([thief], 1);
    await plant([], 1);
    await plant({ accounts: [thief], seal: '0'.repeat(64) }, 1);
    await plant([thief], 300);
    // Inserts the house's own earlier list, which has a valid seal, again.
    await test.database.query({
      name: '',
      text: `INSERT INTO deposits.bank_accounts (content, effective_from)
        SELECT content, clock_timestamp() + interval '301 days' FROM deposits.bank_accounts WHERE n = 1`,
    });
    await runAsOwner(
      test.owner,
      `SET session_replication_role = replica; UPDATE deposits.bank_accounts SET effective_from = now() - interval '1 hour' + n * interval '1 second' WHERE effective_from > now()`,
    );
    await accounts.refresh();
    expect(shown()).toEqual(before);
    expect(accounts.isOurs(thief.number)).toBe(false);
    expect(faults).toHaveLength(5);
    expect(faults[0]).toContain('were not announced by this platform');
    // The platform does not use a planted list as the newest one of its own either.
    expect(
      await announceBankAccounts(test.database, audit, SEALER, readBankFile(file([SCB, KBANK])), new Date()),
    ).toBeNull();
  });

  it('without seals count until sealed ones take effect, but later ones without seals never do', async () => {
    const old = await openTestDatabase();
    try {
      const plant = (account: object) =>
        old.database.query(
          {
            name: '',
            text: `INSERT INTO deposits.bank_accounts (content, effective_from) VALUES ($1, clock_timestamp() + interval '25 hours')`,
          },
          [JSON.stringify([account])],
        );
      await plant(KBANK);
      const accounts = await openBankAccounts(old.database, SEALER, onFault);
      expect(accounts.forCustomer(1n)?.number).toBe(KBANK.number);
      expect(await announceBankAccounts(old.database, audit, SEALER, [KBANK], new Date())).not.toBeNull();
      await plant(SCB);
      const later = async (hours: number): Promise<string | undefined> => {
        await runAsOwner(
          old.owner,
          `SET session_replication_role = replica; UPDATE deposits.bank_accounts SET effective_from = effective_from - ${hours} * interval '1 hour'`,
        );
        await accounts.refresh();
        return accounts.forCustomer(1n)?.number;
      };
      expect(await later(0)).toBe(KBANK.number);
      expect(await later(48)).toBe(KBANK.number);
      expect(accounts.isOurs(SCB.number)).toBe(false);
    } finally {
      await old.close();
    }
  });
});
