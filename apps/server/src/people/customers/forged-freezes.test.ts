import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
