import {
  changePaymentPassword,
  editUser,
  forgetPassword,
  registerCustomer,
  sendEmailCode,
  sendSmsCode,
} from '@sathorn/api';
import { LANGUAGES } from '@sathorn/text';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CUSTOMER_LIMITS } from '../limits/customer-limits.ts';
import { openTestCustomers, type TestCustomers } from '../testing-customers.ts';
import { type CodeBudgetAlarm, openCodeBudget } from './code-budget.ts';
import { openVerificationCodes } from './verification-codes.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let room: TestCustomers;
let numbers = 0;
const freshPhone = (): string => {
  numbers += 1;
  return `09${String(30_000_000 + numbers * 10_007).slice(-8)}`;
};
beforeAll(async () => {
  room = await openTestCustomers();
});
afterAll(() => room.close());
beforeEach(() => room.clock.advance(2 * DAY));

const sms = (userphone: string, must = 'register', caller = {}) => room.call(sendSmsCode, { userphone, must }, caller);
const signUp = (phone: string, code: string, username = `qz_${phone.slice(-8)}`) =>
  room.call(registerCustomer, {
    mode: 'phone',
    phone,
    code,
    password: 'k7Wm2xPq',
    paypass: '739152',
    username,
    currency: 'BAHT',
    invite_code: 'WELCOME',
    agree: '1',
  });
const triesOf = async (phone: string): Promise<number | undefined> =>
  (
    await room.sql<{ tries: number }>('SELECT tries FROM customers.code WHERE contact = $1', [`+66${phone.slice(1)}`])
  )[0]?.tries;

