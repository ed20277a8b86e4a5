import { randomUUID } from 'node:crypto';
import {
  answerSupport,
  findCustomers,
  listSupportThreads,
  openSupportPicture,
  readOutbox,
  readSupport,
  readSupportThread,
  type SupportCase,
  type SupportThread,
  uploadSupportPicture,
  writeAsVisitor,
} from '@sathorn/api';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { signInDemoOperator } from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';

/** The demo customer's own address, which anybody may type. */
const CONTACT = 'nicha@demo.example';
const TEXT = 'ฉันทำโทรศัพท์หาย เข้าสู่ระบบไม่ได้';

let platform: TestPlatform;
let mai = '';
beforeAll(async () => {
  platform = await openTestPlatform({ ROLES: 'edge,index' });
  mai = (await signInDemoOperator(platform, 'mai')).token;
});
afterAll(async () => {
  await platform.close();
  expect(platform.faults).toEqual([]);
});
beforeEach(() => runAsOwner(platform.test.owner, 'DELETE FROM customers.allowance'));

const write = async (fields: TestForm = {}, picture?: Buffer, headers: TestForm = {}) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ id: randomUUID(), contact: CONTACT, text: TEXT, ...fields }))
    form.set(name, value);
  if (picture) form.set('image', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'screen.png');
  return (await platform.send(writeAsVisitor, form, { lang: 'th', ...headers })).answer;
};
const ask = async (call: { method: string; path: string }, fields: TestForm | FormData = {}, token = mai) =>
  (await platform.send(`${call.method} ${call.path}`, fields, { token, 'idempotency-key': randomUUID() })).answer;
const open = async () =>
  ((await ask(listSupportThreads, { status: 'open' })).data as unknown as { items: SupportThread[] }).items;
const newest = async () => {
  const thread = (await open()).at(-1);
  if (!thread) throw new Error('no conversation');
  return thread;
};
const outbox = async (to: string) =>
  (await platform.send(readOutbox, { to }, { accept: 'application/json' })).answer as unknown as { text: string }[];
const png = () =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: '#5d43e4' } })
    .png()
    .toBuffer();

it('a visitor’s message arrives in the inbox, and gets a reference and the promised time', async () => {
  const sent = await write();
  expect(sent.data).toMatchObject({ reference: expect.stringMatching(/^V-[2-9A-Z]{8}$/), promised_minutes: 10 });
  const thread = await newest();
  expect(thread).toMatchObject({
    customer: null,
    visitor: { reference: sent.data.reference, kind: 'email', contact: CONTACT },
    status: 'open',
    language: 'th',
    excerpt: TEXT,
  });
  const read = (await ask(readSupportThread, { id: thread.id })).data as unknown as SupportCase;
  expect(read.items).toMatchObject([{ author: 'visitor', by: null, text: TEXT }]);
});

it('never joins the conversation of a customer whose contact a stranger typed', async () => {
  await write({ text: 'Please change my password, it is me.' });
  const thread = await newest();
  expect(JSON.stringify(thread)).not.toContain(`${DEMO_CUSTOMER.username}"`);
  const found = (await ask(findCustomers, { q: DEMO_CUSTOMER.username })).data as unknown as {
    items: { id: string }[];
  };
  expect(JSON.stringify(thread)).not.toContain(found.items[0]?.id);
  const token = await platform.signIn(DEMO_CUSTOMER);
  const own = (await ask(readSupport, {}, token)).data as unknown as { items: { text: string }[] };
  expect(own.items.some(({ text }) => text.includes('it is me'))).toBe(false);
  await expect(
    platform.test.database.query({
      name: '',
      text: `UPDATE support.thread SET customer = 1000000001 WHERE id = '${thread.id}'`,
    }),
  ).rejects.toMatchObject({ code: '42501' });
  await expect(
    platform.test.database.query({
      name: '',
      text: `INSERT INTO support.message (thread, number, id, author, body, at) VALUES ('${thread.id}', 2, gen_random_uuid(), 'customer', 'x', now())`,
    }),
  ).rejects.toMatchObject({ code: 'SU003' });
});

