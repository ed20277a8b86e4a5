import { money } from '@sathorn/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRewardsTest, type RewardsTest } from '../testing-rewards.ts';

const [ALICE, BOB] = [101n, 102n];
const RESOLVED = `(SELECT min(id::text)::uuid FROM boxes.draw WHERE resolved_at IS NOT NULL)`;

/** Changes that the database's owner could make, and the invariant that detects each. */
const PLANTED: readonly [what: string, invariant: string, statement: string][] = [
  ['a signed day that paid more', 'RW1', 'UPDATE rewards.sign_in SET points = points - 1'],
  ['a reward that went to another', 'RW1', `UPDATE rewards.sign_in SET customer_id = 103 WHERE customer_id = ${ALICE}`],
  ['a ladder that was climbed faster', 'RW2', 'UPDATE rewards.sign_in SET rung = rung + 1'],
  ['a ladder of the past', 'RW2', 'UPDATE rewards.ladder SET points[1] = points[1] + 1'],
  ['a signed day that is gone', 'RW3', `DELETE FROM rewards.sign_in WHERE customer_id = ${ALICE}`],
  ['points granted for nothing', 'RW3', 'DELETE FROM rewards.grant_of_points'],
  [
    'locked rewards of somebody whom nobody has certified',
    'RW4',
    `INSERT INTO rewards.release (id, customer_id, asset, units) SELECT id, customer_id, 'POINTS', points FROM rewards.sign_in LIMIT 1`,
  ],
  ['a draw that is gone', 'BX1', 'DELETE FROM boxes.draw WHERE i = 1'],
  [
    'a number given to another customer',
    'BX2',
    `UPDATE boxes.draw SET customer_id = ${BOB} WHERE customer_id = ${ALICE}`,
  ],
  ['a place that was signed for another number', 'BX1', 'UPDATE boxes.draw SET i = i + 100'],
  ['a larger price', 'BX2', 'UPDATE boxes.box SET price = price + 1'],
  ['another seed', 'BX3', `UPDATE boxes.draw SET seed = repeat('a', 64) WHERE id = ${RESOLVED}`],
  ['another prize', 'BX3', `UPDATE boxes.draw SET prize = 1 - prize WHERE id = ${RESOLVED}`],
  [
    'another number',
    'BX6',
    `UPDATE boxes.draw SET number = CASE number WHEN 999 THEN 998 ELSE number + 1 END WHERE id = ${RESOLVED}`,
  ],
  ['another seed of the phone', 'BX6', `UPDATE boxes.draw SET client_seed = repeat('b', 64) WHERE id = ${RESOLVED}`],
  [
    'a result that never was',
    'BX3',
    `UPDATE boxes.draw SET resolved_at = NULL, resolved_journal = NULL, seed = NULL, number = NULL, prize = NULL WHERE id = ${RESOLVED}`,
  ],
  ['a budget that is not there', 'BX4', 'UPDATE boxes.box SET usdt_budget = usdt_budget + 1'],
  [
    'the same rare prize each time',
    'BX8',
    `WITH won AS (UPDATE boxes.draw SET prize = 0 WHERE prize IS NOT NULL) UPDATE boxes.box SET body = jsonb_set(body::jsonb, '{table,1,weight}', '"100000000000000"')::text`,
  ],
  ['a count that hides a draw', 'BX4', 'UPDATE boxes.standing SET drawn = drawn - 1'],
];
const TABLES = [
  'rewards.ladder',
  'rewards.sign_in',
  'rewards.grant_of_points',
  'rewards.release',
  'boxes.box',
  'boxes.standing',
  'boxes.draw',
];

describe('a change made directly in the database', () => {
  let room: RewardsTest;
  beforeAll(async () => {
    room = await openRewardsTest();
    const { boxes, rewards, clock, intent, owner } = room;
    for (const customer of [ALICE, BOB]) {
      await room.give(customer, 100n);
      expect(await rewards.signIn(customer, intent())).toMatchObject({ ok: true });
    }
    await rewards.grantPoints(
      { customer: ALICE, points: money('POINTS', 50n), reason: 'activity', ref: '1' },
      clock.now(),
    );
    const box = await room.publish();
    for (const [n, customer] of [ALICE, ALICE, BOB].entries()) {
      const decision = await boxes.draw({ customer, box }, intent(), 'en');
      if (!decision.ok) throw new Error(decision.refusal);
      if (n === 2) continue;
      await boxes.seed(customer, { id: decision.effect.id, seed: String(n).repeat(64) }, 'en', clock.now());
    }
    expect(await room.violations()).toEqual([]);
    await owner.query('SET session_replication_role = replica; CREATE SCHEMA kept');
    for (const table of TABLES) await owner.query(`CREATE TABLE kept.${table.replace('.', '_')} AS TABLE ${table}`);
    // Drops the constraints too, because an attacker with the owner's rights could.
    const { rows } = await owner.query<{ drop: string }>(
      `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', conrelid::regclass, conname) AS drop FROM pg_constraint
       WHERE contype IN ('c', 'f') AND connamespace IN ('rewards'::regnamespace, 'boxes'::regnamespace)`,
    );
    for (const { drop } of rows) await owner.query(drop);
  });
  afterAll(() => room.close());

  it.each(PLANTED)('is found by the checker: %s', async (_what, invariant, statement) => {
    const { rowCount } = await room.owner.query(statement);
    expect(rowCount).toBeGreaterThan(0);
    const found = (await room.violations()) as { invariant: string }[];
    expect(found.map((one) => one.invariant)).toContain(invariant);
    for (const table of TABLES)
      await room.owner.query(
        `DELETE FROM ${table}; INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept.${table.replace('.', '_')}`,
      );
  });
});
