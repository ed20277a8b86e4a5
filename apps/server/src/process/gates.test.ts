import { randomUUID } from 'node:crypto';
import {
  approveApproval,
  buyOption,
  endPause,
  giveConsent,
  listPauses,
  listPublicPauses,
  placeContract,
  quoteSubscription,
  readApproval,
  readConsent,
  redeemLiquidity,
  startPause,
  subscribeEarning,
} from '@sathorn/api';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { insertConfirmedStepUp, proposed, signInDemoOperator } from '../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../whole/testing-platform.ts';

let platform: TestPlatform;
let owner: pg.Pool;
let customer = '';
const tokens: Record<string, string> = {};
beforeAll(async () => {
  platform = await openTestPlatform({ ASK_CONSENT: '1' });
  owner = new pg.Pool({ ...platform.test.owner, max: 1 });
  customer = await platform.signIn(DEMO_CUSTOMER);
  for (const name of ['ploy', 'tan', 'mai']) tokens[name] = (await signInDemoOperator(platform, name)).token;
});
afterAll(async () => {
  await owner.end();
  await platform.close();
});

const ask = (call: Parameters<TestPlatform['send']>[0], fields: TestForm, key = randomUUID(), lang = 'en') =>
  platform.send(call, fields, { token: customer, 'idempotency-key': key, lang });
const staff = (name: string, call: Parameters<TestPlatform['send']>[0], fields: TestForm = {}) =>
  platform.send(call, fields, { token: tokens[name] ?? '', 'idempotency-key': randomUUID() });

const PURCHASE = { code: 'BTC', direction: 'up', quantity: '5', duration: '30' };
const ANSWERS = { version: '2', knowledge: 'a', experience: 'c', need: 'a', share: 'a', agree: 'true' };

it.each([
  ['options', buyOption, PURCHASE],
  ['contracts', placeContract, { code: 'BTC', side: 'buy', type: 'limit', price: '60000', quantity: '0.001' }],
  ['earning', subscribeEarning, { amount: '20' }],
] as const)('%s: a first order waits for consent and suitable answers', async (product, call, order) => {
  expect((await ask(call, order)).answer.data).toMatchObject({ code: 'consent_required' });
  const { answer: asked } = await ask(readConsent, { product }, undefined, 'th');
  const answers = { ...ANSWERS, version: String(asked.data.version) };
  expect(asked.data).toMatchObject({ required: true, state: 'none', finding: null });
  expect((asked.data.questions as unknown[]).length).toBe(4);
  expect((await ask(giveConsent, { product, ...answers, agree: 'false' })).answer.data.code).toBe('malformed_request');
  expect((await ask(giveConsent, { product, ...answers, version: '1' })).answer.data.code).toBe('consent_outdated');
  const { answer: given } = await ask(giveConsent, { product, ...answers }, undefined, 'th');
  expect(given).toMatchObject({ ret: 1, data: { state: 'given' } });
  expect((await ask(giveConsent, { product, ...answers })).answer.data.code).toBe('consent_answered');
  const { answer } = await ask(call, order);
  expect(answer.data.code).not.toBe('consent_required');
  const [row] = (
    await owner.query('SELECT language, finding, length(text_hash) AS hash FROM consents.consent WHERE product = $1', [
      product,
    ])
  ).rows;
  expect(row).toEqual({ language: 'th', finding: 'suitable', hash: 32 });
});

