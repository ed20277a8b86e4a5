import { canonicalText } from '@sathorn/proof';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { findViolations } from './find-violations.ts';
import { unverifiableProposal, unverifiableSignature } from './testing-signature.ts';

const id = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
const [OUTAGE, NOTICE, PAUSE, DISPUTE, ORDER, SESSION, MONEY] = [id(1), id(2), id(3), id(4), id(5), id(6), id(7)];
const TEXTS = { en: 'Withdrawals are late.', th: 'การถอนล่าช้า' };
const OVER = { en: 'It is over.', th: 'เรียบร้อยแล้ว' };

/** Rows that a superuser could write past every trigger and constraint. */
const PLANTED: readonly [what: string, invariant: string, statement: string][] = [
  ['a text that is gone', 'ST1', `DELETE FROM status.incident_update WHERE incident = '${OUTAGE}' AND n = 1`],
  ['a text after the end', 'ST1', `UPDATE status.incident SET closed_at = opened_at WHERE id = '${OUTAGE}'`],
  ['an incident of somebody else', 'ST1', `UPDATE status.incident SET opened_by = 2 WHERE id = '${NOTICE}'`],
  ['an outage that one person closed', 'ST2', `UPDATE status.incident SET approval = NULL WHERE id = '${OUTAGE}'`],
  [
    'a closing text that nobody approved',
    'ST2',
    `UPDATE status.incident_update SET texts = jsonb_set(texts, '{th}', '"x"') WHERE incident = '${OUTAGE}' AND n = 2`,
  ],
  [
    'an approval that is taken back',
    'ST2',
    `UPDATE operators.approval SET status = 'rejected' WHERE subject = '${OUTAGE}'`,
  ],
  [
    'an outage played down',
    'ST3',
    `UPDATE status.incident SET severity = 'notice', approval = NULL WHERE id = '${OUTAGE}'`,
  ],
  ['another part', 'ST3', `UPDATE status.incident SET parts = '{app}' WHERE id = '${NOTICE}'`],
  [
    'a text that was reworded in one language',
    'ST3',
    `UPDATE status.incident_update SET texts = jsonb_set(texts, '{th}', '"x"') WHERE incident = '${NOTICE}'`,
  ],
  [
    'an end that nobody logged',
    'ST3',
    `UPDATE status.incident SET closed_at = now() + interval '1 minute' WHERE id = '${NOTICE}'`,
  ],
  ['a pause of another channel', 'ST4', `UPDATE pauses.pause SET subject = 'bank'`],
  ['a pause that began later', 'ST4', `UPDATE pauses.pause SET started_at = started_at + interval '2 minutes'`],
  ['a pause that ended earlier', 'ST4', `UPDATE pauses.pause SET ended_at = ended_at - interval '2 minutes'`],
  ['a pause that nobody agreed to end', 'ST4', `UPDATE pauses.pause SET approval = '${id(9)}'`],
  [
    'an incident that is gone',
    'ST5',
    `DELETE FROM status.incident_update WHERE incident = '${NOTICE}'; DELETE FROM status.incident WHERE id = '${NOTICE}'`,
  ],
  ['a later text that is gone', 'ST5', `DELETE FROM status.incident_update WHERE incident = '${NOTICE}' AND n = 2`],
  ['a pause that is gone', 'ST5', 'DELETE FROM pauses.pause'],
  ['other words than the customer’s', 'DI1', `UPDATE disputes.dispute SET statement = 'I agree.'`],
  ['a later deadline', 'DI1', `UPDATE disputes.dispute SET deadline = deadline + interval '1 day'`],
  ['a dispute that staff lost', 'DI1', 'DELETE FROM disputes.dispute'],
  ['a dispute that ended the other way', 'DI1', `UPDATE options.dispute SET state = 'upheld'`],
  ['a dispute that no customer opened', 'DI2', 'DELETE FROM options.dispute'],
  ['another answer', 'DI2', `UPDATE disputes.dispute SET answer = 'Yes.'`],
  ['another finding', 'DI2', `UPDATE disputes.dispute SET finding = 'void_by_rule'`],
  ['another second person', 'DI2', 'UPDATE disputes.dispute SET second_by = 3'],
  ['an answer that took less time', 'DI2', `UPDATE disputes.dispute SET second_at = second_at - interval '1 hour'`],
  ['a proposal by somebody else', 'DI3', 'UPDATE disputes.dispute SET first_by = 3'],
  ['a fault that nobody reported', 'DI3', 'UPDATE disputes.dispute SET fault_by = 2, fault_at = now()'],
  ['another answer about money', 'DI5', `UPDATE disputes.money_dispute SET answer = 'Yes.'`],
  ['another second person about money', 'DI5', 'UPDATE disputes.money_dispute SET second_by = 3'],
  ['a dispute about money that is gone', 'DI4', 'DELETE FROM disputes.money_dispute'],
  ['a dispute that is gone everywhere', 'DI4', 'DELETE FROM disputes.dispute; DELETE FROM options.dispute'],
];
const TABLES = [
  'status.incident',
  'status.incident_update',
  'pauses.pause',
  'disputes.dispute',
  'options.dispute',
  'disputes.money_dispute',
  'operators.approval',
];

