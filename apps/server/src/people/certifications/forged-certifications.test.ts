import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { canonicalText } from '@sathorn/proof';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findUnsignedActs, findViolations } from '../../checker/checker/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { checkerVotersFile, readPinnedVoters, readVotersOf } from '../../staff/votes/index.ts';
import { openTestPlatform, type TestPlatform } from '../../whole/testing-platform.ts';

describe('a customer is not certified by whoever has the application’s login', () => {
  /** The newest of them; each has one application. */
  let customer = 4_242_424_242n;
  let platform: TestPlatform;
  const app = <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    platform.test.database.query<Row>({ name: '', text }, values);
  const idOf = async (name: string): Promise<bigint> =>
    (await app<{ id: bigint }>('SELECT id FROM operators.operator WHERE work_name = $1', [name]))[0]?.id ?? 0n;
  const apply = async (): Promise<string> => {
    const id = randomBytes(16).toString('base64url');
    customer += 1n;
    await app(
      `INSERT INTO certifications.application (id, customer, level, document_type, sealed, digest, submitted_at)
       VALUES ($1, $2, 'primary', 'id_card', $3, $4, now())`,
      [id, customer, randomBytes(40), randomBytes(32)],
    );
    return id;
  };
  /** A used confirmation in this operator's name, with what only looks like their signature. */
  const junk = async (by: bigint, subject: string, text: string): Promise<string> => {
    const [session, stepUp] = [randomUUID(), randomUUID()];
    const [key] = await readVotersOf(platform.test.database, by);
    await app(
      `SELECT operators.open_session($1, sha256(uuid_send(gen_random_uuid())), $2, 'passkey', 'd', 'a', now())`,
      [session, by],
    );
    await app(
      `INSERT INTO operators.challenge (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at)
       VALUES ($1, 'decision', $2, $3, 'certification.approve', $4, $5, repeat('x', 43), now() + interval '2 minutes')`,
      [stepUp, by, session, subject, createHash('sha256').update(text).digest()],
    );
    await app(
      `UPDATE operators.challenge SET confirmed_at = clock_timestamp(), confirmed_by = 'passkey', vote_key = $2, proof = $3 WHERE id = $1`,
      [stepUp, key?.id, canonicalText({ signature: '0'.repeat(128) })],
    );
    await app('UPDATE operators.challenge SET used_at = clock_timestamp() WHERE id = $1', [stepUp]);
    return stepUp;
  };
  const textOf = async (id: string): Promise<string> => {
    const [row] = await app<{ customer: bigint; digest: Buffer }>(
      'SELECT customer, digest FROM certifications.application WHERE id = $1',
      [id],
    );
    return JSON.stringify([id, String(row?.customer), 'primary', 'id_card', row?.digest.toString('hex')]);
  };
  /** Decides in this operator's name, with an entry of the log about `logged` if one is given. */
  const decide = (
    id: string,
    by: bigint,
    logged: { readonly by: bigint; readonly what: string } | null,
    stepUp: string | null = null,
  ) =>
    platform.test.database.transaction(async (transaction) => {
      await transaction.query(
        {
          name: '',
          text: `UPDATE certifications.application SET state = 'verified', version = 1, decided_at = now() - interval '1 year', decided_by = $2, step_up = $3 WHERE id = $1`,
        },
        [id, by, stepUp],
      );
      if (logged)
        await transaction.query(
          {
            name: '',
            text: `SELECT operators.append_entry($1, NULL, $2, 'certification', a.id, a.customer, NULL, '{"level":"primary"}', NULL, NULL)
                   FROM certifications.application a WHERE a.id = $3`,
          },
          [logged.by, logged.what, id],
        );
    });
  /** Runs one round of the checker and returns the acts that it finds unsigned. */
  const unsigned = () =>
    findUnsignedActs(platform.test.checker, readPinnedVoters(checkerVotersFile(platform.dataDir), platform.test.owner));
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
        [randomBytes(16).toString('base64url'), customer, randomBytes(40), randomBytes(32)],
      ),
    ).rejects.toThrow('permission denied');
  });

  it('past the operators’ log, nor by somebody who may not', async () => {
    const [ploy, tan, korn] = [await idOf('ploy'), await idOf('tan'), await idOf('korn')];
    const id = await apply();
    const what = 'certification.verified';
    await expect(decide(id, ploy, { by: ploy, what })).rejects.toThrow('violates check constraint');
    const seeming = await junk(ploy, id, await textOf(id));
    for (const [by, logged] of [
      [ploy, null],
      [ploy, { by: tan, what }],
      [ploy, { by: ploy, what: 'certification.sent_back' }],
      [korn, { by: korn, what }],
    ] as const)
      await expect(decide(id, by, logged, seeming)).rejects.toThrow('nobody decided it');
    expect(await found()).toEqual([]);
  });

  it('in the name of somebody who signed something else, nor unnoticed where it only seems to be signed', async () => {
    const [ploy, tan] = [await idOf('ploy'), await idOf('tan')];
    const [another, id] = [await apply(), await apply()];
    const text = await textOf(id);
    const logged = { by: ploy, what: 'certification.verified' };
    for (const stepUp of [
      await junk(ploy, another, await textOf(another)),
      await junk(ploy, id, text.replace('primary', 'advanced')),
      await junk(tan, id, text),
    ])
      await expect(decide(id, ploy, logged, stepUp)).rejects.toThrow('nobody signed it');
    expect(await unsigned()).toEqual([]);
    await decide(id, ploy, logged, await junk(ploy, id, text));
    expect(await found()).toEqual([]);
    // Dated a year back, and still found in the next round.
    expect(await unsigned()).toEqual([`certification.approve ${id}`]);
  });

  it('unnoticed by whoever writes past the triggers', async () => {
    const move = (by: number) =>
      runAsOwner(
        platform.test.owner,
        `SET session_replication_role = replica; UPDATE certifications.application SET decided_by = decided_by + ${by} WHERE customer = ${customer} AND state = 'verified'`,
      );
    await move(1);
    expect(await found()).toHaveLength(1);
    await move(-1);
  });
});