it('answers that speak against a product delay it by a day, say why, and can’t be repeated before', async () => {
  const token = await platform.signIn({ username: 'anan', password: 'Rama8Bridge' });
  const send = (call: Parameters<TestPlatform['send']>[0], fields: TestForm) =>
    platform.send(call, fields, { token, 'idempotency-key': randomUUID() });
  const { answer } = await send(giveConsent, { product: 'options', ...ANSWERS, knowledge: 'b', need: 'c' });
  expect(answer.data).toMatchObject({ state: 'waiting' });
  expect(answer.data.finding).toMatch(/answered wrongly.*need this money soon.*seems not to suit you/);
  expect((await send(giveConsent, { product: 'options', ...ANSWERS })).answer.data.code).toBe('consent_answered');
  await expect(
    platform.test.database.query({
      name: '',
      text: `INSERT INTO consents.consent (id, customer_id, product, version, language, text_hash, answers, finding, usable_from)
        SELECT gen_random_uuid(), customer_id, product, version, language, text_hash, '{}', 'suitable', now() FROM consents.consent WHERE finding = 'unsuitable'`,
    }),
  ).rejects.toThrow(/answered before/);
});

it('one person pauses at once, the customer reads why, and two people end the pause', async () => {
  const texts = { text_en: 'Prices of one source are under repair.', text_th: 'กำลังแก้ไขราคาจากแหล่งหนึ่ง' };
  const key = randomUUID();
  const consent = await ask(giveConsent, { product: 'options', ...ANSWERS });
  expect(['consent_answered', undefined]).toContain(consent.answer.data.code);
  const { answer: bought } = await ask(buyOption, { ...PURCHASE, nonce: 'a'.repeat(32) }, key);
  expect((await staff('mai', startPause, { kind: 'product', subject: 'options', ...texts })).answer.data.code).toBe(
    'role_missing',
  );
  expect(
    (await staff('ploy', startPause, { kind: 'product', subject: 'options', text_en: 'x' })).answer.data.fields,
  ).toHaveProperty('text_th');
  expect((await staff('ploy', startPause, { kind: 'product', subject: 'options', ...texts })).answer.ret).toBe(1);
  expect((await staff('tan', startPause, { kind: 'product', subject: 'options', ...texts })).answer.data.code).toBe(
    'already_paused',
  );

  await expect
    .poll(async () => (await ask(buyOption, PURCHASE, randomUUID(), 'th')).answer)
    .toMatchObject({ ret: 0, msg: `หยุดชั่วคราว: ${texts.text_th}`, data: { code: 'paused' } });
  // A request that was answered before is answered again, because its money moved before the pause.
  const { answer: again } = await ask(buyOption, { ...PURCHASE, nonce: 'a'.repeat(32) }, key);
  expect(again.data).toEqual(bought.data);
  const { answer: seen } = await platform.send(listPublicPauses);
  expect(seen.data).toMatchObject([{ kind: 'product', subject: 'options', text: texts.text_en }]);

  const { answer: listed } = await staff('tan', listPauses);
  const [{ id } = { id: '' }] = listed.data.items as { id: string }[];
  await expect(
    platform.test.database.query({
      name: '',
      text: 'UPDATE pauses.pause SET ended_at = now(), approval = gen_random_uuid()',
    }),
  ).rejects.toThrow(/nobody approved/);
  // The same person asks from two windows at once: one request is accepted, the other is refused.
  const headers = { token: tokens.ploy ?? '' };
  const end = () =>
    proposed(platform, endPause, { id, reason: 'repaired' }, { ...headers, 'idempotency-key': randomUUID() });
  const endings = await Promise.all([end(), end()]);
  expect(endings.filter(({ data }) => data.code === 'approval_open')).toHaveLength(1);
  const approval = String(endings.find(({ ret }) => ret === 1)?.data.approval);
  const { answer: read } = await staff('tan', readApproval, { id: approval });
  const fingerprint = String(read.data.fingerprint);
  const approve = async (name: string) => {
    const step_up = await insertConfirmedStepUp(platform, tokens[name] ?? '', {
      op: 'approval.approve',
      id: approval,
      fingerprint,
    });
    return (await staff(name, approveApproval, { id: approval, fingerprint, step_up })).answer;
  };
  expect((await approve('ploy')).data.code).toBe('maker_cannot_check');
  expect(await approve('tan')).toMatchObject({ ret: 1, data: { status: 'approved' } });
  await expect.poll(async () => (await platform.send(listPublicPauses)).answer.data).toEqual([]);
});

