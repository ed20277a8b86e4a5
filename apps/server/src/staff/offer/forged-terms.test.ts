import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';

let test: TestDatabase;
let owner: pg.Client;
/** Otherwise a failing test would leave a waiting version, and the tests after it would fail too. */
beforeEach(() => owner.query('DELETE FROM offer.version WHERE applied_at IS NULL'));
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

const asApp = (text: string) => test.database.query({ name: '', text });

/** Inserts a version that two people approved and that starts at midnight in Bangkok some days ago. */
async function approved(kind: string, subject: string, fields: object, daysAgo: number): Promise<string> {
  const approval = randomUUID();
  await owner.query(
    `INSERT INTO offer.version (kind, subject, version, effective_from, fields, approval, at)
     SELECT $1, $2, 1 + coalesce((SELECT max(version) FROM offer.version WHERE kind = $1 AND subject = $2), 0),
       (date_trunc('day', now() AT TIME ZONE 'Asia/Bangkok') - make_interval(days => $3)) AT TIME ZONE 'Asia/Bangkok', $4, $5,
       now() - make_interval(days => $3 + 9)`,
    [kind, subject, daysAgo, JSON.stringify(fields), approval],
  );
  return approval;
}
const markApplied = (approval: string) =>
  asApp(`UPDATE offer.version SET applied_at = clock_timestamp() WHERE approval = '${approval}'`);

const lockup = (rate: string) => ({ offered: true, daily_rate: rate, min: '50', max: '50000', quota: '300000' });
const options = (payout: string) => ({
  durations: ['30', '60'].map((seconds) => ({ seconds, offered: true, payout, fee: '0.02' })),
  stake_min: '1',
  stake_max: '10000',
  window_exposure_max: '250000',
  coin_exposure_max: '1000000',
});
const thresholds = (from: string) => ({ one_person_from: from, two_people_from: '90000' });

/** Write the terms of an approval as the application does. The terms are as approved unless `change` says otherwise. */
const WRITERS = {
  lockup: (approval: string, change = '0') =>
    asApp(`INSERT INTO earning.version (product, version, effective_day, is_offered, units_min, units_max, quota, daily_rate, approval)
      SELECT 30, 1 + coalesce((SELECT max(version) FROM earning.version WHERE product = 30), 0),
        (effective_from AT TIME ZONE 'Asia/Bangkok')::date - date '1970-01-01' + ${change}, true, 50000000, 50000000000, 300000000000,
        (fields::jsonb ->> 'daily_rate')::numeric * 100000000, approval FROM offer.version WHERE approval = '${approval}'`),
  option: (approval: string, change = '0') =>
    asApp(`INSERT INTO options.terms (coin, seconds, effective_from, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max, approval)
      SELECT 'BTC', (d ->> 'seconds')::integer, clock_timestamp() + interval '${change} days', (d ->> 'payout')::numeric * 10000, 200,
        1000000, 10000000000, 250000000000, 1000000000000, approval
      FROM offer.version, jsonb_array_elements(fields::jsonb -> 'durations') d WHERE approval = '${approval}'`),
  threshold: (approval: string) =>
    asApp(`INSERT INTO withdrawals.threshold (one_person_from, two_people_from, approval)
      SELECT (fields::jsonb ->> 'one_person_from')::numeric * 1000000, 90000000000, approval FROM offer.version WHERE approval = '${approval}'`),
};
const CASES: readonly [keyof typeof WRITERS, subject: string, older: object, newer: object][] = [
  ['lockup', '30', lockup('0.009'), lockup('0.00014')],
  ['option', 'BTC', options('1.9'), options('0.8')],
  ['threshold', 'withdrawals', thresholds('80000'), thresholds('1000')],
];

it.each(CASES)(
  'terms of %s that two people approved are written once, and never again',
  async (kind, subject, ...terms) => {
    const approvals: string[] = [];
    for (const [n, fields] of terms.entries()) {
      const approval = await approved(kind, subject, fields, 20 - n);
      await WRITERS[kind](approval);
      await expect(WRITERS[kind](approval)).rejects.toThrow('_of_approval');
      await markApplied(approval);
      approvals.push(approval);
    }
    for (const approval of approvals) await expect(WRITERS[kind](approval)).rejects.toThrow('nobody approved');
  },
);

it('terms that were marked as applied but not written can’t be written later', async () => {
  for (const [kind, subject, fields] of CASES) {
    const approval = await approved(kind, subject, fields, 3);
    await markApplied(approval);
    await expect(WRITERS[kind](approval)).rejects.toThrow('nobody approved');
  }
});