describe('a breach of data behind the public status and disputes', () => {
  let test: TestDatabase;
  let owner: pg.Client;
  let approvals = 0;
  /** Operator 1 proposes, operator 2 approves. */
  const approve = async (kind: string, subject: string, after: Record<string, unknown>): Promise<string> => {
    approvals += 1;
    const [approval, challenge] = [
      `10000000-0000-4000-8000-00000000000${approvals}`,
      `20000000-0000-4000-8000-00000000000${approvals}`,
    ];
    const content = canonicalText(after as Parameters<typeof canonicalText>[0]);
    await owner.query(
      `SELECT operators.open_approval($1, $2, $3, $4, 1::smallint, ARRAY['compliance'], 1, '{}', NULL, NULL, NULL, $5)`,
      [approval, kind, subject, content, await unverifiableProposal(owner, 1, { kind, subject, content })],
    );
    await owner.query(
      `INSERT INTO operators.challenge (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at, confirmed_at, confirmed_by, vote_key, proof)
       VALUES ($1, 'decision', 2, $2, 'approval.approve', $3, sha256(convert_to($4, 'UTF8')), repeat('x', 43), now() + interval '1 minute', now(), 'passkey', $5, $6)`,
      [challenge, SESSION, approval, content, ...(await unverifiableSignature(owner, 2))],
    );
    const voted = await owner.query(
      `SELECT refusal FROM operators.cast_vote($1, 2, $2, sha256(convert_to($4, 'UTF8')), 'approve', NULL, $3)`,
      [approval, SESSION, challenge, content],
    );
    expect(voted.rows).toEqual([{ refusal: null }]);
    return approval;
  };
  const log = (
    what: string,
    kind: string,
    subject: string,
    after: Record<string, unknown>,
    customer: string | null = null,
  ) =>
    owner.query('SELECT operators.append_entry(1, NULL, $1, $2, $3, $4, NULL, $5, NULL, NULL)', [
      what,
      kind,
      subject,
      customer,
      canonicalText(after as Parameters<typeof canonicalText>[0]),
    ]);
  const found = async (): Promise<string[]> => (await findViolations(test.checker)).map(({ invariant }) => invariant);

  beforeAll(async () => {
    test = await openTestDatabase();
    owner = new pg.Client(test.owner);
    await owner.connect();
    await owner.query(`
      SELECT operators.create_operator('mai', ARRAY['compliance'], sha256('a'), 1);
      SELECT operators.create_operator('tan', ARRAY['compliance'], sha256('b'), 1);
      INSERT INTO operators.session (id, token_hash, operator, factor, device, address, created_at, used_at)
        VALUES ('${SESSION}', sha256('1'), 2, 'authenticator', 'd', 'a', now(), now());`);
    for (const [incident, severity] of [
      [OUTAGE, 'outage'],
      [NOTICE, 'notice'],
    ]) {
      await owner.query('INSERT INTO status.incident (id, severity, parts, opened_by) VALUES ($1, $2, $3, 1)', [
        incident,
        severity,
        ['withdrawals'],
      ]);
      await owner.query('INSERT INTO status.incident_update (incident, n, made_by, texts) VALUES ($1, 1, 1, $2)', [
        incident,
        TEXTS,
      ]);
      await log('incident.opened', 'incident', String(incident), { severity, parts: ['withdrawals'], texts: TEXTS });
    }
    await owner.query('INSERT INTO status.incident_update (incident, n, made_by, texts) VALUES ($1, 2, 1, $2)', [
      NOTICE,
      OVER,
    ]);
    await log('incident.updated', 'incident', NOTICE, { texts: OVER });
    await log('incident.close_asked', 'incident', OUTAGE, { texts: OVER });
    const closing = await approve('incident_close', OUTAGE, {
      severity: 'outage',
      parts: ['withdrawals'],
      texts: OVER,
    });
    await owner.query('INSERT INTO status.incident_update (incident, n, made_by, texts) VALUES ($1, 2, 2, $2)', [
      OUTAGE,
      OVER,
    ]);
    await owner.query('SELECT status.close_incident($1, $2)', [OUTAGE, closing]);

    const paused = { kind: 'channel', subject: 'tron' };
    await owner.query(
      `INSERT INTO pauses.pause (id, kind, subject, texts, started_by) VALUES ($1, 'channel', 'tron', $2, 1)`,
      [PAUSE, TEXTS],
    );
    await log('pause.started', 'pause', PAUSE, paused);
    const end = await approve('pause_end', PAUSE, paused);
    await owner.query('UPDATE pauses.pause SET ended_at = clock_timestamp(), approval = $2 WHERE id = $1', [
      PAUSE,
      end,
    ]);

    const answer = { answer: 'No.', finding: 'recomputed_same', order: ORDER, customer: '7' };
    const given = await approve('dispute_answer', DISPUTE, answer);
    await log('dispute.proposed', 'dispute', DISPUTE, { approval: given, finding: 'recomputed_same' }, '7');
    const recorded = await approve('money_dispute_answer', MONEY, {
      answer: 'Here.',
      finding: 'as_recorded',
      correction: null,
    });
    await log('dispute.proposed', 'money_dispute', MONEY, { approval: recorded }, '7');
    // The option itself is checked elsewhere.
    await owner.query('SET session_replication_role = replica');
    await owner.query(
      `INSERT INTO options.dispute (id, order_id, customer_id, reason, receipt, state, opened_at, deadline, reviewer, second_reviewer)
       VALUES ($1, $2, 7, 'Why?', '{}', 'rejected', now(), now() + interval '7 days', '1', '2')`,
      [DISPUTE, ORDER],
    );
    await owner.query(
      `INSERT INTO disputes.dispute (id, customer, order_id, statement, language, opened_at, deadline, state, version, finding, answer, approval,
         first_by, first_at, second_by, second_at)
       SELECT id, customer_id, order_id, reason, 'en', opened_at, deadline, 'closed', 2, 'recomputed_same', 'No.', $2, 1, now(), 2, now()
       FROM options.dispute WHERE id = $1`,
      [DISPUTE, given],
    );
    await owner.query(
      `INSERT INTO disputes.money_dispute (id, customer, subject_kind, subject, statement, language, opened_at, deadline, state, version, finding,
         answer, approval, first_by, first_at, second_by, second_at)
       VALUES ($1, 7, 'deposit', $2, 'Where?', 'en', now(), now() + interval '7 days', 'closed', 2, 'as_recorded', 'Here.', $3, 1, now(), 2, now())`,
      [MONEY, ORDER, recorded],
    );
    await owner.query('CREATE SCHEMA kept');
    for (const table of TABLES) await owner.query(`CREATE TABLE kept.${table.replace('.', '_')} AS TABLE ${table}`);
    expect(await found()).toEqual([]);
  });
  afterAll(async () => {
    await owner.end();
    await test.close();
  });

  it.each(PLANTED)('is found by the checker: %s (%s)', async (_what, invariant, statement) => {
    const results = [await owner.query(statement)].flat();
    for (const { rowCount } of results) expect(rowCount).toBeGreaterThan(0);
    const ids = await found();
    for (const table of TABLES) {
      await owner.query(`DELETE FROM ${table}`);
      await owner.query(`INSERT INTO ${table} TABLE kept.${table.replace('.', '_')}`);
    }
    expect(ids).toContain(invariant);
  });
});