describe('a code', () => {
  it('S9.3 has six digits, and can be requested again after 60 seconds, not before', async () => {
    const phone = freshPhone();
    expect(await sms(phone)).toMatchObject({ ret: 1, data: { wait: 60 } });
    expect(await room.codeFor(phone)).toMatch(/^[0-9]{6}$/);
    room.clock.advance(45_000);
    expect(await sms(phone)).toMatchObject({ refusal: 'code_too_soon', params: { wait: '15' } });
    // The same phone number in another spelling.
    expect((await sms(`+66${phone.slice(1)}`)).refusal).toBe('code_too_soon');
    room.clock.advance(15_000);
    expect((await sms(phone)).ret).toBe(1);
  });

  it('is valid for ten minutes', async () => {
    const [inTime, late] = [freshPhone(), freshPhone()];
    await sms(inTime);
    await sms(late);
    room.clock.advance(10 * MINUTE - 1);
    expect((await signUp(inTime, await room.codeFor(inTime))).ret).toBe(1);
    room.clock.advance(1);
    expect((await signUp(late, await room.codeFor(late))).refusal).toBe('code_wrong');
  });

  it('is valid for one sign-up, within five tries', async () => {
    const phone = freshPhone();
    await sms(phone);
    const code = await room.codeFor(phone);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let n = 0; n < 4; n += 1) expect((await signUp(phone, wrong)).refusal).toBe('code_wrong');
    expect((await signUp(phone, code)).ret).toBe(1);
    expect((await signUp(phone, code, 'qz_second')).refusal).toBe('code_wrong');

    const other = freshPhone();
    await sms(other);
    const right = await room.codeFor(other);
    for (let n = 0; n < 5; n += 1) await signUp(other, right === '000000' ? '000001' : '000000');
    expect((await signUp(other, right)).refusal).toBe('code_wrong');
  });

  it('is replaced by the next', async () => {
    const phone = freshPhone();
    await sms(phone);
    const first = await room.codeFor(phone);
    room.clock.advance(MINUTE);
    await sms(phone);
    const second = await room.codeFor(phone);
    if (first !== second) expect((await signUp(phone, first)).refusal).toBe('code_wrong');
    expect((await signUp(phone, second)).ret).toBe(1);
  });

  it('is bound to its contact and its purpose', async () => {
    const [one, two] = [freshPhone(), freshPhone()];
    await sms(one);
    await sms(two);
    const code = await room.codeFor(one);
    if ((await room.codeFor(two)) !== code) expect((await signUp(two, code)).refusal).toBe('code_wrong');
    const { token } = await room.signUp();
    expect((await room.call(editUser, { phone: one, code }, { token })).refusal).toBe('code_wrong');
    expect(
      (await room.call(changePaymentPassword, { code, password: '408217', confirm: '408217' }, { token })).refusal,
    ).toBe('code_wrong');
    expect((await signUp(one, code)).ret).toBe(1);
  });

  it('to edit a contact belongs to the customer who edits: other customers neither replace it nor use up its tries', async () => {
    const phone = freshPhone();
    const [own, other] = [await room.signUp(), await room.signUp()];
    const ask = (token: string) => sms(phone, 'edit', { token });
    const edit = ({ token, paypass }: { token: string; paypass: string }, code: string) =>
      room.call(editUser, { phone, code, paypass }, { token });
    expect((await ask(own.token)).ret).toBe(1);
    const code = await room.codeFor(phone);
    expect((await ask(other.token)).refusal).toBe('code_too_soon');
    room.clock.advance(MINUTE);
    expect((await ask(other.token)).ret).toBe(1);
    const others = await room.codeFor(phone);
    if (others !== code) expect((await edit(other, code)).refusal).toBe('code_wrong');
    for (let n = 0; n < 6; n += 1) await edit(other, others === '000000' ? '000001' : '000000');
    expect((await edit(other, others)).refusal).toBe('code_wrong');
    expect((await edit(own, code)).ret).toBe(1);
  });

  it('E3 of a thousand guesses at once, only five are checked', async () => {
    const phone = freshPhone();
    await sms(phone);
    const code = await room.codeFor(phone);
    const guesses = Array.from({ length: 1_000 }, (_, i) =>
      String((Number(code) + 1 + i) % 1_000_000).padStart(6, '0'),
    );
    const codes = openVerificationCodes({ ...room.room, brand: 'Sathorn', host: 'app.example' });
    const answers = await Promise.all(
      guesses.map((guess, i) =>
        codes.check(
          { contact: { kind: 'phone', value: `+66${phone.slice(1)}` }, purpose: 'register' },
          guess,
          `198.51.100.${i % 250}`,
          room.clock.now(),
        ),
      ),
    );
    expect(answers.filter((answer) => answer !== null)).toEqual([]);
    expect(await triesOf(phone)).toBe(5);
    // The correct code, but too late.
    expect((await signUp(phone, code)).refusal).toBe('code_wrong');
  });

  it('of sixty correct answers at once over HTTP, only one signs up', async () => {
    const phone = freshPhone();
    await sms(phone);
    const code = await room.codeFor(phone);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => signUp(phone, code, `qr_${i}_${phone.slice(-4)}`)),
    );
    expect(answers.filter(({ ret }) => ret === 1)).toHaveLength(1);
    // After the first sign-up, the others may find the code used before their tries are counted.
    expect(await triesOf(phone)).toBeLessThanOrEqual(5);
  });
});

