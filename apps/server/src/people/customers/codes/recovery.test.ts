import { changePassword, forgetPassword, loginCustomer, registerCustomer, sendSmsCode } from '@sathorn/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contactMacOf } from '../contact-mac.ts';
import { openTestCustomers, type TestCustomers } from '../testing-customers.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const HOME = { address: '203.0.113.7' };
/** An address in the same /24 network as the owner's. */
const NEXT_DOOR = { address: '203.0.113.201', userAgent: 'another browser' };
const NEW_PASSWORD = 'v8RtQ2zLw';

let room: TestCustomers;
beforeAll(async () => {
  room = await openTestCustomers();
});
afterAll(() => room.close());
beforeEach(() => room.clock.advance(2 * DAY));

/** Each stranger has their own network. */
const stranger = (n: number) => ({ address: `198.${n >> 8}.${n & 255}.9`, userAgent: `stranger ${n}` });
const ask = (userphone: string, caller = {}) => room.call(sendSmsCode, { userphone, must: 'forget' }, caller);
const reset = (phone: string, code: string, caller = {}) =>
  room.call(forgetPassword, { mode: 'phone', phone, code, password: NEW_PASSWORD, confirm: NEW_PASSWORD }, caller);
const sentTo = async (phone: string): Promise<string[]> =>
  (
    await room.sql<{ code: string }>(
      'SELECT code FROM customers.outbox WHERE contact = $1 AND at > $2 AND code IS NOT NULL',
      [`+66${phone.slice(1)}`, new Date(room.clock.now().getTime() - DAY)],
    )
  ).map(({ code }) => code);
const other = (code: string): string => (code === '000000' ? '000001' : '000000');

describe('L11 strangers who request codes to a customer’s phone', () => {
  it('leave one code to its owner, when the owner requests it from a known network', async () => {
    const { phone } = await room.signUp({}, HOME);
    room.clock.advance(2 * DAY);
    for (let n = 0; n < 12; n += 1) expect((await ask(phone, stranger(n))).ret).toBe(1);
    // Even strangers' requests in the same minute do not delay the owner.
    expect((await ask(phone, NEXT_DOOR)).ret).toBe(1);
    expect(await sentTo(phone)).toHaveLength(6);
    const code = await room.codeFor(phone);
    expect((await reset(phone, code, NEXT_DOOR)).ret).toBe(1);
    expect((await room.call(loginCustomer, { username: phone, password: NEW_PASSWORD }, HOME)).ret).toBe(1);
  });

  it('do not replace a code that the owner has requested', async () => {
    const { phone } = await room.signUp({}, HOME);
    room.clock.advance(2 * DAY);
    expect((await ask(phone, HOME)).ret).toBe(1);
    const code = await room.codeFor(phone);
    for (let n = 0; n < 5; n += 1) expect((await ask(phone, stranger(n))).ret).toBe(1);
    expect(await sentTo(phone)).toHaveLength(6);
    expect((await reset(phone, code, HOME)).ret).toBe(1);
  });

  it('make at most five messages arrive in a day, from any number of networks', async () => {
    const { phone } = await room.signUp({}, HOME);
    room.clock.advance(2 * DAY);
    for (let n = 0; n < 40; n += 1) expect((await ask(phone, stranger(n))).ret).toBe(1);
    expect(await sentTo(phone)).toHaveLength(5);
    for (let n = 0; n < 5; n += 1) {
      expect((await ask(phone, HOME)).ret).toBe(1);
      room.clock.advance(MINUTE);
    }
    expect(await sentTo(phone)).toHaveLength(10);
    expect((await ask(phone, HOME)).refusal).toBe('code_budget_spent');
    room.clock.advance(DAY);
    expect((await ask(phone, stranger(1))).ret).toBe(1);
    expect(await sentTo(phone)).toHaveLength(1);
  });

  it('include the network of a thief whose session was ended by a new password', async () => {
    const { phone, token, password } = await room.signUp({}, HOME);
    const thief = stranger(7);
    expect((await room.call(loginCustomer, { username: phone, password }, thief)).ret).toBe(1);
    const change = { old: password, password: NEW_PASSWORD, confirm: NEW_PASSWORD };
    expect((await room.call(changePassword, change, { ...HOME, token })).ret).toBe(1);
    room.clock.advance(2 * DAY);
    for (let n = 20; n < 30; n += 1) await ask(phone, stranger(n));
    expect((await ask(phone, thief)).ret).toBe(1);
    expect(await sentTo(phone)).toHaveLength(5);
    expect((await ask(phone, HOME)).ret).toBe(1);
    expect(await sentTo(phone)).toHaveLength(6);
  });

  it('include the owner on a network last used more than 90 days ago', async () => {
    const { phone } = await room.signUp({}, HOME);
    room.clock.advance(91 * DAY);
    for (let n = 0; n < 10; n += 1) await ask(phone, stranger(n));
    await ask(phone, HOME);
    expect(await sentTo(phone)).toHaveLength(5);
  });
});

