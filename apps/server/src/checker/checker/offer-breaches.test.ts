import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { findViolations } from './index.ts';

let test: TestDatabase;
let owner: pg.Pool;
beforeEach(async () => {
  test = await openTestDatabase();
  owner = new pg.Pool({ ...test.owner, max: 1 });
});
afterEach(async () => {
  await owner.end();
  await test.close();
});

/** Changes by the database's owner, whom no trigger stops. */
it.each([
  [
    'fees that nobody approved',
    'OF1',
    `INSERT INTO offer.version (kind, subject, version, effective_from, fields, approval, applied_at)
     SELECT kind, subject, 2, now() - interval '1 hour', fields, gen_random_uuid(), now() FROM offer.version WHERE kind = 'fee'`,
  ],
  [
    'a second version without an approval',
    'OF1',
    `INSERT INTO offer.version (kind, subject, version, effective_from, fields)
     SELECT kind, subject, 2, now(), fields FROM offer.version WHERE kind = 'level'`,
  ],
  [
    'a rate that took effect but is not in force',
    'OF2',
    `INSERT INTO offer.version (kind, subject, version, effective_from, fields, approval, applied_at)
     VALUES ('lockup', '30', 1, now(), '{}', gen_random_uuid(), now())`,
  ],
])('finds %s', async (_what, id, text) => {
  expect(await findViolations(test.checker)).toEqual([]);
  await owner.query(text);
  const found = (await findViolations(test.checker)) as { invariant: string }[];
  expect(found.map(({ invariant }) => invariant)).toContain(id);
});
