import {
  changePassword,
  changePaymentPassword,
  editUser,
  forgetPassword,
  loginCustomer,
  readOutbox,
  readUser,
  sendEmailCode,
  sendSmsCode,
} from '@sathorn/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestCustomers, type SignedUpCustomer, type TestCustomers } from '../testing-customers.ts';

const DAY = 24 * 3_600_000;
const NEW = 'v8RtQ2zLw';

let room: TestCustomers;
let mali: SignedUpCustomer;
beforeAll(async () => {
  room = await openTestCustomers();
});
afterAll(() => room.close());
beforeEach(async () => {
  room.clock.advance(2 * DAY);
  mali = await room.signUp();
  room.clock.advance(60_000);
});

const titles = async (who = mali): Promise<string[]> =>
  (await room.messages.list(who.id, 'all', undefined, { language: 'en' })).items.map(({ title }) => title);
const notices = async (to: string): Promise<string[]> =>
  (await room.call(readOutbox, { to })).data.filter(({ code }) => code === null).map(({ text }) => text);
const login = (password: string) => room.call(loginCustomer, { username: mali.username, password });

describe('changing the login password', () => {
  const change = (fields: Record<string, string>) =>
    room.call(
      changePassword,
      { old: mali.password, password: NEW, confirm: fields.password ?? NEW, ...fields },
      { token: mali.token },
    );

  it.each([
    ['password_wrong', 'old', { old: 'notmine88' }],
    ['password_unchanged', 'password', { password: 'k7Wm2xPq' }],
    ['password_common', 'password', { password: 'dragon88' }],
    ['malformed_request', 'confirm', { confirm: 'somethingElse' }],
    ['malformed_request', 'password', { password: 'short', confirm: 'short' }],
  ])('%s at %s', async (refusal, field, fields) => {
    const answer = await change(fields);
    expect(answer).toMatchObject({ ret: 0, refusal });
    expect(answer.fields).toContain(field);
    expect((await login(mali.password)).ret).toBe(1);
  });

  it('refuses what contains the username', async () => {
    expect((await change({ password: `${mali.username.slice(0, 9)}x` })).refusal).toBe('password_common');
  });

  it('works, notifies in the app and outside, and disables the old one', async () => {
    expect((await change({})).ret).toBe(1);
    expect((await login(mali.password)).refusal).toBe('credentials_wrong');
    expect((await login(NEW)).ret).toBe(1);
    expect((await titles())[0]).toMatch(/password changed/i);
    expect(await notices(mali.phone)).toEqual([expect.stringContaining('login password was changed')]);
  });

  it('delays checks of the old one more and more: of fifty at once, five are checked', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => change({ old: `guess${n}zq` })));
    expect(answers.filter(({ refusal }) => refusal === 'password_wrong')).toHaveLength(5);
    expect(answers.filter(({ refusal }) => refusal === 'login_delayed')).toHaveLength(45);
    expect(await change({})).toMatchObject({ refusal: 'login_delayed', params: { wait: '60' } });
    room.clock.advance(60_000);
    expect((await change({})).ret).toBe(1);
  });

  it('twice at once succeeds once', async () => {
    const answers = await Promise.all([change({ password: 'v8RtQ2zLw' }), change({ password: 'h4Vb9tRzk' })]);
    expect(new Set(answers.map(({ refusal }) => refusal))).toEqual(new Set([null, 'password_wrong']));
  });
});