describe('strangers who guess codes', () => {
  it('use up none of the tries of a code that the owner requested', async () => {
    const { phone } = await room.signUp({}, HOME);
    room.clock.advance(2 * DAY);
    for (let round = 0; round < 4; round += 1) {
      await ask(phone, stranger(round));
      const code = await room.codeFor(phone);
      for (let n = 0; n < 5; n += 1)
        expect((await reset(phone, other(code), stranger(100 + 5 * round + n))).refusal).toBe('code_wrong');
    }
    await ask(phone, HOME);
    const code = await room.codeFor(phone);
    // The strangers have used up their twenty guesses of the day: even the correct code reveals nothing and uses up
    // nothing.
    for (let n = 200; n < 220; n += 1) expect((await reset(phone, code, stranger(n))).refusal).toBe('code_wrong');
    for (let n = 0; n < 4; n += 1) expect((await reset(phone, other(code), HOME)).refusal).toBe('code_wrong');
    expect((await reset(phone, code, NEXT_DOOR)).ret).toBe(1);
  });

  it('from one network use half of the strangers’ guesses, and after that no try of a code', async () => {
    const { phone } = await room.signUp({}, HOME);
    room.clock.advance(2 * DAY);
    const [attacker, traveller] = [stranger(1), stranger(2)];
    for (let round = 0; round < 2; round += 1) {
      await ask(phone, stranger(50 + round));
      const code = await room.codeFor(phone);
      for (let n = 0; n < 5; n += 1) await reset(phone, other(code), attacker);
    }
    await ask(phone, traveller);
    const code = await room.codeFor(phone);
    for (let n = 0; n < 10; n += 1) expect((await reset(phone, code, attacker)).refusal).toBe('code_wrong');
    expect((await reset(phone, code, traveller)).ret).toBe(1);
  });
});

it('a code that was requested at home is valid elsewhere, once', async () => {
  const { phone } = await room.signUp({}, HOME);
  room.clock.advance(2 * DAY);
  await ask(phone, HOME);
  const code = await room.codeFor(phone);
  const answers = await Promise.all([
    reset(phone, code, stranger(1)),
    reset(phone, code, HOME),
    reset(phone, code, stranger(2)),
    reset(phone, code, NEXT_DOOR),
  ]);
  expect(answers.filter(({ ret }) => ret === 1)).toHaveLength(1);
  expect((await reset(phone, code, HOME)).refusal).toBe('code_wrong');
});

it('a stranger in the owner’s network gets the same answers as for an unknown phone', async () => {
  const { phone } = await room.signUp({}, HOME);
  const nobodys = '0930000007';
  room.clock.advance(2 * DAY);
  const play = async (to: string): Promise<string[]> => {
    const said: string[] = [];
    const note = ({ ret, refusal, params }: { ret: number; refusal: string | null; params: object }) =>
      said.push(`${ret} ${refusal} ${JSON.stringify(params)}`);
    for (let n = 0; n < 12; n += 1) note(await ask(to, stranger(n)));
    for (let n = 0; n < 7; n += 1) {
      note(await ask(to, NEXT_DOOR));
      note(await ask(to, NEXT_DOOR));
      note(await reset(to, 'AAAAAA', NEXT_DOOR));
      note(await reset(to, 'AAAAAA', stranger(n)));
      room.clock.advance(MINUTE);
    }
    return said;
  };
  expect(await play(phone)).toEqual(await play(nobodys));
});

describe('a stored number in no range of mobile numbers', () => {
  it('signs in by each of its spellings and gets codes, and can’t be used to sign up', async () => {
    const { id, password } = await room.signUp({}, HOME);
    const phone = '0681230007';
    const mac = contactMacOf(room.room.keyedHash, id, { kind: 'phone', value: '+66681230007' });
    await room.sql('UPDATE customers.customer SET phone = $2, phone_mac = $3 WHERE id = $1', [id, '+66681230007', mac]);
    for (const username of [phone, '681230007', '+66681230007', '+66 68-123-0007'])
      expect((await room.call(loginCustomer, { username, password }, HOME)).ret).toBe(1);
    room.clock.advance(2 * DAY);
    expect((await ask(phone, HOME)).ret).toBe(1);
    expect((await reset(phone, await room.codeFor(phone), HOME)).ret).toBe(1);

    const { token } = await room.signUp({}, HOME);
    for (const must of ['register', 'edit'])
      expect(await room.call(sendSmsCode, { userphone: '0681230008', must }, { token })).toMatchObject({
        refusal: 'malformed_request',
        fields: ['userphone'],
      });
    const request = { mode: 'phone', phone: '0681230008', code: '123456', password: 'k7Wm2xPq', paypass: '739152' };
    const more = { username: 'qz_nowhere', currency: 'BAHT', invite_code: 'WELCOME', agree: '1' };
    expect(await room.call(registerCustomer, { ...request, ...more })).toMatchObject({
      refusal: 'malformed_request',
      fields: ['phone'],
    });
  });
});
