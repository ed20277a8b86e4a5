import { LEVEL_INFLOW_DAYS, lastingInflow } from '@sathorn/settlement';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';

const NOW = new Date('2036-11-30T12:00:00Z');
/** Each flow has its age in days and its units, which are negative for a withdrawal. */
type Flows = readonly (readonly [days: number, units: number])[];
const circles = (many: number, units: number): Flows =>
  Array.from({ length: many * 2 }, (_, n) => [60 - n, n % 2 ? -units : units] as const);

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

const at = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);
let customer = 900;
let number = 0;
const write = async (flows: Flows): Promise<number> => {
  customer += 1;
  for (const [days, units] of flows) {
    number += 1;
    const hash = `0x${number.toString(16).padStart(64, '0')}`;
    if (units > 0)
      await owner.query(
        `INSERT INTO deposits.deposit (id, order_number, customer_id, channel, kind, step, amount, created_at, finished_at, journal, chain, hash, output, token, sender, address, block_height, block_hash, in_block_at)
         VALUES (gen_random_uuid(), 'D', $1, 'testnet', 'crypto', 'credited', $2, $3, $3, gen_random_uuid(), 'testnet', $4, 0, 't', 's', 'a', 1, 'b', $3)`,
        [customer, units, at(days), hash],
      );
    else
      await owner.query(
        `INSERT INTO withdrawals.withdrawal (id, order_number, customer_id, channel, kind, step, amount, fee, hold, people, payee_id, payee_name, chain, address, created_at, promised_at)
         VALUES (gen_random_uuid(), 'W', $1, 'testnet', 'crypto', 'confirming', $2, 0, $3, 0, 'p', 'p', 'testnet', $5, $4, $4)`,
        [customer, -units, number, at(days), `0x${'9'.repeat(40)}`],
      );
  }
  return customer;
};

it.each<[what: string, flows: Flows, counted: number]>([
  ['one circle', circles(1, 10_000), 0],
  ['twenty circles of the same money', circles(20, 10_000), 0],
  ['twenty circles that end with the money here', [...circles(20, 10_000), [20, 10_000]], 10_000],
  [
    'circles within the days that count',
    [
      [3, 90_000],
      [2.5, -90_000],
      [2, 90_000],
      [1, -90_000],
    ],
    0,
  ],
  ['circles beside money that stays', [[90, 5_000], ...circles(20, 10_000)], 5_000],
  [
    'money that left for an hour in the last days',
    [
      [60, 10_000],
      [2, -10_000],
      [1.96, 10_000],
    ],
    0,
  ],
  ['money that arrived yesterday', [[1, 90_000]], 0],
  ['money that stayed', [[8, 90_000]], 90_000],
])('L10 %s counts only as far as it was held, in the engine and in the database', async (_what, flows, counted) => {
  const { rows } = await owner.query<{ units: string }>('SELECT deposits.held_inflow($1, $2, $3)::text AS units', [
    await write(flows),
    NOW,
    LEVEL_INFLOW_DAYS,
  ]);
  expect(rows).toEqual([{ units: String(counted) }]);
  const listed = flows.map(([days, units]) => ({ at: at(days), units: BigInt(units) }));
  expect(lastingInflow(listed, NOW).counted).toBe(BigInt(counted));
});

it.each<[what: string, importer: number | null, approver: number | null, counted: number]>([
  ['one person imported and matched, as was possible before', 4, null, 0],
  ['a second person approved', 4, 5, 30_000],
  ['another person imported', 5, null, 30_000],
  ['the bank reported', null, null, 30_000],
])('L10 bank money that %s counts if two people approved it', async (_what, importer, approver, counted) => {
  const owned = await write([]);
  await owner.query(
    `WITH line AS (
       INSERT INTO deposits.bank_line (id, bank_reference, at, amount, payer, reference, imported_by)
       VALUES (gen_random_uuid(), $1, $2, 100000, 'P', 'R', $3) RETURNING id
     ), deposit AS (
       INSERT INTO deposits.deposit (id, order_number, customer_id, channel, kind, step, amount, created_at, finished_at, journal, baht, rate, rate_until, reference, bank_line)
       SELECT gen_random_uuid(), 'D', $4, 'bank', 'bank', 'credited', 30000, $2, $2, gen_random_uuid(), 100000, 33000000, $2, $1, line.id FROM line RETURNING id, bank_line, journal
     )
     INSERT INTO deposits.bank_match (deposit, line, customer, baht, matched_by, approval, approved_by, journal, had_slip, is_from_before)
     SELECT id, bank_line, $4, 100000, 4, CASE WHEN $5::bigint IS NOT NULL THEN gen_random_uuid() END, $5, journal, false, true FROM deposit`,
    [`BANK-${owned}`, at(30), importer, owned, approver],
  );
  const { rows } = await owner.query<{ units: string }>('SELECT deposits.held_inflow($1, $2, $3)::text AS units', [
    owned,
    NOW,
    LEVEL_INFLOW_DAYS,
  ]);
  expect(rows).toEqual([{ units: String(counted) }]);
});
