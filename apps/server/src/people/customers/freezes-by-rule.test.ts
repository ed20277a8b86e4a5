import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, runAsOwner, type TestDatabase } from '../../platform/database/testing.ts';
import { endReversalFreezes, insertFreeze, lockFrozenCustomers } from './freeze-store.ts';

const CUSTOMER = 4_000_000_001n;
const DEPOSIT = '00000000-0000-4000-8000-00000000000d';

describe('freezes by rule, and decisions at the same moment', () => {
  let test: TestDatabase;
  let count = 0;
  beforeAll(async () => {
    test = await openTestDatabase();
    // A customer who owes 5 units for a reversed deposit.
    await runAsOwner(
      test.owner,
      `SET session_replication_role = replica;
       INSERT INTO deposits.deposit (id, order_number, customer_id, channel, kind, step, reason, amount, created_at, finished_at, chain, hash, output, token, sender, address)
         VALUES ('${DEPOSIT}', 'D', ${CUSTOMER}, 'testnet', 'crypto', 'reversed', 'reorganised', 5, now(), now(), 'testnet', '0x${'1'.repeat(64)}', 0, 'x', 'x', 'x');
       INSERT INTO deposits.reversal (deposit_id, round, credit, journal, amount, shortfall, block_height, at)
         VALUES ('${DEPOSIT}', 0, gen_random_uuid(), gen_random_uuid(), 5, 5, 1, now());
       ALTER TABLE customers.freeze DROP CONSTRAINT freeze_customer_fkey`,
    );
  });
  afterAll(() => test.close());

  const freeze = (
    queries: Parameters<typeof insertFreeze>[0],
    madeBy: bigint,
    reason: 'deposit_reversed' | 'legal_order',
  ) => {
    count += 1;
    return insertFreeze(queries, {
      id: `00000000-0000-4000-8000-0000000000${String(count).padStart(2, '0')}`,
      customer: CUSTOMER,
      scopes: ['withdrawals', 'trading'],
      reason,
      made_by: madeBy,
      made_by_name: madeBy === 0n ? 'platform' : 'ploy',
      until: new Date(Date.now() + 3_600_000),
    });
  };
  const frozen = async (): Promise<boolean> =>
    (await test.database.transaction((transaction) => lockFrozenCustomers(transaction, [CUSTOMER], 'withdrawals'))).has(
      CUSTOMER,
    );

  it('the platform freezes for a reversed deposit only, and ends its own freezes only when nothing is owed', async () => {
    await expect(freeze(test.database, 0n, 'legal_order')).rejects.toThrow('made_by_platform');
    await freeze(test.database, 0n, 'deposit_reversed');
    expect(await frozen()).toBe(true);
    await expect(endReversalFreezes(test.database, CUSTOMER)).rejects.toThrow('still owes');
    const pay = (units: number) =>
      test.database.query({
        name: '',
        text: `INSERT INTO deposits.repayment (id, customer_id, units, at) VALUES (gen_random_uuid(), ${CUSTOMER}, ${units}, now())`,
      });
    await expect(pay(6)).rejects.toThrow('does not owe');
    await pay(5);
    await expect(pay(1)).rejects.toThrow('does not owe');
    await freeze(test.database, 7n, 'legal_order');
    await endReversalFreezes(test.database, CUSTOMER);
    // A freeze by an operator stays, even when nothing is owed.
    expect(await frozen()).toBe(true);
    await runAsOwner(
      test.owner,
      `UPDATE customers.freeze SET lifted_at = now(), approval = gen_random_uuid() WHERE lifted_at IS NULL`,
    );
    expect(await frozen()).toBe(false);
  });

  it('a freeze waits for a decision that has read the status, and later decisions see the freeze', async () => {
    const order: string[] = [];
    const looked = Promise.withResolvers<void>();
    const deciding = test.database.transaction(async (transaction) => {
      expect((await lockFrozenCustomers(transaction, [CUSTOMER], 'withdrawals')).size).toBe(0);
      looked.resolve();
      await pause(300);
      order.push('decided');
    });
    await looked.promise;
    const freezing = freeze(test.database, 7n, 'legal_order').then(() => order.push('frozen'));
    await Promise.all([deciding, freezing]);
    expect(order).toEqual(['decided', 'frozen']);
    expect(await frozen()).toBe(true);
  });
});