describe('a forgotten password', () => {
  const forget = (fields: Record<string, string>) =>
    room.call(forgetPassword, {
      mode: 'phone',
      phone: mali.phone,
      password: NEW,
      confirm: fields.password ?? NEW,
      ...fields,
    });
  const codeSent = async (): Promise<string> => {
    await room.call(sendSmsCode, { userphone: mali.phone, must: 'forget' });
    return room.codeFor(mali.phone);
  };

  it('is reset with a code; that lifts the delays that strangers caused, and forgets devices', async () => {
    for (let n = 0; n < 6; n += 1)
      await room.call(
        loginCustomer,
        { username: mali.username, password: `x${n}zq` },
        { address: '198.51.100.1', userAgent: 'evil' },
      );
    const code = await codeSent();
    expect((await forget({ code })).ret).toBe(1);
    expect((await forget({ code })).refusal).toBe('code_wrong');
    const { ret } = await room.call(
      loginCustomer,
      { username: mali.username, password: NEW },
      { address: '198.51.100.2', userAgent: 'own, new' },
    );
    expect(ret).toBe(1);
    expect(await titles()).toEqual([
      expect.stringMatching(/sign-in/i),
      expect.stringMatching(/password/i),
      expect.any(String),
    ]);
    expect(await notices(mali.phone)).toHaveLength(1);
  });

  it.each([
    ['password_common', 'password', { password: 'football7' }],
    ['code_wrong', 'code', { phone: '0811119999' }],
    ['code_wrong', 'code', { phone: '+818012345678' }],
    ['code_wrong', 'code', { code: '999999' }],
  ])('%s at %s', async (refusal, field, fields) => {
    const code = await codeSent();
    if ('code' in fields && code === fields.code) return;
    const answer = await forget({ code, ...fields });
    expect(answer).toMatchObject({ ret: 0, refusal, fields: [field] });
    expect((await login(mali.password)).ret).toBe(1);
  });

  it('can’t be reset by a contact that was added less than a day ago', async () => {
    await room.call(sendEmailCode, { email: 'thief@example.org', must: 'edit' }, { token: mali.token });
    const code = await room.codeFor('thief@example.org');
    const stolen = { email: 'thief@example.org', code, paypass: mali.paypass };
    expect((await room.call(editUser, stolen, { token: mali.token })).ret).toBe(1);
    const email = { mode: 'email', email: 'thief@example.org' };
    expect((await room.call(sendEmailCode, { email: email.email, must: 'forget' })).ret).toBe(1);
    expect(await room.codeFor(email.email)).toBe(code);
    room.clock.advance(DAY);
    await room.call(sendEmailCode, { email: email.email, must: 'forget' });
    expect((await forget({ ...email, code: await room.codeFor(email.email) })).ret).toBe(1);
  });
});

