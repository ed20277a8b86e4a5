import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EarningTest, openEarningTest } from './testing.ts';

const [ALICE, BOB] = [101n, 102n];

/** Changes that the database's owner could make, and the invariant that detects each. */
const PLANTED: readonly [what: string, invariant: string, statement: string][] = [
  [
    'income that is paid to another',
    'N1',
    `UPDATE earning.income SET customer_id = ${BOB} WHERE product = 1 AND customer_id = ${ALICE}`,
  ],
  [
    'income of another amount',
    'N2',
    'UPDATE earning.income SET units = units + 1, total_after = total_after + 1 WHERE product = 1 AND day = (SELECT max(day) FROM earning.income WHERE product = 1)',
  ],
  ['a remainder that is kept', 'N2', 'UPDATE earning.income SET carry_after = carry_after - 1 WHERE product = 1'],
  ['a rate of the past', 'N2', 'UPDATE earning.version SET stage_rates[1] = stage_rates[1] - 1 WHERE product = 1'],
  [
    'income of a lock-up that is short',
    'N2',
    'UPDATE earning.income SET units = units - 1, carry_after = carry_after + 100000000 WHERE product = 7',
  ],
  ['a balance that earned less than it was', 'N3', 'UPDATE earning.liquidity_past SET earning = earning + 1'],
  ['a position without its money', 'N4', `UPDATE earning.liquidity SET fresh = fresh + 1 WHERE customer_id = ${ALICE}`],
  ['a lock-up that is gone', 'N4', `DELETE FROM earning.lockup WHERE customer_id = ${BOB} AND matured_at IS NULL`],
  ['a redemption of another amount', 'N5', `UPDATE earning.movement SET units = units - 1 WHERE kind = 'normal'`],
  [
    'a redemption that says that it was issued',
    'N5',
    `UPDATE earning.movement SET issued_at = now(), issued_journal = id WHERE kind = 'normal' AND issued_at IS NULL`,
  ],
  [
    'a lock-up at another rate',
    'N6',
    'UPDATE earning.lockup SET daily_rate = daily_rate - 1, yield = floor(principal::numeric * (daily_rate - 1) * days / 100000000)',
  ],
  [
    'a lock-up that ended early',
    'N6',
    'UPDATE earning.lockup SET matured_at = now(), matured_journal = id WHERE matured_at IS NULL',
  ],
  ['yield that is not set aside', 'N7', 'UPDATE earning.lockup_total SET taken = taken + 1'],
  ['a movement without its row', 'K8', `DELETE FROM earning.movement WHERE kind = 'quick'`],
];

const TABLES = ['version', 'lockup', 'lockup_total', 'liquidity', 'liquidity_past', 'movement', 'income'];

describe('changes that bypass the ledger', () => {
  let earning: EarningTest;
  let owner: pg.Client;
  beforeAll(async () => {
    earning = await openEarningTest();
    const { clock } = earning;
    const room = earning.open();
    for (const customer of [ALICE, BOB]) {
      await earning.fund(customer, '10000');
      await earning.subscribe(room, customer, '3000');
      await earning.subscribe(room, customer, '1000', 7);
    }
    for (let day = 0; day < 4; day++) {
      clock.turnDays(1, 30);
      await room.issueDue();
      await room.accrueDue();
      await earning.redeem(room, ALICE, '10', 'quick');
      await earning.redeem(room, BOB, '10', 'normal');
    }
    expect(await earning.violations()).toEqual([]);
    owner = new pg.Client(earning.test.owner);
    await owner.connect();
    await owner.query('SET session_replication_role = replica; CREATE SCHEMA kept');
    for (const table of TABLES) await owner.query(`CREATE TABLE kept.${table} AS TABLE earning.${table}`);
    // An attacker who can write every table can drop triggers and constraints too.
    const { rows } = await owner.query<{ drop: string }>(
      `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', conrelid::regclass, conname) AS drop FROM pg_constraint
       WHERE contype IN ('c', 'f') AND connamespace = 'earning'::regnamespace`,
    );
    for (const { drop } of rows) await owner.query(drop);
  });
  afterAll(async () => {
    await owner.end();
    await earning.close();
  });

  it.each(PLANTED)('are found: %s', async (_what, invariant, statement) => {
    const { rowCount } = await owner.query(statement);
    expect(rowCount).toBeGreaterThan(0);
    const found = (await earning.violations()) as { invariant: string }[];
    expect(found.map((one) => one.invariant)).toContain(invariant);
    for (const table of TABLES)
      await owner.query(
        `DELETE FROM earning.${table}; INSERT INTO earning.${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept.${table}`,
      );
  });
});