it('is answered by mail in the visitor’s language, filtered like every text by staff', async () => {
  const { data } = await write();
  const { id } = await newest();
  for (const [text, code] of [
    ['Send me your recovery code please', 'text_asks_for_secret'],
    ['Pay a fee first and we unlock it', 'text_asks_for_payment'],
  ] as const)
    expect((await ask(answerSupport, { id, text })).data.code).toBe(code);
  const before = (await outbox(CONTACT)).length;
  const answered = await ask(answerSupport, { id, text: 'ขอรีเซ็ตได้ที่หน้าเข้าสู่ระบบ' });
  expect(answered.data).toMatchObject({ status: 'waiting', assigned_to: { work_name: 'mai' } });
  const mails = await outbox(CONTACT);
  expect(mails).toHaveLength(before + 1);
  expect(mails[0]?.text).toBe(`Sathorn ตอบข้อความ ${String(data.reference)}: ขอรีเซ็ตได้ที่หน้าเข้าสู่ระบบ`);
  // Without the anti-phishing word, because the contact is not proved to be the customer's.
});

it('is answered by one SMS, and gets no picture', async () => {
  await write({ contact: '081 234 5678' });
  const { id, visitor } = await newest();
  expect(visitor).toMatchObject({ kind: 'phone', contact: '+66812345678' });
  expect((await ask(answerSupport, { id, text: 'a'.repeat(401) })).data.code).toBe('answer_too_long');
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(await png())], { type: 'image/png' }), 'a.png');
  const image = String((await ask(uploadSupportPicture, form)).data.id);
  expect((await ask(answerSupport, { id, image })).data.code).toBe('picture_unknown');
  expect((await ask(answerSupport, { id, text: 'สวัสดี' })).ret).toBe(1);
  expect((await outbox('+66812345678'))[0]?.text).toContain('สวัสดี');
});

it('may contain one picture, redrawn, which staff see with their name on it', async () => {
  expect((await write({}, await png())).ret).toBe(1);
  const { id } = await newest();
  const seen = await ask(openSupportPicture, { id, number: '1' });
  expect(String(seen.data.data_url)).toMatch(/^data:image\/webp;base64,/);
  const broken = await write({}, Buffer.from('<svg onload="alert(1)"/>'));
  expect([broken.ret, broken.data.code]).toEqual([0, 'picture_unreadable']);
  expect(Object.keys(broken.data.fields ?? {})).toEqual(['image']);
});

it('is stored once, even if it is sent repeatedly and in parallel', async () => {
  const id = randomUUID();
  const before = (await open()).length;
  const sent = [await write({ id }), ...(await Promise.all([write({ id }), write({ id })]))];
  expect(new Set(sent.map(({ data }) => data.reference)).size).toBe(1);
  expect((await write({ id, text: 'another' })).data.code).toBe('message_id_used');
  expect((await open()).length).toBe(before + 1);
  const twins = randomUUID();
  const both = await Promise.all([write({ id: twins }), write({ id: twins })]);
  expect(new Set(both.map(({ data }) => data.reference)).size).toBe(1);
});

it.each(['nobody', 'a@b', '12', '+999123456789012', '<b>@x.example'])(
  'refuses %j, which nobody can answer',
  async (contact) => {
    const answer = await write({ contact });
    expect([answer.ret, Object.keys(answer.data.fields ?? {})]).toEqual([0, ['contact']]);
  },
);

it('a fourth message to one contact per day is refused, in any spelling, and a flood from one address', async () => {
  const before = (await open()).length;
  for (const contact of ['somchai@gmail.com', 'som.chai@gmail.com', 'SOMCHAI+1@gmail.com'])
    expect((await write({ contact })).ret).toBe(1);
  const fourth = await write({ contact: 'somchai+2@googlemail.com' }, undefined, { lang: 'en' });
  expect([fourth.data.code, fourth.msg]).toEqual(['visitor_delayed', expect.stringContaining('hours')]);
  expect((await open()).length).toBe(before + 3);
  // A demo's visitors share an address, so the limit is higher; a live brand's is five.
  const codes = new Set<unknown>();
  for (let n = 0; n < 210; n += 1) codes.add((await write({ contact: `n${n}@mail${n}.example` })).data.code);
  expect(codes).toEqual(new Set([undefined, 'visitor_delayed']));
  expect((await open()).length).toBeLessThanOrEqual(before + 203);
});
