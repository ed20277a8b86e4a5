import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, runAsOwner, type TestDatabase } from '../../platform/database/testing.ts';
import { ladderFieldsOf } from './offer-kind.ts';
import { ladderRewardsOf } from './sign-in-ladder.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

it('a ladder has exactly the rewards that two people approved, once', async () => {
  const approval = randomUUID();
  const [points, usdt] = [
    [5n, 5n, 10n, 10n, 15n, 20n, 50n],
    [0n, 0n, 0n, 0n, 0n, 0n, 500_000n],
  ];
  const fields = JSON.stringify(ladderFieldsOf(ladderRewardsOf(points, usdt)));
  await runAsOwner(
    test.owner,
    `SET session_replication_role = replica;
     INSERT INTO offer.version (kind, subject, version, effective_from, fields, approval) VALUES ('ladder', 'daily', 2, now(), '${fields}', '${approval}')`,
  );
  const insert = (
    version: number,
    row: readonly bigint[],
    sums: readonly bigint[],
    of: string | null = approval,
    change = 0,
  ) =>
    test.database.query(
      {
        name: '',
        text: `INSERT INTO rewards.ladder (version, effective_day, points, usdt, approval)
          SELECT $1, (effective_from AT TIME ZONE 'Asia/Bangkok')::date - date '1970-01-01' + $5, $2::bigint[], $3::bigint[], $4
          FROM offer.version WHERE kind = 'ladder'`,
      },
      [version, `{${row.join()}}`, `{${sums.join()}}`, of, change],
    );
  // A thousand USDT per day under a real approval; other points; and an approval of nothing.
  await expect(
    insert(
      2,
      points,
      points.map(() => 1_000_000_000n),
    ),
  ).rejects.toThrow('nobody approved this ladder');
  await expect(
    insert(
      2,
      points.map((n) => n + 1n),
      usdt,
    ),
  ).rejects.toThrow('nobody approved this ladder');
  for (const other of [randomUUID(), null])
    await expect(insert(2, points, usdt, other)).rejects.toThrow('nobody approved this ladder');
  // A start before the approved day; and one on a later day, which would replace the ladder that is in force then.
  for (const change of [-1, 99])
    await expect(insert(2, points, usdt, approval, change)).rejects.toThrow('nobody approved this ladder');
  await insert(2, points, usdt);
  await expect(insert(3, points, usdt)).rejects.toThrow('ladder_of_approval');
});
