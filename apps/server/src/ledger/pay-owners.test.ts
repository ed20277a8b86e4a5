import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../checker/checker/index.ts';
import { openTestDatabase, runAsOwner, type TestDatabase } from '../platform/database/testing.ts';

const PAY =
  'SELECT ledger.pay_owners($1::uuid, $2, $3, $4, $5::smallint, $6::smallint, $7::smallint, $8::bigint[], $9::numeric[])';

describe('paying many owners from an account of the house', () => {
  let test: TestDatabase;
  let app: pg.Client;
  const pay = (
    owners: (string | null)[],
    units: (string | null)[],
    { debit = 261, credit = 1000, code = 76, asset = 'USDT' } = {},
  ) => app.query(PAY, [randomUUID(), 'test.pay', 'd', asset, debit, credit, code, owners, units]);
  const balances = async (): Promise<string[]> => {
    const { rows } = await app.query<{ line: string }>(
      `SELECT format('%s/%s %s %s', owner, code, credits_posted - debits_posted, entries) AS line FROM ledger.account
       WHERE code IN (261, 1000) ORDER BY owner`,
    );
    return rows.map(({ line }) => line);
  };

  beforeAll(async () => {
    test = await openTestDatabase();
    app = new pg.Client(test.app);
    await app.connect();
    await app.query(
      `SELECT ledger.open_accounts('{0,0,5,6,7,5}', '{260,261,1000,1000,1000,1000}', '{USDT,USDT,USDT,USDT,USDT,THB}')`,
    );
    await runAsOwner(test.owner, `UPDATE ledger.account SET closed = true WHERE owner = 7`);
    // Pays capital into the yield account, and reserves a part of it.
    await runAsOwner(
      test.owner,
      `INSERT INTO ledger.purpose (code, kinds, debits, credits, is_own, posted_by, is_of_demo) VALUES (999, '{s}', '{100}', '{261}', true, 'app', false)`,
    );
    await app.query(`SELECT ledger.open_accounts('{0}', '{100}', '{USDT}')`);
    await app.query(
      `SELECT ledger.post_singles(gen_random_uuid(), 'test.fill', 'd', 'USDT', '{0}', '{100}', '{0}', '{261}', '{100}', '{999}')`,
    );
  });
  afterAll(async () => {
    await app.end();
    await test.close();
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['an owner who is named twice', () => pay(['5', '5'], ['1', '1']), 'LD003'],
    ['an owner without an account', () => pay(['5', '8'], ['1', '1']), 'LD003'],
    ['a closed account', () => pay(['5', '7'], ['1', '1']), 'LD003'],
    ['an account of another asset', () => pay(['5', '6'], ['1', '1'], { asset: 'THB' }), 'LD003'],
    ['more than the house has', () => pay(['5', '6'], ['60', '41']), 'LD003'],
    ['an amount of zero', () => pay(['5', '6'], ['1', '0']), 'LD003'],
    ['a negative amount', () => pay(['5', '6'], ['90', '-1']), 'LD003'],
    ['a fraction', () => pay(['5', '6'], ['1', '0.5']), 'LD003'],
    ['no amount', () => pay(['5', '6'], ['1', null]), 'LD003'],
    ['no owner', () => pay(['5', null], ['1', '1']), 'LD003'],
    ['more owners than amounts', () => pay(['5', '6'], ['1']), 'LD003'],
    ['nobody', () => pay([], []), 'LD005'],
    ['the house itself', () => pay(['0'], ['1']), 'LD009'],
    ['another purpose', () => pay(['5'], ['1'], { code: 20 }), 'LD009'],
    ['another account of the house', () => pay(['5'], ['1'], { debit: 210 }), 'LD009'],
    ['another account of the customer', () => pay(['5'], ['1'], { credit: 1040 }), 'LD009'],
  ])('refuses %s, and moves nothing', async (_, act, code) => {
    const before = await balances();
    await expect(act()).rejects.toMatchObject({ code });
    expect(await balances()).toEqual(before);
  });

  it('moves each amount once, with the history that single transfers would have', async () => {
    await pay(['6', '5'], ['30', '20']);
    await pay(['5'], ['50']);
    expect(await balances()).toEqual(['0/261 0 4', '5/1000 0 0', '5/1000 70 2', '6/1000 30 1', '7/1000 0 0'].sort());
    const { rows } = await app.query(
      'SELECT units, debit_entry, debit_total, credit_entry, credit_total FROM ledger.transfer WHERE code = 76 ORDER BY sequence',
    );
    expect(rows.map((row) => Object.values(row).map(Number))).toEqual([
      [30, 2, 70, 1, 30],
      [20, 3, 50, 1, 20],
      [50, 4, 0, 2, 70],
    ]);
    // Other invariants do report the shortcuts of this test: capital that nobody decided, and income without a day.
    const found = await findViolations(test.checker);
    expect(found.filter(({ invariant: id }) => /^(I|K1)/.test(id))).toEqual([]);
  });
});