describe('the payment password', () => {
  const check = (paypass: string, now = room.clock.now()) => room.customers.checkPaymentPassword(mali.id, paypass, now);
  const change = (fields: Record<string, string>) =>
    room.call(
      changePaymentPassword,
      { password: '408217', confirm: fields.password ?? '408217', ...fields },
      { token: mali.token },
    );

  it('is right or wrong, and a right one resets the count of wrong ones', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 4; n += 1)
        expect(await check('000001')).toMatchObject({ refusal: 'paypass_wrong', params: { left: String(4 - n) } });
      expect(await check(mali.paypass)).toEqual({ ok: true, effect: null });
    }
  });

  it('is locked for 24 hours by five wrong ones, and its owner is notified', async () => {
    for (let n = 0; n < 5; n += 1) expect((await check('000001')).ok).toBe(false);
    const until = new Date(room.clock.now().getTime() + DAY).toISOString();
    expect(await check(mali.paypass)).toEqual({ ok: false, refusal: 'paypass_locked', params: { until } });
    expect((await titles())[0]).toMatch(/locked/i);
    room.clock.advance(DAY - 1);
    expect((await check(mali.paypass)).ok).toBe(false);
    room.clock.advance(1);
    expect((await check(mali.paypass)).ok).toBe(true);
  });

  it('of a thousand guesses at once, five are checked', async () => {
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, n) => check(String(n).padStart(6, '0'))));
    const count = (refusal: string): number =>
      answers.filter((answer) => !answer.ok && answer.refusal === refusal).length;
    expect([count('paypass_wrong'), count('paypass_locked')]).toEqual([5, 995]);
  });

  it('of a thousand right ones at once, all are right, also beside four wrong ones', async () => {
    const guesses = ['000001', '000002', '000003', '000004', ...Array<string>(1_000).fill(mali.paypass)];
    const answers = await Promise.all(guesses.map((digits) => check(digits)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1_000);
    const [row] = await room.sql<{ wrong: number }>(
      "SELECT wrong FROM customers.credential WHERE customer = $1 AND kind = 'payment'",
      [mali.id],
    );
    expect(row?.wrong).toBeLessThanOrEqual(4);
  });

  it('counts equal wrong digits at once one by one', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => check('000001')));
    const left = answers.flatMap((answer) =>
      !answer.ok && answer.refusal === 'paypass_wrong' ? [Number(answer.params?.left)] : [],
    );
    expect(left.sort()).toEqual([0, 1, 2, 3, 4]);
    expect(await check(mali.paypass)).toMatchObject({ refusal: 'paypass_locked' });
  });

  it('of a customer without one is wrong', async () => {
    await room.sql("DELETE FROM customers.credential WHERE customer = $1 AND kind = 'payment'", [mali.id]);
    expect(await check('739152')).toMatchObject({ refusal: 'paypass_wrong' });
    expect((await room.call(readUser, {}, { token: mali.token })).data.has_paypass).toBe(false);
    await room.call(sendSmsCode, { userphone: mali.phone, must: 'edit' }, { token: mali.token });
    expect((await change({ code: await room.codeFor(mali.phone) })).ret).toBe(1);
    expect((await check('408217')).ok).toBe(true);
  });

  it('is changed with the old one', async () => {
    expect(await change({ old: '000001' })).toMatchObject({ refusal: 'paypass_wrong', fields: ['old'] });
    expect(await change({ old: mali.paypass, password: '123123' })).toMatchObject({
      refusal: 'paypass_common',
      fields: ['password'],
    });
    expect((await change({})).refusal).toBe('malformed_request');
    expect((await change({ old: mali.paypass })).ret).toBe(1);
    expect((await check(mali.paypass)).ok).toBe(false);
    expect((await check('408217')).ok).toBe(true);
    expect((await titles())[0]).toMatch(/payment password/i);
    expect(await notices(mali.phone)).toEqual([expect.stringContaining('payment password was changed')]);
  });

  it('is reset with a code, also when it is locked', async () => {
    for (let n = 0; n < 5; n += 1) await check('000001');
    expect((await change({ old: mali.paypass })).refusal).toBe('paypass_locked');
    expect((await change({ code: '999999' })).refusal).toBe('code_wrong');
    await room.call(sendSmsCode, { userphone: mali.phone, must: 'edit' }, { token: mali.token });
    const code = await room.codeFor(mali.phone);
    expect((await change({ code })).ret).toBe(1);
    expect((await change({ code, password: '518340', confirm: '518340' })).refusal).toBe('code_wrong');
    expect((await check('408217')).ok).toBe(true);
  });

  it('E9 can’t be reset with a code that went to somebody else, or to a new contact', async () => {
    const other = await room.signUp();
    room.clock.advance(60_000);
    await room.call(sendSmsCode, { userphone: other.phone, must: 'edit' }, { token: other.token });
    expect((await change({ code: await room.codeFor(other.phone) })).refusal).toBe('code_wrong');
    const edit = async (): Promise<string> => {
      await room.call(sendEmailCode, { email: 'thief2@example.org', must: 'edit' }, { token: mali.token });
      return room.codeFor('thief2@example.org');
    };
    const stolen = { email: 'thief2@example.org', code: await edit(), paypass: mali.paypass };
    expect((await room.call(editUser, stolen, { token: mali.token })).ret).toBe(1);
    room.clock.advance(60_000);
    expect((await change({ code: await edit() })).refusal).toBe('code_wrong');
  });
});

it('passwords move to a new pepper when they are next used', async () => {
  const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 9)];
  const rotated = room.openAnother({
    secrets: { pepper: fresh, olderPeppers: [old], sessionKey: Buffer.alloc(32, 2), identityKey: Buffer.alloc(32, 3) },
  });
  const only = room.openAnother({
    secrets: { pepper: fresh, sessionKey: Buffer.alloc(32, 2), identityKey: Buffer.alloc(32, 3) },
  });
  const now = room.clock.now();
  await expect(only.checkPaymentPassword(mali.id, mali.paypass, now)).rejects.toThrow('which the secrets do not have');
  expect((await rotated.checkPaymentPassword(mali.id, mali.paypass, now)).ok).toBe(true);
  expect((await only.checkPaymentPassword(mali.id, mali.paypass, now)).ok).toBe(true);
});

it('no unexpected fault was reported', () => expect(room.faults).toEqual([]));