describe('budgets', () => {
  it('others’ requests do not reduce the limit of the customer who owns the contact', async () => {
    const [own, other] = [await room.signUp(), await room.signUp()];
    const ask = (token: string) => sms(own.phone, 'edit', { token });
    room.clock.advance(2 * DAY);
    for (let n = 0; n < 10; n += 1) {
      expect((await ask(other.token)).ret).toBe(1);
      if (n === 0) expect((await ask(own.token)).ret).toBe(1);
      room.clock.advance(MINUTE);
    }
    expect((await ask(other.token)).refusal).toBe('code_budget_spent');
    expect((await ask(own.token)).ret).toBe(1);
    const code = await room.codeFor(own.phone);
    const change = { code, password: '408217', confirm: '408217' };
    expect((await room.call(changePaymentPassword, change, { token: own.token })).ret).toBe(1);
  });

  it('codes that strangers request to sign up do not reduce those for a forgotten password', async () => {
    const { phone } = await room.signUp();
    // Signing up just now used the first code.
    room.clock.advance(61_000);
    for (let n = 0; n < 9; n += 1) {
      expect((await sms(phone, 'register', { address: `198.51.7.${n}` })).ret).toBe(1);
      room.clock.advance(61_000);
    }
    expect((await sms(phone, 'register')).refusal).toBe('code_budget_spent');
    expect((await sms(phone, 'forget')).ret).toBe(1);
  });

  it('E4 a contact gets ten codes a day', async () => {
    const phone = freshPhone();
    for (let n = 0; n < 10; n += 1) {
      expect((await sms(phone)).ret).toBe(1);
      room.clock.advance(MINUTE);
    }
    expect((await sms(phone)).refusal).toBe('code_budget_spent');
    room.clock.advance(DAY);
    expect((await sms(phone)).ret).toBe(1);
  });

  it('only twenty wrong guesses a day are checked, whatever the number of codes', async () => {
    const phone = freshPhone();
    for (let n = 0; n < 5; n += 1) {
      await sms(phone);
      const code = await room.codeFor(phone);
      for (let guess = 0; guess < (n === 4 ? 0 : 5); guess += 1)
        await signUp(phone, code === '000000' ? '000001' : '000000');
      if (n < 4) room.clock.advance(MINUTE);
    }
    // All tries are used up, so even the right code is rejected.
    expect((await signUp(phone, await room.codeFor(phone))).refusal).toBe('code_wrong');
    room.clock.advance(DAY);
    await sms(phone);
    expect((await signUp(phone, await room.codeFor(phone))).ret).toBe(1);
  });

  it('a live brand’s block of numbers and its network address have their own budgets', async () => {
    const parts = room.room;
    const codes = openVerificationCodes({
      ...parts,
      limits: CUSTOMER_LIMITS.live,
      brand: 'Sathorn',
      host: 'app.example',
    });
    const now = room.clock.now();
    const send = (value: string, address: string) =>
      codes.send(
        {
          proof: { contact: { kind: 'phone', value }, purpose: 'register' },
          address,
          language: 'th',
          customer: null,
          isForSomebody: true,
          isOwn: false,
        },
        now,
      );
    const block = await Promise.all(
      Array.from({ length: 201 }, (_, i) => send(`+6699988${String(i).padStart(4, '0')}`, `198.51.100.${i % 250}`)),
    );
    expect(block.filter(({ ok }) => ok)).toHaveLength(200);
    const address = await Promise.all(
      Array.from({ length: 60 }, (_, i) => send(`+66${String(610_000_000 + i * 10_000)}`, '192.0.2.1')),
    );
    expect(address.filter(({ ok }) => ok)).toHaveLength(50);
    expect(address.find(({ ok }) => !ok)).toMatchObject({ refusal: 'code_budget_spent' });
  });

  it('a mailbox cannot use up the codes of its provider’s other customers, and its spellings share one limit', async () => {
    const codes = openVerificationCodes({
      ...room.room,
      limits: CUSTOMER_LIMITS.live,
      brand: 'Sathorn',
      host: 'app.example',
    });
    const now = room.clock.now();
    const send = (value: string, n: number) =>
      codes.send(
        {
          proof: { contact: { kind: 'email', value }, purpose: 'register' },
          address: `198.51.${n >> 8}.${n & 255}`,
          language: 'th',
          customer: null,
          isForSomebody: true,
          isOwn: false,
        },
        now,
      );
    const count = async (emailOf: (n: number) => string, tries: number): Promise<number> => {
      const sent = await Promise.all(Array.from({ length: tries }, (_, n) => send(emailOf(n), n)));
      return sent.filter(({ ok }) => ok).length;
    };
    expect(await count((n) => `somebody${n}@gmail.com`, 250)).toBe(250);
    expect(await count((n) => `somebody${n}@catches-all.example`, 250)).toBe(200);
    expect(await count((n) => `${'a.'.repeat(n)}a+${n}@gmail.com`, 12)).toBe(12);
    expect(await count((n) => `v.ictim+${n}@gmail.com`, 12)).toBe(10);
    expect(await send('victim@googlemail.com', 1)).toMatchObject({ refusal: 'code_budget_spent' });
  });

  it('sign-ups leave a part of the budget to customers, and raise an alarm when their part is spent', async () => {
    const max = (count: number) => ({ kind: 'window', max: count, windowMs: DAY }) as const;
    // Uses emails, because other tests send few of them.
    const limits = { ...CUSTOMER_LIMITS.live, codesInAll: max(10), codesToSignUp: max(6) };
    const alarms: CodeBudgetAlarm[] = [];
    const codeBudget = openCodeBudget(limits, (alarm) => alarms.push(alarm));
    const codes = openVerificationCodes({ ...room.room, limits, codeBudget, brand: 'Sathorn', host: 'app.example' });
    const now = room.clock.now();
    let people = 0;
    const send = (purpose: 'register' | 'forget', isForSomebody = true) => {
      people += 1;
      return codes.send(
        {
          proof: {
            contact: { kind: 'email', value: `flood${people}@d${people}.example` },
            ...(purpose === 'forget' ? { purpose, isKnownNetwork: false } : { purpose }),
          },
          address: `203.0.${people >> 8}.${people & 255}`,
          language: 'th',
          customer: null,
          isForSomebody,
          isOwn: false,
        },
        now,
      );
    };
    // Codes for contacts without a customer are not sent, so a flood of such requests spends nothing.
    for (let n = 0; n < 20; n += 1) expect((await send('forget', false)).ok).toBe(true);
    expect(alarms).toEqual([]);
    const flood = await Promise.all(Array.from({ length: 20 }, () => send('register')));
    expect(flood.filter(({ ok }) => ok)).toHaveLength(6);
    expect(flood.find(({ ok }) => !ok)).toMatchObject({ refusal: 'code_budget_spent' });
    for (let n = 0; n < 4; n += 1) expect((await send('forget')).ok).toBe(true);
    // When the budget is spent, contacts with and without a customer get the same refusal, which so reveals nothing.
    expect([await send('forget'), await send('forget', false)]).toEqual([
      expect.objectContaining({ refusal: 'code_budget_spent' }),
      expect.objectContaining({ refusal: 'code_budget_spent' }),
    ]);
    const said = alarms.map(({ kind, part, percent }) => `${kind} ${part} ${percent}`);
    expect(said.sort()).toEqual([
      'email all 100',
      'email all 50',
      'email all 80',
      'email sign_up 100',
      'email sign_up 50',
      'email sign_up 80',
    ]);
    expect(codeBudget.spent('email', 'all', now)).toBe(1);
    expect(codeBudget.spent('email', 'sign_up', new Date(now.getTime() + DAY))).toBe(0);
    expect(codeBudget.spent('phone', 'all', now)).toBe(0);
  });

  it('a session can’t circumvent the limit: an account sends at most thirty codes a day to new contacts', async () => {
    const { token } = await room.signUp();
    const answers = [];
    for (let n = 0; n < 31; n += 1) answers.push(await sms(freshPhone(), 'edit', { token, address: `192.0.2.${n}` }));
    expect(answers.filter(({ ret }) => ret === 1)).toHaveLength(30);
    expect(answers.at(-1)?.refusal).toBe('code_budget_spent');
    room.clock.advance(DAY);
    expect((await sms(freshPhone(), 'edit', { token })).ret).toBe(1);
  });

  it('numbers of areas that are not served cost nothing', async () => {
    const before = (await room.sql('SELECT 1 FROM customers.outbox')).length;
    for (const phone of ['+818012345678', '+12025550123', '00818012345678']) {
      expect(await sms(phone)).toMatchObject({ refusal: 'area_not_served', fields: ['userphone'] });
    }
    expect(await sms('081234567')).toMatchObject({ refusal: 'malformed_request', fields: ['userphone'] });
    expect(await room.sql('SELECT 1 FROM customers.outbox')).toHaveLength(before);
  });
});

