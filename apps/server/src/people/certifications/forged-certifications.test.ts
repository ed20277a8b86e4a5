import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { openTestPlatform, type TestPlatform } from '../../whole/testing-platform.ts';

describe('a customer is not certified by whoever has the application’s login', () => {
  const CUSTOMER = 4_242_424_242n;
  let platform: TestPlatform;
  const app = <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    platform.test.database.query<Row>({ name: '', text }, values);
  const idOf = async (name: string): Promise<bigint> =>
    (await app<{ id: bigint }>('SELECT id FROM operators.operator WHERE work_name = $1', [name]))[0]?.id ?? 0n;
  const apply = async (): Promise<string> => {
    const id = randomBytes(16).toString('base64url');
    await app(
      `INSERT INTO certifications.application (id, customer, level, document_type, sealed, digest, submitted_at)
       VALUES ($1, $2, 'primary', 'id_card', $3, $4, now())`,
      [id, CUSTOMER, randomBytes(40), randomBytes(32)],
    );
    return id;
  };
  /** Decides in this operator's name, with an entry of the log about `logged` if one is given. */
  const decide = (id: string, by: bigint, logged: { readonly by: bigint; readonly what: string } | null) =>
    platform.test.database.transaction(async (transaction) => {
      await transaction.query(
        {
          name: '',
          text: `UPDATE certifications.application SET state = 'verified', version = 1, decided_at = now(), decided_by = $2 WHERE id = $1`,
        },
        [id, by],
      );
      if (logged)
        await transaction.query(
          {
            name: '',
            text: `SELECT operators.append_entry($1, NULL, $2, 'certification', $3, $4, NULL, '{"level":"primary"}', NULL, NULL)`,
          },
          [logged.by, logged.what, id, CUSTOMER],
        );
    });
  const found = async () =>
    (await findViolations(platform.test.checker, 'platform')).filter(({ invariant }) => invariant === 'CE1');

  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index', CHAIN: 'off' });
  });
  afterAll(() => platform.close());

  it('by a row that is decided from the start', async () => {
    await expect(
      app(
        `INSERT INTO certifications.application (id, customer, level, document_type, sealed, digest, state, submitted_at, decided_at, decided_by)
         VALUES ($1, $2, 'primary', 'id_card', $3, $4, 'verified', now(), now(), 1)`,
        [randomBytes(16).toString('base64url'), CUSTOMER, randomBytes(40), randomBytes(32)],
      ),
    ).rejects.toThrow('permission denied');
  });

  it('past the operators’ log, nor by somebody who may not', async () => {
    const [ploy, tan, korn] = [await idOf('ploy'), await idOf('tan'), await idOf('korn')];
    const id = await apply();
    const what = 'certification.verified';
    for (const [by, logged] of [
      [ploy, null],
      [ploy, { by: tan, what }],
      [ploy, { by: ploy, what: 'certification.sent_back' }],
      [korn, { by: korn, what }],
    ] as const)
      await expect(decide(id, by, logged)).rejects.toThrow('nobody decided it');
    expect(await found()).toEqual([]);
    // What is left: an entry in the name of a person of compliance, which that person and the customer read.
    await decide(id, ploy, { by: ploy, what });
    expect(await found()).toEqual([]);
  });

  it('unnoticed by whoever writes past the triggers', async () => {
    const move = (by: number) =>
      runAsOwner(
        platform.test.owner,
        `SET session_replication_role = replica; UPDATE certifications.application SET decided_by = decided_by + ${by} WHERE customer = ${CUSTOMER}`,
      );
    await move(1);
    expect(await found()).toHaveLength(1);
    await move(-1);
  });
});
