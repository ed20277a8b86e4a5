import { randomUUID } from 'node:crypto';
import {
  approveCertification,
  certifyCustomer,
  listAccountRecords,
  listCertifications,
  type ResultOf,
  readLevel,
} from '@sathorn/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { proposed, signInDemoOperator } from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';

let platform: TestPlatform;
let [nicha, ploy, customer] = ['', '', ''];
beforeAll(async () => {
  platform = await openTestPlatform({ ROLES: 'edge,index', CHAIN: 'off' });
  nicha = await platform.signIn(DEMO_CUSTOMER);
  ploy = (await signInDemoOperator(platform, 'ploy')).token;
  customer = String((await platform.send('GET /users/info', {}, { token: nicha })).answer.data.id);
});
afterAll(() => platform.close());

const ask = async (call: Parameters<TestPlatform['send']>[0], token: string, fields: TestForm = {}) =>
  (await platform.send(call, fields, { token, 'idempotency-key': randomUUID() })).answer;
const signOf = async () => ((await ask(readLevel, nicha)).data as unknown as ResultOf<typeof readLevel>).sign;

it('the approval of a certification makes the customer’s locked rewards available, a rejection does not', async () => {
  const before = Number((await signOf())?.score ?? 0);
  // A grant in the form in which it is stored while the brand locks rewards.
  await runAsOwner(
    platform.test.owner,
    `SELECT ledger.open_accounts('{${customer}}', '{1040}', '{POINTS}');
     WITH granted AS (INSERT INTO rewards.grant_of_points (id, customer_id, points, reason, ref, at)
       VALUES ('${randomUUID()}', ${customer}, 40, 'activity', 'locked', now()) RETURNING id)
     SELECT ledger.post_singles(id, 'rewards.grant', 'd', 'POINTS', '{0}', '{270}', '{${customer}}', '{1040}', '{40}', '{81}') FROM granted`,
  );
  expect(await signOf()).toMatchObject({ score: String(before), locked: { points: '40', usdt: '0.000000' } });
  const typed = { type: 'id_card', name: 'Nicha Phromsiri', number: '1101700230708', birth_date: '1990-01-31' };
  expect((await ask(certifyCustomer, nicha, { level: 'primary', ...typed })).ret).toBe(1);
  const { items } = (await ask(listCertifications, ploy)).data as unknown as { items: { id: string }[] };
  const id = items[0]?.id ?? '';
  expect((await ask(approveCertification, ploy, { id, version: '3' })).data.code).toBe('version_stale');
  expect(await signOf()).toMatchObject({ locked: { points: '40' } });
  const headers = { token: ploy, 'idempotency-key': randomUUID() };
  const approved = await proposed(platform, approveCertification, { id, version: '0' }, headers);
  expect(approved.data).toMatchObject({ status: 'verified' });
  expect(await signOf()).toMatchObject({ score: String(before + 40), locked: null });
  const { data } = await ask(listAccountRecords, nicha, { setup: 'all' });
  expect(JSON.stringify(data)).toContain('reward_released');
});
