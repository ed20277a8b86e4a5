import { randomUUID } from 'node:crypto';
import {
  approveApproval,
  listEarningProducts,
  listOfferChanges,
  listProductHistory,
  listProducts,
  previewOffer,
  proposeBrand,
  proposeProduct,
  readBrand,
  stopOffer,
} from '@sathorn/api';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertConfirmedStepUp, proposed, signInDemoOperator } from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';

let platform: TestPlatform;
let owner: pg.Pool;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  platform = await openTestPlatform({});
  owner = new pg.Pool({ ...platform.test.owner, max: 1 });
  for (const name of ['tan', 'ploy', 'mai', 'korn', 'bua', 'arun'])
    tokens[name] = (await signInDemoOperator(platform, name)).token;
});
afterAll(async () => {
  await owner.end();
  await platform.close();
});

const send = async (name: string, call: Parameters<TestPlatform['send']>[0], fields: TestForm) => ({
  answer: await proposed(platform, call, fields, { token: tokens[name] ?? '', 'idempotency-key': randomUUID() }),
});

/** Returns midnight in Bangkok a number of days from now. */
const midnight = (days: number): string => {
  const day = new Date(Date.now() + 7 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10);
  return new Date(`${day}T00:00:00+07:00`).toISOString();
};
const LOCKUP = { offered: true, daily_rate: '0.00014', min: '50', max: '50000', quota: '300000' };
const proposal = (change: Partial<TestForm> = {}): TestForm => ({
  kind: 'lockup',
  subject: '30',
  fields: JSON.stringify(LOCKUP),
  effective_from: midnight(3),
  reason: 'lower income of the reserve',
  ...(change as TestForm),
});

it.each<[string, Partial<TestForm>, string, string]>([
  ['a product that is none', { subject: '31' }, 'product_unknown', 'subject'],
  [
    'a rate with a sign',
    { fields: JSON.stringify({ ...LOCKUP, daily_rate: '-0.1' }) },
    'terms_malformed',
    'fields.daily_rate',
  ],
  ['a most below the least', { fields: JSON.stringify({ ...LOCKUP, max: '1' }) }, 'terms_malformed', 'fields.max'],
  ['the terms in force', { fields: JSON.stringify({ ...LOCKUP, daily_rate: '0.00015' }) }, 'terms_unchanged', 'fields'],
  [
    'a time within a day',
    { effective_from: new Date(Date.now() + 9e8).toISOString() },
    'begins_at_midnight',
    'effective_from',
  ],
  ['less than the notice', { effective_from: midnight(1) }, 'notice_too_short', 'effective_from'],
  [
    'a quota that nobody could pay',
    { fields: JSON.stringify({ ...LOCKUP, quota: '900000000' }) },
    'not_funded',
    'fields',
  ],
])('a proposal of %s is refused', async (_what, change, code, field) => {
  const { answer } = await send('korn', proposeProduct, proposal(change));
  expect([answer.data.code, Object.keys(answer.data.fields ?? {})]).toEqual([code, [field]]);
});

it('is refused to operators with other roles', async () => {
  for (const name of ['mai', 'bua']) {
    const { answer } = await send(name, proposeProduct, proposal());
    expect(answer.data.code).toBe('role_missing');
  }
});