it('terms begin neither before nor after the moment that two people approved', async () => {
  const later = await approved('lockup', '30', lockup('0.001'), -9);
  await expect(WRITERS.lockup(later)).rejects.toThrow('nobody approved');
  await expect(WRITERS.option(await approved('option', 'BTC', options('0.9'), -9), '9')).rejects.toThrow(
    'nobody approved',
  );
  await owner.query(
    `UPDATE offer.version SET stopped_at = now(), stopped_by = 1, stop_reason = 'x' WHERE effective_from > now()`,
  );
  const due = await approved('lockup', '30', lockup('0.001'), 1);
  for (const days of ['-1', '1', '99']) await expect(WRITERS.lockup(due, days)).rejects.toThrow('nobody approved');
  await WRITERS.lockup(due);
  await expect(WRITERS.option(await approved('option', 'BTC', options('0.9'), 1), '1')).rejects.toThrow(
    'nobody approved',
  );
});

it('fees that two people approved for later are not inserted as applied or announced', async () => {
  const approval = randomUUID();
  const fields = { levels: [{ maker: '0.09', taker: '0.09' }] };
  const content = {
    kind: 'fee',
    subject: 'contracts',
    version: '2',
    after: fields,
    effective_from: '2100-01-01T00:00:00Z',
  };
  await owner.query(
    `INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, made_by, status, decided_at)
     VALUES ($1, 'offer', 'fee/contracts', $2, decode(repeat('00', 32), 'hex'), 1, '{finance}', 1, 'approved', now())`,
    [approval, JSON.stringify(content)],
  );
  await owner.query(
    `INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role) VALUES ($1, 2, gen_random_uuid(), 'approve', decode('00', 'hex'), 'finance')`,
    [approval],
  );
  const insert = (names = '', values = '') =>
    asApp(`INSERT INTO offer.version (kind, subject, version, effective_from, fields, approval${names})
      VALUES ('fee', 'contracts', 2, '2100-01-01', '${JSON.stringify(fields)}', '${approval}'${values})`);
  for (const name of ['applied_at', 'announced_at'])
    await expect(insert(`, ${name}`, ', now()')).rejects.toThrow('nobody approved');
  await insert();
});

it('terms that were replaced apply to nothing new', async () => {
  await owner.query(
    `INSERT INTO earning.version (product, version, effective_day, is_offered, units_min, units_max, quota, daily_rate)
     VALUES (7, 1, 20000, true, 1, 1000, 1000, 900000), (7, 2, 20001, true, 1, 1000, 1000, 100)`,
  );
  await owner.query(
    `INSERT INTO earning.version (product, version, effective_day, is_offered, units_min, stage_froms, stage_rates)
     VALUES (1, 1, 20000, true, 1, '{0}', '{90000000}'), (1, 2, 20010, true, 1, '{0}', '{100}')`,
  );
  await owner.query(
    `INSERT INTO rewards.ladder (version, effective_day, points, usdt)
     VALUES (1, 20000, '{9,9,9,9,9,9,9}', '{9,9,9,9,9,9,9}'), (2, 20001, '{1,1,1,1,1,1,1}', '{0,0,0,0,0,0,0}')`,
  );
  const lockup = (version: number, rate: number) =>
    asApp(`INSERT INTO earning.lockup (id, customer_id, product, version, principal, daily_rate, days, yield, start_day, end_day, subscribed_at)
      VALUES (gen_random_uuid(), 7, 7, ${version}, 100, ${rate}, 7, floor(100::numeric * ${rate} * 7 / 100000000), 20001, 20008, now())`);
  const day = (version: number, of = 20_010) =>
    asApp(`INSERT INTO earning.accrual (product, day, version, state) VALUES (1, ${of}, ${version}, 'counting')`);
  const signIn = (version: number, points: number) =>
    asApp(`INSERT INTO rewards.sign_in (customer_id, day, id, rung, points, usdt, version, at)
      VALUES (7, 20002, gen_random_uuid(), 1, ${points}, 0, ${version}, now())`);
  // Codes of their own: a serialization failure would be tried again for as long as the terms stay.
  await expect(lockup(1, 900_000)).rejects.toMatchObject({ code: 'EA009' });
  await lockup(2, 100);
  await expect(day(1)).rejects.toMatchObject({ code: 'EA009' });
  // Income that is computed late uses the terms of its own day.
  await expect(day(2, 20_009)).rejects.toMatchObject({ code: 'EA009' });
  await day(1, 20_009);
  await day(2);
  await expect(signIn(1, 9)).rejects.toMatchObject({ code: 'RW004' });
  await signIn(2, 1);
});
