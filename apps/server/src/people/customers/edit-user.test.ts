import { editAvatar, editUser, readOutbox, readUser, sendEmailCode, sendSmsCode } from '@sathorn/api';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestCustomers, type SignedUpCustomer, type TestCustomers } from './testing-customers.ts';

let room: TestCustomers;
let mali: SignedUpCustomer;
beforeAll(async () => {
  room = await openTestCustomers();
});
afterAll(() => room.close());
beforeEach(async () => {
  room.clock.advance(2 * 24 * 3_600_000);
  mali = await room.signUp();
  room.clock.advance(60_000);
});
const edit = (fields: Record<string, string>, who = mali) => room.call(editUser, fields, { token: who.token });

describe('the profile', () => {
  it('accepts a nickname, cleaned, and a currency, together or alone', async () => {
    expect((await edit({ nickname: '  น้อง\u202Eมะลิ\u200B ' })).data).toMatchObject({
      nickname: 'น้องมะลิ',
      currency: 'BAHT',
    });
    expect((await edit({ currency: 'JPY' })).data).toMatchObject({ nickname: 'น้องมะลิ', currency: 'JPY' });
    expect((await edit({ nickname: "Robert'); DROP TABLE", currency: 'USD' })).data).toMatchObject({
      nickname: "Robert'); DROP TABLE",
      currency: 'USD',
    });
    expect((await room.call(readUser, {}, { token: mali.token })).data).toMatchObject({ currency: 'USD' });
  });

  it.each([
    ['nothing_to_change', [], {}],
    ['nothing_to_change', [], { code: '123456' }],
    ['nickname_refused', ['nickname'], { nickname: '\u200B\u2066x'.slice(0, 2) }],
    ['nickname_refused', ['nickname'], { nickname: 'a'.repeat(25) }],
    ['nickname_refused', ['nickname'], { nickname: 'Sathorn Support' }],
    ['malformed_request', ['currency'], { currency: 'EUR' }],
    ['malformed_request', ['phone'], { phone: '+818012345678', code: '123456' }],
    ['malformed_request', ['email'], { phone: '0811112222', email: 'a@example.org', code: '123456' }],
    ['code_wrong', ['code'], { email: 'a@example.org' }],
    ['code_wrong', ['code'], { email: 'a@example.org', code: '123456' }],
  ])('%s at %j', async (refusal, fields, request) => {
    const answer = await edit(request);
    expect(answer).toMatchObject({ ret: 0, refusal, fields });
  });

  it('refuses a field that customers may not set, and then sets nothing', async () => {
    const before = (await room.call(readUser, {}, { token: mali.token })).data;
    const { refusal, fields } = await edit({
      currency: 'USD',
      balance: '1000000',
      vip_level: '9',
      invite_allowed: 'true',
      id: '1',
      username: 'other',
      status: 'x',
      __proto__: 'y',
    });
    expect([refusal, fields.toSorted()]).toEqual([
      'malformed_request',
      ['balance', 'id', 'invite_allowed', 'status', 'username', 'vip_level'],
    ]);
    expect((await room.call(readUser, {}, { token: mali.token })).data).toEqual(before);
  });
});

describe('a contact', () => {
  it('is changed with a code that went to the new contact; the old one is notified', async () => {
    const phone = '0955500001';
    await room.call(sendSmsCode, { userphone: phone, must: 'edit' }, { token: mali.token });
    const { data } = await edit({ phone, code: await room.codeFor(phone), paypass: mali.paypass, nickname: 'Mali' });
    expect(data).toMatchObject({ phone: '+66955500001', nickname: 'Mali' });
    const { data: sent } = await room.call(readOutbox, { to: mali.phone });
    expect(sent[0]).toMatchObject({ code: null, text: expect.stringContaining('was changed') });
    const [newest] = (await room.messages.list(mali.id, 'all', undefined, { language: 'en' })).items;
    expect(newest?.title).toMatch(/phone|email|contact/i);
  });

  it('of another customer is refused, even with the right code', async () => {
    const other = await room.signUp();
    room.clock.advance(60_000);
    await room.call(sendSmsCode, { userphone: other.phone, must: 'edit' }, { token: mali.token });
    const answer = await edit({
      phone: other.phone,
      code: await room.codeFor(other.phone),
      paypass: mali.paypass,
    });
    expect(answer).toMatchObject({ refusal: 'contact_taken', fields: ['phone'] });
  });

  it('that somebody signs up with while the payment password is checked is refused without a fault', async () => {
    const phone = '0955500002';
    const { id, token } = await room.signUp();
    await room.call(sendSmsCode, { userphone: phone, must: 'edit' }, { token });
    const code = await room.codeFor(phone);
    const holding = new pg.Client(room.test.owner);
    await holding.connect();
    await holding.query('BEGIN');
    await holding.query('SELECT FROM customers.credential WHERE customer = $1 FOR UPDATE', [id]);
    const editing = room.call(editUser, { phone, code, paypass: mali.paypass }, { token });
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%customers.credential%'`;
    while ((await room.sql(waiting)).length === 0) await new Promise((go) => setImmediate(go));
    room.clock.advance(60_000);
    await room.signUp({ phone });
    await holding.query('COMMIT');
    await holding.end();
    expect(await editing).toMatchObject({ refusal: 'contact_taken', fields: ['phone'] });
  });

  it('can be added', async () => {
    await room.call(sendEmailCode, { email: 'Mali.New@example.org', must: 'edit' }, { token: mali.token });
    const code = await room.codeFor('mali.new@example.org');
    const { data } = await edit({ email: 'mali.new@EXAMPLE.org', code, paypass: mali.paypass });
    expect(data).toMatchObject({ email: 'mali.new@example.org', phone: `+66${mali.phone.slice(1)}` });
  });
});