it('is approved by a second person, announced before it takes effect, and can be stopped by one person', async () => {
  const { reason: _, ...shown } = proposal();
  const { answer: seen } = await send('korn', previewOffer, shown as TestForm);
  expect(seen.data).toMatchObject({ after: { daily_rate: '0.00014' }, checks: [{ code: 'not_funded', ok: true }] });
  expect(seen.data.customer_view).toMatch(/0\.014 % a day \(now 0\.015 %\)/);

  const { answer: made } = await send('korn', proposeProduct, proposal());
  expect(made).toMatchObject({ ret: 1, data: { status: 'waiting', refusal: 'maker_cannot_check' } });
  const { answer: twice } = await send('korn', proposeProduct, proposal());
  expect(twice.data.code).toBe('approval_open');
  const { id, fingerprint } = made.data as { id: string; fingerprint: string };
  const approve = async (name: string) => {
    const of = { op: 'approval.approve', id, fingerprint };
    const step_up = await insertConfirmedStepUp(platform, tokens[name] ?? '', of);
    return (await send(name, approveApproval, { id, fingerprint, step_up })).answer;
  };
  expect((await approve('korn')).data.code).toBe('maker_cannot_check');
  const { answer: before } = await platform.send(listOfferChanges);
  expect(before.data).toEqual([]);
  expect(await approve('tan')).toMatchObject({ ret: 1, data: { status: 'approved' } });

  await expect
    .poll(async () => (await platform.send(listOfferChanges)).answer.data)
    .toMatchObject([{ kind: 'lockup', subject: '30', after: { daily_rate: '0.00014' } }]);
  const { answer: offered } = await platform.send(listEarningProducts, { type: 'regular' });
  const products = offered.data.products as { id: string; daily_rate: string; upcoming: { daily_rate: string }[] }[];
  expect(products.find(({ id: name }) => name === '30')).toMatchObject({
    daily_rate: '0.00015',
    upcoming: [{ daily_rate: '0.00014' }],
  });
  const { answer: pending } = await send('korn', proposeProduct, proposal({ effective_from: midnight(4) }));
  expect(pending.data.code).toBe('change_pending');

  const stop = { kind: 'lockup', subject: '30', version: '2', reason: 'a wrong figure' };
  expect((await send('ploy', stopOffer, stop)).answer.ret).toBe(1);
  expect((await send('ploy', stopOffer, stop)).answer.data.code).toBe('already_in_force');
  const { answer: after } = await platform.send(listOfferChanges);
  expect(after.data).toEqual([]);
  const { answer: history } = await send('tan', listProductHistory, { kind: 'lockup', subject: '30' });
  expect(history.data.items).toMatchObject([
    { version: 2, status: 'stopped', made_by: 'korn', checked_by: ['tan'], stopped_by: 'ploy' },
    { version: 1, status: 'first' },
  ]);
  const { answer: listed } = await send('tan', listProducts, { kind: 'lockup' });
  expect(listed.data.items).toHaveLength(5);
});

it('the brand: two people switch a product and enter thresholds', async () => {
  const from = new Date(Date.now() + 30 * 3_600_000).toISOString();
  const { answer: brand } = await send('arun', readBrand, {});
  expect(brand.data).toMatchObject({ mode: 'demo', licences: { options: null } });
  expect((brand.data.items as unknown[]).length).toBe(5);
  const fields = JSON.stringify({ on_offer: false, licence: '', jurisdiction: 'TH' });
  const request = { kind: 'switch', subject: 'options', fields, effective_from: from, reason: 'the licence ends' };
  expect((await send('korn', proposeBrand, request)).answer.data.code).toBe('role_missing');
  expect((await send('arun', proposeBrand, request)).answer.ret).toBe(1);
  const thresholds = JSON.stringify({ one_person_from: '2000', two_people_from: '1000' });
  const { answer } = await send('arun', proposeBrand, {
    ...request,
    kind: 'threshold',
    subject: 'withdrawals',
    fields: thresholds,
  });
  expect(answer.data.fields).toHaveProperty('fields.two_people_from');
});

it.each([
  [
    'terms that nobody approved',
    "INSERT INTO offer.version (kind, subject, version, effective_from, fields, approval) SELECT kind, subject, 2, now() + interval '30 days', fields, gen_random_uuid() FROM offer.version WHERE kind = 'fee'",
  ],
  [
    'rates of a lock-up that nobody approved',
    'INSERT INTO earning.version (product, version, effective_day, is_offered, units_min, units_max, quota, daily_rate, approval) VALUES (30, 2, 30000, true, 1, 2, 3, 1000000, gen_random_uuid())',
  ],
  [
    'payouts that nobody approved',
    "INSERT INTO options.terms (coin, seconds, effective_from, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max, approval) VALUES ('BTC', 30, now(), 20000, 0, 1000000, 10000000, 1, 1, gen_random_uuid())",
  ],
  ['a change of terms in force', "UPDATE offer.version SET applied_at = NULL WHERE kind = 'fee'"],
])('the application can’t write %s', async (_what, text) => {
  await expect(platform.test.database.query({ name: '', text })).rejects.toThrow(/approved|not changed|denied/);
});
