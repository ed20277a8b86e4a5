import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { findViolations } from './find-violations.ts';
import { unverifiableProposal, unverifiableSignature } from './testing-signature.ts';

const APPROVAL = '00000000-0000-4000-8000-000000000001';
const CHALLENGE = '00000000-0000-4000-8000-000000000002';
const SESSION = '00000000-0000-4000-8000-000000000003';
const TEXT = '{"settings":{},"texts":{"th":{"body":[],"summary":"","title":"x"}}}';
const AFTER = `{"audience":"all","digest":"${createHash('sha256').update(TEXT).digest('hex')}","publication":"PPPPPPPPPPPPPPPP"}`;

/** Rows that a superuser could write past every trigger and constraint. */
const PLANTED: readonly [what: string, invariant: string, statement: string][] = [
  ['a text that was changed', 'CT1', `UPDATE content.publication SET content = replace(content, '"x"', '"y"')`],
  ['a notice to all by one person', 'CT1', 'UPDATE content.publication SET people = 1'],
  ['another kind', 'CT1', `UPDATE content.publication SET kind = 'activity'`],
  ['a version that was never saved', 'CT1', 'DELETE FROM content.version'],
  ['an approval that is gone', 'CT2', `UPDATE content.publication SET approval = NULL`],
  ['an approval that is not given', 'CT2', `UPDATE operators.approval SET status = 'waiting', decided_at = NULL`],
  ['another audience than was checked', 'CT2', `UPDATE content.publication SET audience = 'level:3'`],
  ['another end than was checked', 'CT2', `UPDATE content.publication SET to_at = to_at + interval '9 days'`],
  [
    'another text with its digest',
    'CT2',
    `UPDATE content.publication SET content = replace(content, '"x"', '"y"'), digest = sha256(convert_to(replace(content, '"x"', '"y"'), 'UTF8'))`,
  ],
  [
    'another text with its digest, as the log does not say',
    'CT3',
    `UPDATE content.publication SET content = replace(content, '"x"', '"y"'), digest = sha256(convert_to(replace(content, '"x"', '"y"'), 'UTF8'))`,
  ],
  ['a maker who did not', 'CT3', 'UPDATE content.publication SET made_by = 2'],
  ['a take-down that nobody logged', 'CT3', 'UPDATE content.publication SET taken_down_at = now(), taken_down_by = 2'],
];
const TABLES = ['content.publication', 'content.version', 'operators.approval'];

describe('a breach of what was published', () => {
  let test: TestDatabase;
  let owner: pg.Client;
  beforeAll(async () => {
    test = await openTestDatabase();
    owner = new pg.Client(test.owner);
    await owner.connect();
    await owner.query(`
      SELECT operators.create_operator('bua', ARRAY['content'], sha256('a'), 1);
      SELECT operators.create_operator('tan', ARRAY['compliance'], sha256('b'), 1);
      INSERT INTO operators.session (id, token_hash, operator, factor, device, address, created_at, used_at)
        VALUES ('${SESSION}', sha256('1'), 2, 'authenticator', 'd', 'a', now(), now());
      INSERT INTO content.entry (id, kind, made_by) VALUES ('EEEEEEEEEEEEEEEE', 'notice', 1);
      INSERT INTO content.version (entry, n, part, content, made_by) VALUES ('EEEEEEEEEEEEEEEE', 1, 'th', '{}', 1);
      INSERT INTO content.publication (id, entry, kind, content, digest, version, audience, from_at, to_at, people, approval, made_by)
        VALUES ('PPPPPPPPPPPPPPPP', 'EEEEEEEEEEEEEEEE', 'notice', '${TEXT}', sha256('${TEXT}'), 1, 'all', '2026-11-23T00:00:00Z', '2026-12-01T00:00:00Z', 2,
          '${APPROVAL}', 1);
      SELECT operators.append_entry(1, NULL, 'content.check_asked', 'content', 'EEEEEEEEEEEEEEEE', NULL, NULL, '${AFTER}', NULL, NULL);
    `);
    const { rows } = await owner.query<{
      content: string;
    }>(`SELECT json_build_object('audience', 'all', 'digest', encode(digest, 'hex'),
      'from', '2026-11-23T00:00:00.000Z', 'kind', 'notice', 'version', '1', 'publication', id, 'to', '2026-12-01T00:00:00.000Z')::text AS content FROM content.publication`);
    const content = rows[0]?.content ?? '';
    const subject = 'EEEEEEEEEEEEEEEE';
    await owner.query(
      `SELECT operators.open_approval($1, 'content', $2, $3, 1, ARRAY['compliance'], 1, '{}', NULL, NULL, NULL, $4)`,
      [APPROVAL, subject, content, await unverifiableProposal(owner, 1, { kind: 'content', subject, content })],
    );
    await owner.query(
      `INSERT INTO operators.challenge (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at, confirmed_at, confirmed_by, vote_key, proof)
       VALUES ($1, 'decision', 2, $2, 'approval.approve', $3, sha256(convert_to($4, 'UTF8')), repeat('x', 43), now() + interval '1 minute', now(), 'passkey', $5, $6)`,
      [CHALLENGE, SESSION, APPROVAL, content, ...(await unverifiableSignature(owner, 2))],
    );
    const voted = await owner.query(
      `SELECT refusal FROM operators.cast_vote($1, 2, $2, sha256(convert_to($4, 'UTF8')), 'approve', NULL, $3)`,
      [APPROVAL, SESSION, CHALLENGE, content],
    );
    expect(voted.rows).toEqual([{ refusal: null }]);
    await owner.query('UPDATE content.publication SET published_at = now()');
    await owner.query('CREATE SCHEMA kept');
    for (const table of TABLES) await owner.query(`CREATE TABLE kept.${table.replace('.', '_')} AS TABLE ${table}`);
    await owner.query('SET session_replication_role = replica');
    expect(await found()).toEqual([]);
  });
  afterAll(async () => {
    await owner.end();
    await test.close();
  });

  const found = async (): Promise<string[]> =>
    (await findViolations(test.checker)).map(({ invariant }) => invariant).filter((id) => id.startsWith('C'));

  it.each(PLANTED)('is found by the checker: %s (%s)', async (_what, invariant, statement) => {
    await owner.query('ALTER TABLE content.publication DROP CONSTRAINT IF EXISTS publication_check');
    expect((await owner.query(statement)).rowCount).toBeGreaterThan(0);
    const ids = await found();
    for (const table of TABLES) {
      const identity = table === 'content.publication' ? 'OVERRIDING SYSTEM VALUE' : '';
      await owner.query(`DELETE FROM ${table}`);
      await owner.query(`INSERT INTO ${table} ${identity} TABLE kept.${table.replace('.', '_')}`);
    }
    expect(ids).toContain(invariant);
  });
});
