import { randomUUID } from 'node:crypto';
import {
  addPayee,
  approveCertification,
  certifyCustomer,
  listCertifications,
  listCustomerCertifications,
  openCertificationPicture,
  readCertification,
  readCertificationCase,
  readCertificationPicture,
  readUser,
  refuseCertification,
  sendBackCertification,
  uploadPicture,
} from '@sathorn/api';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { proposed, signInDemoOperator } from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';

let platform: TestPlatform;
let [nicha, ploy, mai, korn] = ['', '', '', ''];
beforeAll(async () => {
  platform = await openTestPlatform({ SIM_SEED: 'reviews', ROLES: 'edge,index' });
  nicha = await platform.signIn(DEMO_CUSTOMER);
  ploy = (await signInDemoOperator(platform, 'ploy')).token;
  mai = (await signInDemoOperator(platform, 'mai')).token;
  korn = (await signInDemoOperator(platform, 'korn')).token;
});
afterAll(() => platform.close());

const ask = async (call: Parameters<TestPlatform['send']>[0], token: string, fields: TestForm | FormData = {}) =>
  (await platform.send(call, fields, { token, 'idempotency-key': randomUUID() })).answer;
/** The same for an approval, which the reviewer signs. */
const approve = (token: string, fields: TestForm) =>
  proposed(platform, approveCertification, fields, { token, 'idempotency-key': randomUUID() });
const items = async (token: string) =>
  (await ask(listCertifications, token)).data.items as {
    id: string;
    version: number;
    level: string;
    customer: { id: string };
  }[];
async function upload(): Promise<string> {
  const form = new FormData();
  const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#ddd' } })
    .png()
    .toBuffer();
  form.append('image', new Blob([new Uint8Array(png)]), 'id.png');
  return String((await ask(uploadPicture, nicha, form)).data.id);
}

it('a customer is certified by an operator whose views are logged; no other role may do it', async () => {
  const typed = { type: 'id_card', name: 'Nicha Phromsiri', number: '1101700230708', birth_date: '1990-01-31' };
  expect((await ask(certifyCustomer, nicha, { level: 'primary', ...typed })).ret).toBe(1);
  const [primary] = await items(ploy);
  const decision = { id: primary?.id ?? '', version: '0' };
  // Finance may not view certifications, support sees the queue but decides nothing, and a customer is not an operator.
  expect((await ask(listCertifications, korn)).data.code).toBe('role_missing');
  expect(await items(mai)).toHaveLength(1);
  const { id: owner } = (await items(mai))[0]?.customer ?? { id: '' };
  const handedIn = await ask(listCustomerCertifications, mai, { id: owner });
  expect(handedIn.data).toMatchObject([{ id: decision.id, level: 'primary', status: 'review' }]);
  expect(JSON.stringify(handedIn.data)).not.toContain('1101700230708');
  expect((await ask(listCustomerCertifications, korn, { id: owner })).data.code).toBe('role_missing');
  expect((await ask(listCustomerCertifications, mai, { id: '9999999999' })).data).toEqual([]);
  for (const call of [readCertificationCase, approveCertification])
    expect((await ask(call, mai, decision)).data.code).toBe('role_missing');
  expect((await ask(approveCertification, nicha, decision)).ret).toBe(-1);
  const { data } = await ask(readCertificationCase, ploy, { id: decision.id });
  expect(data).toMatchObject({ fields: { number: '1101700230708' }, pictures: [], views: { left: 30, max: 30 } });
  expect((await ask(approveCertification, ploy, { ...decision, version: '3' })).data.code).toBe('version_stale');
  expect((await ask(approveCertification, ploy, decision)).data).toMatchObject({
    code: 'step_up_required',
    params: { op: 'certification.approve', id: decision.id },
  });
  expect((await approve(ploy, decision)).data).toMatchObject({ status: 'verified' });

  const pictures = { front: await upload(), back: await upload(), selfie: await upload() };
  const advanced = { level: 'advanced', ...typed, expires: '2031-05-01', ...pictures };
  expect((await ask(certifyCustomer, nicha, advanced)).ret).toBe(1);
  const id = (await items(ploy))[0]?.id ?? '';
  const opened = await ask(openCertificationPicture, ploy, { id, picture: 'front' });
  const ticket = String(opened.data.url).split('ticket=')[1] ?? '';
  expect((await ask(readCertificationPicture, nicha, { ticket })).ret).toBe(-1);
  expect((await ask(readCertificationPicture, ploy, { ticket })).data.data_url).toMatch(/^data:image\/webp;base64,/);
  expect((await ask(readCertificationPicture, ploy, { ticket })).data.code).toBe('picture_unknown');

  expect((await ask(sendBackCertification, ploy, { id, version: '0', reasons: 'nonsense' })).data.code).toBe(
    'malformed_request',
  );
  const sent = { id, version: '0', reasons: 'picture_glare', sides: 'back' };
  expect((await ask(sendBackCertification, ploy, sent)).data).toMatchObject({ status: 'sent_back', sides: ['back'] });
  expect((await ask(certifyCustomer, nicha, { level: 'advanced', back: await upload() })).ret).toBe(1);
  const again = (await items(ploy))[0]?.id ?? '';
  expect((await ask(approveCertification, ploy, { id: again, version: '0' })).data.code).toBe('mask_missing');
  expect((await approve(ploy, { id: again, version: '0', masked: 'true' })).ret).toBe(1);
  expect((await ask(readUser, nicha)).data.certification).toEqual({
    primary: 'verified',
    advanced: 'verified',
    reason: null,
  });
  expect((await ask(readCertification, nicha)).data).toMatchObject({ advanced: { decided_by: 'ploy' } });

  const card = {
    type: 'card',
    ifsc: '0123',
    bank: 'SCB',
    number: '0123456789',
    phone: '0812345678',
    email: 'n@example.org',
  };
  const named = (real_name: string) => ask(addPayee, nicha, { ...card, real_name, paypass: DEMO_CUSTOMER.paypass });
  expect((await named('Anan Chai')).data.code).toBe('real_name_differs');
  expect((await named('Nicha Phromsiri')).data.card).toMatchObject({ is_certified_name: true });

  const log = await platform.test.database.query<{ what: string }>({
    name: 'entries of a certification',
    text: `SELECT what FROM operators.entry WHERE kind = 'certification' ORDER BY n`,
  });
  expect(log.map(({ what }) => what)).toEqual([
    'certification.read',
    'certification.verified',
    'certification.picture_opened',
    'certification.sent_back',
    'certification.verified',
  ]);
  expect(platform.faults).toEqual([]);
});

it('a final rejection waits for a second person and changes nothing by itself', async () => {
  const anan = await platform.signIn({ username: 'anan', password: 'Rama8Bridge' });
  const typed = { type: 'passport', name: 'Anan Chai', number: 'AA7654321', birth_date: '1985-05-05' };
  await ask(certifyCustomer, anan, { level: 'primary', ...typed });
  const id = (await items(ploy))[0]?.id ?? '';
  const wanted = { id, version: '0', reason: 'document_forged' };
  const headers = { token: ploy, 'idempotency-key': randomUUID() };
  const refused = await proposed(platform, refuseCertification, wanted, headers);
  expect(refused.data).toMatchObject({ approval: expect.any(String) });
  expect((await ask(refuseCertification, ploy, wanted)).data.code).toBe('refusal_waits');
  expect((await ask(readCertification, anan)).data).toMatchObject({ primary: { state: 'review' } });
});