describe('the answers do not reveal who is a customer', () => {
  it('by a code for a forgotten password', async () => {
    const { phone } = await room.signUp();
    const unknown = freshPhone();
    room.clock.advance(MINUTE);
    const [known, nobody] = [await sms(phone, 'forget'), await sms(unknown, 'forget')];
    expect(nobody).toEqual(known);
    expect([await sms(phone, 'forget'), await sms(unknown, 'forget')].map(({ refusal }) => refusal)).toEqual([
      'code_too_soon',
      'code_too_soon',
    ]);
    await expect(room.codeFor(unknown)).rejects.toThrow('no code');
    const forget = (contact: string) =>
      room.call(forgetPassword, {
        mode: 'phone',
        phone: contact,
        code: '000000',
        password: 'v8RtQ2zLw',
        confirm: 'v8RtQ2zLw',
      });
    for (let n = 0; n < 7; n += 1) expect(await forget(unknown)).toEqual(await forget(phone));
    const email = { email: 'nobody@example.org', must: 'forget' };
    expect(await room.call(sendEmailCode, email)).toEqual(known);
  });

  it('by a code for signing up', async () => {
    const { phone } = await room.signUp();
    const unknown = freshPhone();
    room.clock.advance(MINUTE);
    expect(await sms(unknown)).toEqual(await sms(phone));
    expect(await signUp(phone, '000000')).toEqual(await signUp(unknown, '000000'));
  });
});

