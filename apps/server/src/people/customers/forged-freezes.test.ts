import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';

let test: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  test = await openTestDatabase();
  owner = new pg.Client(test.owner);
  await owner.connect();
  await owner.query('SET session_replication_role = replica');
});
afterAll(async () => {
  await owner.end();
  await test.close();
});

const DAY_MS = 86_400_000;
const now = Date.now();
const inDays = (days: number): string => new Date(now + days * DAY_MS).toISOString();
const freeze = randomUUID();

async function approved(kind: 'freeze_extend' | 'freeze_lift', untilNow: number, until?: number): Promise<string> {
  const id = randomUUID();
  const content = { until_now: inDays(untilNow), ...(until !== undefined && { until: inDays(until) }) };
  await owner.query(
    `INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, made_by, status, decided_at)
     VALUES ($1, $2, $3, $4, decode(repeat('00', 32), 'hex'), 1, '{compliance}', 1, 'approved', now())`,
    [id, kind, freeze, JSON.stringify(content)],
  );
  return id;
}
const change = (approval: string) =>
  test.database.query({ name: '', text: 'SELECT customers.change_freeze($1, $2)' }, [freeze, approval]);

it('an extension of a freeze takes effect once: the application’s login can’t end the freeze with an older one', async () => {
  await owner.query(
    `INSERT INTO customers.freeze (id, customer, scopes, reason, made_by, made_by_name, starts_at, until)
     VALUES ($1, 7, '{withdrawals}', 'takeover_suspected', 1, 'ploy', $2, $3)`,
    [freeze, inDays(-10), inDays(5)],
  );
  // Two people extended the freeze first to yesterday, and later to its current end.
  const oldest = await approved('freeze_extend', -3, -1);
  const [first, second] = [await approved('freeze_extend', 5, 10), await approved('freeze_extend', 10, 20)];
  await expect(change(second)).rejects.toThrow('the freeze is over');
  await change(first);
  await change(second);
  for (const approval of [oldest, first, second]) await expect(change(approval)).rejects.toThrow('the freeze is over');
  const early = await approved('freeze_lift', 10);
  await expect(change(early)).rejects.toThrow('the freeze is over');
  const { rows } = await owner.query<{ until: Date }>('SELECT until, lifted_at FROM customers.freeze');
  expect(rows).toEqual([{ until: new Date(inDays(20)), lifted_at: null }]);
  await change(await approved('freeze_lift', 20));
});

describe('a customer’s own freeze', () => {
  const CUSTOMER = 1_000_000_077;
  const app = (text: string, values: readonly unknown[] = []) => test.database.query({ name: '', text }, values);
  const reason = async () =>
    (await owner.query('SELECT frozen_reason FROM customers.customer WHERE id = $1', [CUSTOMER])).rows;
  beforeAll(async () => {
    await owner.query(
      `INSERT INTO customers.customer (id, username, username_key, email, email_since, nickname, currency, language, invite_code, created_at)
       VALUES ($1, 'mali', 'mali', 'mali@demo.example', now(), 'mali', 'THB', 'th', 'MALI0077', now())`,
      [CUSTOMER],
    );
    await app('INSERT INTO customers.own_freeze (customer, frozen_at, until) VALUES ($1, $2, $3)', [
      ...[CUSTOMER, inDays(0), inDays(1)],
    ]);
    await app(`UPDATE customers.customer SET frozen_reason = 'own_request' WHERE id = $1`, [CUSTOMER]);
  });

  it.each([
    ['moved to another customer', 'UPDATE customers.own_freeze SET customer = customer + 1 WHERE customer = $1'],
    ['deleted', 'DELETE FROM customers.own_freeze WHERE customer = $1'],
    ['without its reason', 'UPDATE customers.customer SET frozen_reason = NULL WHERE id = $1'],
    ['with another reason', `UPDATE customers.customer SET frozen_reason = 'x' WHERE id = $1`],
  ])('is not %s by the application’s login', async (_what, text) => {
    await expect(app(text, [CUSTOMER])).rejects.toThrow(/stays frozen|permission denied/);
    expect(await reason()).toEqual([{ frozen_reason: 'own_request' }]);
  });

  it('neither ends earlier nor begins earlier, whatever the application’s login writes', async () => {
    const times = async () =>
      (await owner.query('SELECT frozen_at, until FROM customers.own_freeze WHERE customer = $1', [CUSTOMER])).rows[0];
    const before = await times();
    await app(
      `UPDATE customers.own_freeze SET until = clock_timestamp(), frozen_at = '2020-01-01' WHERE customer = $1`,
      [CUSTOMER],
    );
    const after = await times();
    expect(after.frozen_at).toEqual(before.frozen_at);
    expect(after.until.getTime()).toBeGreaterThanOrEqual(before.until.getTime());
  });

  it('may last longer, and ends when its time is over', async () => {
    await app('UPDATE customers.own_freeze SET until = $2 WHERE customer = $1', [CUSTOMER, inDays(2)]);
    await owner.query('UPDATE customers.own_freeze SET frozen_at = $2, until = $3 WHERE customer = $1', [
      ...[CUSTOMER, inDays(-2), inDays(-1)],
    ]);
    await app('UPDATE customers.customer SET frozen_reason = NULL WHERE id = $1', [CUSTOMER]);
    expect(await reason()).toEqual([{ frozen_reason: null }]);
  });
});
