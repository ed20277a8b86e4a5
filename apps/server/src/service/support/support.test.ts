import { randomUUID } from 'node:crypto';
import {
  answerSupport,
  approveApproval,
  closeSupport,
  handOverSupport,
  listMessages,
  listReadyAnswers,
  listSupportThreads,
  markSupportRead,
  markThreadRead,
  openSupportPicture,
  proposeReadyAnswer,
  readApproval,
  readPicture,
  readSupport,
  readSupportThread,
  type SupportCase,
  type SupportMessage,
  type SupportState,
  sendSupport,
  takeSupportThread,
  typeAnswer,
  typeSupport,
  uploadPicture,
  uploadSupportPicture,
} from '@sathorn/api';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { insertConfirmedStepUp, proposed, signInDemoOperator } from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';

const OTHER = { username: 'anan', password: 'Rama8Bridge' };

interface Talk {
  readonly items: SupportMessage[];
  readonly state: SupportState;
  readonly message: SupportMessage;
}

describe('customer service', () => {
  let platform: TestPlatform;
  let [customer, other] = ['', ''];
  const tokens: Record<string, string> = {};
  const ask = (
    token: string,
    call: { method: string; path: string },
    fields: TestForm | FormData = {},
    key: string = randomUUID(),
  ) => proposed(platform, `${call.method} ${call.path}`, fields, { token, 'idempotency-key': key });
  const get = async <Result>(
    token: string,
    call: { method: string; path: string },
    fields: TestForm | FormData = {},
    key?: string,
  ) => {
    const answer = await ask(token, call, fields, key);
    if (answer.ret !== 1) throw new Error(`${call.path}: ${answer.msg} ${JSON.stringify(answer.data)}`);
    return answer.data as unknown as Result;
  };
  const as = (name: string) => tokens[name] ?? '';
  const write = (text: string, id: string = randomUUID()) => get<Talk>(customer, sendSupport, { id, text });
  const threadOf = async (status = 'open'): Promise<string> => {
    const { items } = await get<{ items: { id: string }[] }>(as('mai'), listSupportThreads, { status });
    return items[0]?.id ?? '';
  };

  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index' });
    customer = await platform.signIn(DEMO_CUSTOMER);
    other = await platform.signIn(OTHER);
    for (const name of ['mai', 'ploy', 'tan', 'bua', 'korn'])
      tokens[name] = (await signInDemoOperator(platform, name)).token;
  });
  afterAll(async () => {
    await platform.close();
    expect(platform.faults).toEqual([]);
  });

  it('stores a message once, even if it is sent repeatedly and in parallel', async () => {
    const id = randomUUID();
    const sent = await Promise.all(Array.from({ length: 8 }, () => write('My withdrawal is late', id)));
    expect(new Set(sent.map(({ message }) => message.number))).toEqual(new Set([1]));
    expect((await ask(customer, sendSupport, { id, text: 'another text' })).data.code).toBe('message_id_used');
    const many = await Promise.all(Array.from({ length: 5 }, (_, n) => write(`more ${n}`)));
    expect(many.map(({ message }) => message.number).sort()).toEqual([2, 3, 4, 5, 6]);
    const { items } = await get<Talk>(customer, readSupport, { after: '4' });
    expect(items.map(({ number }) => number)).toEqual([5, 6]);
  });

  it('shows a conversation to nobody else', async () => {
    expect(await get<Talk>(other, readSupport)).toMatchObject({ items: [], state: { last: 0, unread: 0 } });
    const id = await threadOf();
    expect((await ask(as('ploy'), readSupportThread, { id })).data.code).toBe('thread_unknown');
    for (const name of ['bua', 'korn'])
      expect((await ask(as(name), readSupportThread, { id })).data.code).toBe('role_missing');
    expect((await ask(customer, readSupportThread, { id })).ret).toBe(-1);
  });

  it('answers once per intent, and marks the conversation as answered', async () => {
    const id = await threadOf();
    const key = randomUUID();
    const text = 'I am looking at it.';
    const first = await get<SupportCase>(as('mai'), answerSupport, { id, text }, key);
    await get(as('mai'), answerSupport, { id, text }, key);
    expect(first).toMatchObject({ status: 'waiting', assigned_to: { work_name: 'mai' }, waiting_since: null });
    const talk = await get<Talk>(customer, readSupport, { after: '6' });
    expect(talk.items).toMatchObject([{ number: 7, author: 'staff', by: 'mai', text }]);
    expect(talk.state).toMatchObject({ last: 7, unread: 1, read_by_staff: 6, agent: 'mai' });
    const seen = await get<SupportState>(customer, markSupportRead, { number: '7' });
    expect(seen.unread).toBe(0);
    expect((await get<SupportCase>(as('mai'), readSupportThread, { id })).read_by_customer).toBe(7);
  });

  it('refuses questions that staff must never ask, and an empty message', async () => {
    const id = await threadOf('waiting');
    const refusals = [
      ['Send me your PIN please', 'text_asks_for_secret'],
      ['Pay the tax before we release your withdrawal', 'text_asks_for_payment'],
    ];
    for (const [text = '', code] of refusals)
      expect((await ask(as('mai'), answerSupport, { id, text })).data.code).toBe(code);
    expect((await ask(as('mai'), answerSupport, { id })).data.code).toBe('message_empty');
    expect((await ask(as('mai'), answerSupport, { id, ready: 'none' })).data.code).toBe('ready_unknown');
    expect((await ask(customer, sendSupport, { id: randomUUID() })).data.code).toBe('message_empty');
    expect(
      (await ask(customer, sendSupport, { id: randomUUID(), text: 'x'.repeat(2_001) })).data.fields,
    ).toHaveProperty('text');
  });

  it('shows both sides who is writing, for a moment only', async () => {
    const id = await threadOf('waiting');
    await get(as('mai'), typeAnswer, { id });
    const { state } = await get<Talk>(customer, readSupport);
    expect(Date.parse(state.types_until ?? '') - Date.now()).toBeLessThanOrEqual(6_500);
    const before = Date.now();
    await get(customer, typeSupport);
    const seen = await get<SupportCase>(as('mai'), readSupportThread, { id });
    expect(Date.parse(seen.customer_types_until ?? '')).toBeGreaterThan(before);
  });

  it('shows a picture to its owner and, marked and logged, to staff of the conversation', async () => {
    const image = new FormData();
    const png = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#5d43e4' } })
      .png()
      .toBuffer();
    image.append('image', new Blob([new Uint8Array(png)]), 'slip.png');
    const { id: picture } = await get<{ id: string }>(customer, uploadPicture, image);
    expect((await ask(other, sendSupport, { id: randomUUID(), image: picture })).data.code).toBe('picture_unknown');
    const { message } = await get<Talk>(customer, sendSupport, { id: randomUUID(), image: picture });
    expect((await ask(customer, readPicture, { id: message.picture ?? '' })).ret).toBe(1);
    expect((await ask(other, readPicture, { id: message.picture ?? '' })).data.code).toBe('picture_unknown');
    const id = await threadOf();
    const look = { id, number: String(message.number) };
    const seen = await get<{ data_url: string }>(as('mai'), openSupportPicture, look);
    expect(seen.data_url).toMatch(/^data:image\/webp;base64,/);
    expect((await ask(as('ploy'), openSupportPicture, look)).data.code).toBe('thread_unknown');
    expect((await ask(as('mai'), openSupportPicture, { id, number: '1' })).data.code).toBe('picture_unknown');
  });

  it('sends a picture from staff once, encrypted for its customer only', async () => {
    const id = await threadOf();
    const jpeg = await sharp({ create: { width: 90, height: 70, channels: 3, background: '#b45309' } })
      .withExif({ IFD0: { Copyright: 'the desk’s place' } })
      .jpeg()
      .toBuffer();
    const upload = (token: string) => {
      const image = new FormData();
      image.append('image', new Blob([new Uint8Array(jpeg)]), 'steps.jpg');
      return ask(token, uploadSupportPicture, image);
    };
    expect((await upload(as('bua'))).data.code).toBe('role_missing');
    const image = String((await upload(as('mai'))).data.id);
    expect((await ask(as('ploy'), answerSupport, { id, image })).data.code).toBe('thread_unknown');
    expect((await ask(as('mai'), answerSupport, { id, image, ready: 'never-pay' })).data.code).toBe('picture_unknown');
    const asked = await ask(as('mai'), answerSupport, { id, image, text: 'Send me your PIN' });
    expect(asked.data.code).toBe('text_asks_for_secret');

    const key = randomUUID();
    const sent = await get<SupportCase>(as('mai'), answerSupport, { id, image }, key);
    await get(as('mai'), answerSupport, { id, image }, key);
    const message = sent.items.at(-1);
    expect(message).toMatchObject({ author: 'staff', by: 'mai', text: '' });
    const talk = await get<Talk>(customer, readSupport);
    expect(talk.items.filter(({ author, picture }) => author === 'staff' && picture !== null)).toHaveLength(1);
    const picture = message?.picture ?? '';
    const shown = await get<{ data_url: string }>(customer, readPicture, { id: picture });
    const webp = Buffer.from(shown.data_url.split(',')[1] ?? '', 'base64');
    expect(await sharp(webp).metadata()).toMatchObject({ format: 'webp', width: 90, height: 70 });
    expect((await sharp(webp).metadata()).exif).toBeUndefined();
    expect((await ask(other, readPicture, { id: picture })).data.code).toBe('picture_unknown');
    // The picture is used, so it can be sent to nobody else.
    expect((await ask(as('mai'), answerSupport, { id, image })).data.code).toBe('picture_unknown');
    expect((await ask(as('mai'), answerSupport, { id, image: picture })).data.code).toBe('picture_unknown');
    const look = { id, number: String(message?.number) };
    expect((await ask(as('mai'), openSupportPicture, look)).ret).toBe(1);
    expect((await findViolations(platform.test.checker)).map(({ invariant }) => invariant)).toEqual([]);
    await write('Thank you');
  });

  it('closes only answered conversations, and opens them again when the customer writes', async () => {
    const id = await threadOf();
    expect((await ask(as('mai'), closeSupport, { id })).data.code).toBe('customer_waits');
    await get(as('mai'), answerSupport, { id, ready: 'never-pay' });
    await get(as('mai'), closeSupport, { id });
    expect(await threadOf('closed')).toBe(id);
    await write('one more thing');
    expect(await threadOf()).toBe(id);
    await get(as('mai'), markThreadRead, { id, number: '99' });
    const { state } = await get<Talk>(customer, readSupport);
    expect(state).toMatchObject({ is_open: true, read_by_staff: state.last });
  });

  it('hands over to a desk, which then sees it, and to nobody who may not answer', async () => {
    const id = await threadOf();
    const note = 'asks about a frozen account';
    expect((await ask(as('mai'), handOverSupport, { id, to: 'bua', note })).data.code).toBe('colleague_unknown');
    await get(as('mai'), handOverSupport, { id, to: 'compliance', note });
    const seen = await get<SupportCase>(as('ploy'), readSupportThread, { id });
    expect(seen).toMatchObject({ desk: 'compliance', assigned_to: null, steps: [{ what: 'handed_over', note }, {}] });
    await get(as('ploy'), takeSupportThread, { id });
    expect((await ask(as('mai'), answerSupport, { id, text: 'me too' })).data.code).toBe('taken_by_other');
    await get(as('ploy'), answerSupport, { id, text: 'I have your account open.' });
  });

  it('sends one notice for answers that nobody read', async () => {
    const earlier = `UPDATE support.thread SET last_at = last_at - interval '2 minutes'`;
    await runAsOwner(platform.test.owner, earlier);
    const count = async () => {
      const { items } = await get<{ items: { title: string }[] }>(customer, listMessages, { status: 'all' });
      return items.filter(({ title }) => title === 'Customer support has answered').length;
    };
    await expect.poll(count, { interval: 200 }).toBe(1);
    const id = await threadOf('waiting');
    await get(as('ploy'), answerSupport, { id, text: 'Still there?' });
    await runAsOwner(platform.test.owner, earlier);
    const { items } = await get<{ items: { id: string }[] }>(as('mai'), listSupportThreads, { status: 'waiting' });
    expect(items).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  it('puts a ready answer into force only with a second person', async () => {
    const texts = { code: 'hello', en: 'Hello, how can we help?', th: 'สวัสดีค่ะ ให้ช่วยเรื่องใดคะ' };
    expect((await ask(as('mai'), proposeReadyAnswer, texts)).data.code).toBe('role_missing');
    const bad = { ...texts, en: 'Please tell me your password' };
    expect((await ask(as('bua'), proposeReadyAnswer, bad)).data.code).toBe('text_asks_for_secret');
    const { approval: id } = await get<{ approval: string }>(as('bua'), proposeReadyAnswer, texts);
    expect((await ask(as('bua'), proposeReadyAnswer, texts)).data.code).toBe('already_waiting');
    const before = await get<{ code: string }[]>(as('mai'), listReadyAnswers, { lang: 'th' });
    expect(before.map(({ code }) => code)).not.toContain('hello');
    const { fingerprint } = await get<{ fingerprint: string }>(as('tan'), readApproval, { id });
    const step_up = await insertConfirmedStepUp(platform, as('tan'), { op: 'approval.approve', id, fingerprint });
    await get(as('tan'), approveApproval, { id, fingerprint, step_up });
    const after = await get<{ code: string; text: string; language: string }[]>(as('mai'), listReadyAnswers, {
      lang: 'ar',
    });
    expect(after.find(({ code }) => code === 'hello')).toMatchObject({ text: texts.en, language: 'en' });
  });

  it('names the payment password in Hindi as the app does, and keeps every shipped answer', async () => {
    const answers = await get<{ code: string; version: number; text: string }[]>(as('mai'), listReadyAnswers, {
      lang: 'hi',
    });
    expect(answers.map(({ text }) => text).join()).not.toContain('भुगतान पासवर्ड');
    expect(answers.find(({ code }) => code === 'who-we-are')).toMatchObject({
      version: 1,
      text: expect.stringContaining('पासवर्ड, पेमेंट PIN, कोड'),
    });
    expect((await findViolations(platform.test.owner, 'platform')).map(({ invariant }) => invariant)).not.toContain(
      'SU3',
    );
    await expect(
      runAsOwner(platform.test.owner, `UPDATE support.ready_answer SET texts = texts WHERE code = 'who-we-are'`),
    ).rejects.toThrow('kept for ever');
  });

  it('limits customers who write without pause', async () => {
    const codes: unknown[] = [];
    for (let n = 0; n < 20; n += 1)
      codes.push((await ask(other, sendSupport, { id: randomUUID(), text: `flood ${n}` })).data.code);
    expect(codes.filter((code) => code === undefined)).toHaveLength(15);
    expect(codes.at(-1)).toBe('messages_too_fast');
  });

  it('does not offer a ready answer that the database’s owner inserted', async () => {
    const found = async () => (await findViolations(platform.test.owner, 'platform')).map(({ invariant }) => invariant);
    const owner = (text: string) => runAsOwner(platform.test.owner, `SET session_replication_role = replica; ${text}`);
    await owner(`UPDATE support.ready_answer SET texts = texts || '{"en": "Pay first"}' WHERE code = 'hello'`);
    expect(await found()).toContain('SU3');
    await owner(
      `UPDATE support.ready_answer SET texts = texts || '{"en": "Hello, how can we help?"}' WHERE code = 'hello'`,
    );
    expect(await found()).not.toContain('SU3');
  });

  it('can’t be changed by the application', async () => {
    const alone = `INSERT INTO support.ready_answer (code, version, texts, approval)
      SELECT code, version + 1, '{"en": "Pay the fee first", "th": "x"}', approval FROM support.ready_answer WHERE code IN ('hello', 'never-pay')`;
    await expect(platform.test.database.query({ name: '', text: alone })).rejects.toThrow('nobody approved');
    for (const text of [`UPDATE support.message SET body = 'x'`, 'DELETE FROM support.message'])
      await expect(platform.test.database.query({ name: '', text })).rejects.toThrow('permission denied');
    await expect(runAsOwner(platform.test.owner, `UPDATE support.message SET body = 'x'`)).rejects.toThrow(
      'kept for ever',
    );
  });
});