it('a code to edit an account is sent from within a session only', async () => {
  const { token } = await room.signUp();
  const [without, within] = [freshPhone(), freshPhone()];
  expect(await sms(without, 'edit')).toEqual(await sms(within, 'edit', { token }));
  await expect(room.codeFor(without)).rejects.toThrow('no code');
  expect(await room.codeFor(within)).toMatch(/^[0-9]{6}$/);
});

it('a caller without a session neither replaces, delays nor uses up the codes of a signed-in customer', async () => {
  const { token, paypass } = await room.signUp();
  const phone = freshPhone();
  for (let n = 0; n < 12; n += 1) {
    expect((await sms(phone, 'edit')).ret).toBe(1);
    room.clock.advance(MINUTE);
  }
  expect((await sms(phone, 'edit', { token })).ret).toBe(1);
  const code = await room.codeFor(phone);
  room.clock.advance(MINUTE);
  await sms(phone, 'edit');
  expect((await room.call(editUser, { phone, code, paypass }, { token })).ret).toBe(1);
});

it('contacts of people who never signed up are deleted', async () => {
  const phone = freshPhone();
  await sms(phone);
  await room.customers.sweep();
  expect(await triesOf(phone)).toBe(0);
  room.clock.advance(DAY + 10 * MINUTE + 1);
  await room.customers.sweep();
  expect(await triesOf(phone)).toBeUndefined();
});

it.each(LANGUAGES)('is worded in %s', async (lang) => {
  const phone = freshPhone();
  await sms(phone, 'register', { lang });
  const [row] = await room.sql<{ text: string; code: string }>(
    'SELECT text, code FROM customers.outbox ORDER BY id DESC LIMIT 1',
  );
  expect(row?.text).toContain(row?.code);
  expect(row?.text).toContain('Sathorn');
});

it('an SMS ends with the line by which a browser fills in the code on our host only', async () => {
  await sms(freshPhone());
  const [row] = await room.sql<{ text: string; code: string }>(
    'SELECT text, code FROM customers.outbox ORDER BY id DESC LIMIT 1',
  );
  const last = row?.text.split('\n').at(-1) ?? '';
  expect(last).toMatch(/^@[a-z0-9.-]+ #[0-9]{6}$/);
  expect(last).toContain(row?.code);
});

it('no unexpected fault was reported', () => expect(room.faults).toEqual([]));