describe('a change of a contact requires a password besides the code', () => {
  let email: string;
  let code: string;
  beforeEach(async () => {
    email = `${mali.username.toLowerCase()}@example.org`;
    await room.call(sendEmailCode, { email, must: 'edit' }, { token: mali.token });
    code = await room.codeFor(email);
  });
  const emailNow = async () => (await room.call(readUser, {}, { token: mali.token })).data.email;
  const withoutPaypass = () =>
    room.sql("DELETE FROM customers.credential WHERE customer = $1 AND kind = 'payment'", [mali.id]);

  it('the payment password: without it, or with the login password alone, nothing changes', async () => {
    for (const fields of [{}, { password: mali.password }])
      expect(await edit({ email, code, ...fields })).toMatchObject({
        refusal: 'malformed_request',
        fields: ['paypass'],
      });
    expect(await edit({ email, code, paypass: '000001', password: mali.password })).toMatchObject({
      refusal: 'paypass_wrong',
      fields: ['paypass'],
      params: { left: '4' },
    });
    expect(await emailNow()).toBeNull();
    // The code can still be used for another try.
    expect((await edit({ email, code, paypass: mali.paypass })).data).toMatchObject({ email });
  });

  it('its tries count for the payment password: five wrong ones lock it, more reveal nothing', async () => {
    for (let n = 0; n < 5; n += 1)
      expect((await edit({ email, code, paypass: '000001' })).refusal).toBe('paypass_wrong');
    room.clock.advance(60_000);
    await room.call(sendEmailCode, { email, must: 'edit' }, { token: mali.token });
    code = await room.codeFor(email);
    expect((await edit({ email, code, paypass: mali.paypass })).refusal).toBe('paypass_locked');
    expect((await room.customers.checkPaymentPassword(mali.id, mali.paypass, room.clock.now())).ok).toBe(false);
    expect(await emailNow()).toBeNull();
  });

  it('a wrong code costs no try', async () => {
    const wrong = code === '111111' ? '222222' : '111111';
    for (let n = 0; n < 3; n += 1)
      expect((await edit({ email, code: wrong, paypass: '000001' })).refusal).toBe('code_wrong');
    expect((await edit({ email, code, paypass: '000001' })).params).toEqual({ left: '4' });
  });

  it('the login password if no payment password is set, as slow to guess as when it is changed', async () => {
    await withoutPaypass();
    expect(await edit({ email, code, paypass: mali.paypass })).toMatchObject({
      refusal: 'malformed_request',
      fields: ['password'],
    });
    expect(await edit({ email, code, password: 'Wrong1word' })).toMatchObject({
      refusal: 'password_wrong',
      fields: ['password'],
    });
    expect((await edit({ email, code, password: mali.password })).data).toMatchObject({ email });

    const other = `other.${email}`;
    const answers: (string | null)[] = [];
    for (let n = 0; n < 6; n += 1) {
      // A code allows five tries. More guesses need another code, and only one is sent per minute.
      if (n % 5 === 0) {
        room.clock.advance(60_000);
        await room.call(sendEmailCode, { email: other, must: 'edit' }, { token: mali.token });
        code = await room.codeFor(other);
      }
      answers.push((await edit({ email: other, code, password: 'Wrong1word' })).refusal);
    }
    expect(answers.slice(0, 5)).toEqual(Array(5).fill('password_wrong'));
    expect((await edit({ email: other, code, password: mali.password })).refusal).toBe('login_delayed');
    expect(await emailNow()).toBe(email);
  });

  it('a nickname and a currency require no password', async () => {
    expect((await edit({ nickname: 'Mali', currency: 'JPY' })).ret).toBe(1);
  });
});

it('F9 an avatar must be one of the customer’s own pictures', async () => {
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#c33' } })
    .png()
    .toBuffer();
  const kept = await room.files.keepPicture(mali.id, bytes, room.clock.now());
  if (!kept.ok) throw new Error('the picture was refused');
  const { data } = await room.call(editAvatar, { userimg: kept.effect.id }, { token: mali.token });
  expect((await room.call(readUser, {}, { token: mali.token })).data.avatar).toBe(data.avatar);

  const other = await room.signUp();
  const answers = await Promise.all(
    ['nosuchpicture', kept.effect.id].map((userimg) => room.call(editAvatar, { userimg }, { token: other.token })),
  );
  expect(answers.map(({ refusal }) => refusal)).toEqual(['picture_unknown', 'picture_unknown']);
  expect(answers[0]?.data).toEqual(answers[1]?.data);
});

it('consent to be shown is off until the customer gives it', async () => {
  expect((await room.customers.namesOfConsenting([mali.id])).size).toBe(0);
  const edited = await room.call(editUser, { public_wins: 'true' }, { token: mali.token });
  expect(edited.data).toMatchObject({ public_wins: true });
  expect(await room.customers.namesOfConsenting([mali.id, 5n])).toEqual(new Map([[mali.id, mali.username]]));
});

it('no unexpected fault was reported', () => expect(room.faults).toEqual([]));