it.each([
  ['coin', 'sol', 'This coin isn’t known.'],
  ['coin', 'SOLANA', 'This coin isn’t known.'],
  ['product', 'contract', 'This isn’t one of the choices.'],
  ['product', 'Options', 'This isn’t one of the choices.'],
  ['channel', 'Bank', 'This channel wasn’t found.'],
  ['channel', 'ethereum', 'This channel wasn’t found.'],
])('a pause of an unknown subject is refused by name: %s %s', async (kind, subject, says) => {
  const texts = { text_en: 'Under review.', text_th: 'อยู่ระหว่างทบทวน' };
  const { answer } = await staff('ploy', startPause, { kind, subject, ...texts });
  expect(answer).toMatchObject({ ret: 0, data: { fields: { subject: says } } });
  const { answer: listed } = await staff('ploy', listPauses);
  expect(listed.data.channels).toEqual(['bank', 'promptpay']);
  expect((listed.data.items as { subject: string }[]).map((item) => item.subject)).not.toContain(subject);
});

it('a pause’s text is checked like an announcement, so it cannot serve a swindler', async () => {
  const texts = { text_en: 'Deposit at https://sathorn-pay.example', text_th: 'หยุดชั่วคราว' };
  expect((await staff('ploy', startPause, { kind: 'product', subject: 'deposits', ...texts })).answer).toMatchObject({
    ret: 0,
    data: { code: 'text_names_site', fields: { text_en: expect.any(String) } },
  });
});

it('a paused coin is bought in no product', async () => {
  const texts = { text_en: 'The coin’s network is halted.', text_th: 'เครือข่ายของเหรียญหยุดทำงาน' };
  expect((await staff('ploy', startPause, { kind: 'coin', subject: 'SOL', ...texts })).answer.ret).toBe(1);
  const orders = [
    [buyOption, { ...PURCHASE, code: 'SOL' }],
    [placeContract, { code: 'SOL', type: 'market', side: 'buy', amount: '20' }],
  ] as const;
  for (const [call, order] of orders)
    await expect
      .poll(async () => (await ask(call, order)).answer)
      .toMatchObject({ ret: 0, msg: `Paused: ${texts.text_en}`, data: { code: 'paused' } });
});

it('a paused lock-up is not quoted; liquidity continues', async () => {
  const texts = { text_en: 'Under review.', text_th: 'อยู่ระหว่างทบทวน' };
  expect((await staff('ploy', startPause, { kind: 'product', subject: 'lockup', ...texts })).answer.ret).toBe(1);
  await expect
    .poll(async () => (await ask(quoteSubscription, { amount: '60', type: 'regular', product: '30' })).answer.data.code)
    .toBe('paused');
  expect((await ask(quoteSubscription, { amount: '60' })).answer.ret).toBe(1);
});

it('a redemption requires the payment password, once per operation', async () => {
  await ask(giveConsent, { product: 'earning', ...ANSWERS });
  expect((await ask(subscribeEarning, { amount: '50' })).answer.ret).toBe(1);
  const order = { amount: '10', speed: 'quick' };
  expect((await ask(redeemLiquidity, order)).answer.data.fields).toHaveProperty('paypass');
  expect((await ask(redeemLiquidity, { ...order, amount: '9999999', paypass: '111222' })).answer.data.code).toBe(
    'exceeds_liquidity',
  );
  const { answer: wrong } = await ask(redeemLiquidity, { ...order, paypass: '111222' });
  expect(wrong.data).toMatchObject({ code: 'paypass_wrong' });
  const key = randomUUID();
  const { answer: done } = await ask(redeemLiquidity, { ...order, paypass: '830274' }, key);
  expect(done).toMatchObject({ ret: 1, data: { kind: 'redemption' } });
  expect((await ask(redeemLiquidity, { ...order, paypass: '830274' }, key)).answer.data).toEqual(done.data);
});
