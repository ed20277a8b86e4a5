import { forgetPassword, loginCustomer, registerCustomer, sendSmsCode } from '@sathorn/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD_COST } from '../passwords/password-hasher.ts';
import { openTestCustomers, type SignedUpCustomer, type TestCustomers } from '../testing-customers.ts';

/**
 * Tolerated relative difference of the times: on a busy machine some is noise, but a missing hash shows as factor five.
 */
const DIFFERENCE_MAX = 0.5;
const ROUNDS = 40;

let room: TestCustomers;
let people: SignedUpCustomer[];
beforeAll(async () => {
  room = await openTestCustomers({ passwordCost: PASSWORD_COST });
  people = [];
  for (let n = 0; n < ROUNDS; n += 1) people.push(await room.signUp());
});
afterAll(() => room.close());

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Compares median times of the same request for a customer and for an unknown contact, alternating. */
async function compare(
  ask: (contact: string, n: number) => Promise<unknown>,
  known: (who: SignedUpCustomer) => string,
  unknown: (n: number) => string,
): Promise<number> {
  const times: [number[], number[]] = [[], []];
  const answers: [unknown[], unknown[]] = [[], []];
  for (const [n, who] of people.entries()) {
    const sides = n % 2 ? ([0, 1] as const) : ([1, 0] as const);
    for (const side of sides) {
      const name = side === 0 ? known(who) : unknown(n);
      const before = performance.now();
      answers[side].push(await ask(name, n));
      times[side].push(performance.now() - before);
    }
  }
  expect(answers[0]).toEqual(answers[1]);
  return median(times[0]) / median(times[1]) - 1;
}

const stranger = (n: number) => ({ address: `198.51.100.${n}`, userAgent: `stranger ${n}` });
const nobody = (n: number): string => `09${String(70_000_000 + n * 10_007)}`;

describe('E5 an answer about a customer and one about an unknown contact are the same and take as long', () => {
  it('signing in by username', async () => {
    const ask = (username: string, n: number) =>
      room.call(loginCustomer, { username, password: `wrongQ${n}` }, stranger(n));
    expect(
      Math.abs(
        await compare(
          ask,
          (who) => who.username,
          (n) => `nobodyq${n}`,
        ),
      ),
    ).toBeLessThan(DIFFERENCE_MAX);
  });

  it('signing in by phone', async () => {
    const ask = (username: string, n: number) =>
      room.call(loginCustomer, { username, password: `wrongP${n}` }, stranger(n));
    expect(Math.abs(await compare(ask, (who) => who.phone, nobody))).toBeLessThan(DIFFERENCE_MAX);
  });

  it('requesting a code, resetting a password, signing up', async () => {
    room.clock.advance(60_000);
    const send = (userphone: string, n: number) => room.call(sendSmsCode, { userphone, must: 'forget' }, stranger(n));
    await compare(send, (who) => who.phone, nobody);
    const forget = (phone: string, n: number) =>
      room.call(
        forgetPassword,
        { mode: 'phone', phone, code: 'AAAAAA', password: 'v8RtQ2zLw', confirm: 'v8RtQ2zLw' },
        stranger(n),
      );
    await compare(forget, (who) => who.phone, nobody);
    const register = (phone: string, n: number) => {
      const request = {
        mode: 'phone',
        phone,
        code: 'AAAAAA',
        password: 'k7Wm2xPq',
        paypass: '739152',
        username: `free_q${n}`,
        currency: 'BAHT',
        invite_code: 'WELCOME',
        agree: '1',
      };
      return room.call(registerCustomer, request, stranger(n));
    };
    await compare(register, (who) => who.phone, nobody);
  });
});
