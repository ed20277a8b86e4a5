import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { findViolations } from './find-violations.ts';
import { unverifiableProposal, unverifiableSignature } from './testing-signature.ts';

const [KORN, FAH, APPROVAL, WAITING, ROLES] = [1, 2, 3, 4, 5].map((n) => `0000000${n}-0000-4000-8000-000000000000`);

/** Rows that a superuser could write past every trigger and constraint. */
const PLANTED: readonly [what: string, invariant: string, statement: string][] = [
  ['an entry with another actor', 'OP1', 'UPDATE operators.entry SET operator = 2 WHERE n = 4'],
  ['a text that was changed', 'OP1', `UPDATE operators.entry SET text = replace(text, 'W-1', 'W-2') WHERE n = 4`],
  [
    'a text with its hash, both changed',
    'OP1',
    `UPDATE operators.entry SET subject = 'W-2', text = replace(text, 'W-1', 'W-2'),
       hash = sha256(previous || convert_to(replace(text, 'W-1', 'W-2'), 'UTF8')) WHERE n = 4`,
  ],
  ['an entry that is gone', 'OP1', 'DELETE FROM operators.entry WHERE n = 4'],
  ['the last entry that is gone', 'OP3', 'DELETE FROM operators.entry WHERE n = (SELECT max(n) FROM operators.entry)'],
  ['a note that was rewritten', 'OP1', `UPDATE operators.note SET text = 'another' WHERE n = 4`],
  ['a vote of the maker', 'OP2', `UPDATE operators.approval SET made_by = 1 WHERE id = '${APPROVAL}'`],
  ['an approval with one vote too few', 'OP2', `DELETE FROM operators.vote WHERE operator = 2`],
  [
    'an approval that nobody gave',
    'OP2',
    `UPDATE operators.approval SET status = 'approved', decided_at = now() WHERE id = '${WAITING}'`,
  ],
  [
    'an approval of something else',
    'OP2',
    `UPDATE operators.approval SET content = '{"amount":"9"}' WHERE id = '${APPROVAL}'`,
  ],
  ['a vote for something else', 'OP2', `UPDATE operators.vote SET fingerprint = sha256('x') WHERE operator = 1`],
  ['a vote about oneself', 'OP2', `UPDATE operators.approval SET about = '{77}' WHERE id = '${APPROVAL}'`],
  ['a vote of another role', 'OP2', `UPDATE operators.vote SET role = 'support' WHERE operator = 1`],
  ['a vote by another’s session', 'OP2', `UPDATE operators.vote SET session = '${FAH}' WHERE operator = 1`],
  ['a role that nobody gave', 'OP4', `UPDATE operators.operator SET roles = ARRAY['finance', 'admin'] WHERE id = 2`],
  [
    'roles that were approved otherwise',
    'OP4',
    `UPDATE operators.approval SET content = replace(content, 'admin', 'finance'), fingerprint = sha256(convert_to(replace(content, 'admin', 'finance'), 'UTF8')) WHERE kind = 'operator_role'`,
  ],
  [
    'an operator whom nobody made',
    'OP4',
    `INSERT INTO operators.operator (work_name, roles) VALUES ('eve', ARRAY['admin'])`,
  ],
  ['a vote about the own roles', 'OP2', `UPDATE operators.approval SET subject = '2' WHERE kind = 'operator_role'`],
  [
    'a stop of what was not approved',
    'OP2',
    `UPDATE operators.approval SET status = 'stopped', decided_at = now(), stopped_by = 1, stopped_at = now(), effective_from = now() + interval '1 hour' WHERE id = '${WAITING}'`,
  ],
];
const TABLES = [
  'operators.entry',
  'operators.note',
  'operators.log_head',
  'operators.approval',
  'operators.vote',
  'operators.operator',
];

describe('a breach of the operators’ records', () => {
  let test: TestDatabase;
  let owner: pg.Client;
  beforeAll(async () => {
    test = await openTestDatabase();
    owner = new pg.Client(test.owner);
    await owner.connect();
    await owner.query(`
      SELECT operators.create_operator('korn', ARRAY['finance'], sha256('a'), 1);
      SELECT operators.create_operator('fah', ARRAY['finance'], sha256('b'), 1);
      SELECT operators.create_operator('tan', ARRAY['compliance'], sha256('c'), 1);
      UPDATE operators.operator SET customer = 77 WHERE work_name = 'korn';
      INSERT INTO operators.session (id, token_hash, operator, factor, device, address, created_at, used_at) VALUES
        ('${KORN}', sha256('1'), 1, 'authenticator', 'd', 'a', now(), now()), ('${FAH}', sha256('2'), 2, 'authenticator', 'd', 'a', now(), now());
      SELECT operators.append_entry(1, '${KORN}', 'withdrawal.approved', 'withdrawal', 'W-1', 5, NULL, '{"approvals":"1"}', NULL, 'a note');
      SELECT operators.append_entry(2, '${FAH}', 'withdrawal.approved', 'withdrawal', 'W-1', 5, NULL, '{"approvals":"2"}', 'x', NULL);
      SELECT operators.open_approval('${APPROVAL}', 'withdrawal', 'W-1', '{"amount":"1"}', 2, ARRAY['finance'], NULL, '{}', NULL, NULL);
      SELECT operators.open_approval('${WAITING}', 'withdrawal', 'W-2', '{"amount":"1"}', 2, ARRAY['finance'], NULL, '{}', NULL, NULL);
    `);
    const change = { kind: 'operator_role', subject: '3', content: '{"roles":["admin","compliance"]}' };
    await owner.query(
      `SELECT operators.open_approval($1, $2, $3, $4, 1, ARRAY['finance'], 1, '{}', NULL, NULL, NULL, $5)`,
      [ROLES, change.kind, change.subject, change.content, await unverifiableProposal(owner, 1, change)],
    );
    for (const [operator, session, approval, content] of [
      [1, KORN, APPROVAL, '{"amount":"1"}'],
      [2, FAH, APPROVAL, '{"amount":"1"}'],
      [2, FAH, ROLES, change.content],
    ] as const) {
      const challenge = randomUUID();
      await owner.query(
        `INSERT INTO operators.challenge (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at, confirmed_at, confirmed_by, vote_key, proof)
         VALUES ($1, 'decision', $2, $3, 'approval.approve', $4, sha256($5), repeat('x', 43), now() + interval '1 minute', now(), 'passkey', $6, $7)`,
        [
          challenge,
          operator,
          session,
          approval,
          Buffer.from(content),
          ...(await unverifiableSignature(owner, operator)),
        ],
      );
      const { rows } = await owner.query(
        `SELECT refusal FROM operators.cast_vote($1, $2, $3, sha256($5), 'approve', NULL, $4)`,
        [approval, operator, session, challenge, Buffer.from(content)],
      );
      expect(rows).toEqual([{ refusal: null }]);
    }
    await owner.query('SELECT operators.apply_change($1)', [ROLES]);
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
    (await findViolations(test.checker)).map(({ invariant }) => invariant).filter((id) => id.startsWith('O'));

  it.each(PLANTED)('is reported: %s (%s)', async (_what, invariant, statement) => {
    const results = await owner.query(statement);
    for (const { rowCount } of [results].flat()) expect(rowCount).toBeGreaterThan(0);
    const ids = await found();
    for (const table of TABLES)
      await owner.query(
        `DELETE FROM ${table}; INSERT INTO ${table} OVERRIDING SYSTEM VALUE TABLE kept.${table.replace('.', '_')}`,
      );
    expect(ids).toContain(invariant);
  });
});
