import {
  confirmSecondFactor,
  finishOwnPasskey,
  finishPasskeySignIn,
  finishProof,
  forgetPassword,
  freezeAccount,
  listSignIns,
  loginCustomer,
  readSecondFactor,
  readUser,
  removeOwnPasskey,
  renewRecoveryCodes,
  sendSmsCode,
  startOwnPasskey,
  startPasskeySignIn,
  startProof,
  startSecondFactor,
  stopSecondFactor,
} from '@sathorn/api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOfStep, codeStepAt } from '../../../platform/authenticator.ts';
import { decodeBase32 } from '../../../platform/testing-authenticator.ts';
import { openTestCustomers, type SignedUpCustomer, type TestCustomers } from '../testing-customers.ts';
import { createTestPasskey } from './testing-passkey.ts';

const DAY_MS = 24 * 3_600_000;
/** A device that no customer has used. */
const ELSEWHERE = { address: '198.51.100.9', userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/130' };

let room: TestCustomers;
let mali: SignedUpCustomer;
let key: Buffer;
beforeAll(async () => {
  room = await openTestCustomers();
});
afterAll(async () => {
  await room.close();
  expect(room.faults).toEqual([]);
});
beforeEach(async () => {
  room.clock.advance(2 * DAY_MS);
  mali = await room.signUp();
});

const own = () => ({ token: mali.token });
/** The current code, or the one some steps later. */
const codeNow = (steps = 0): string => codeOfStep(key, codeStepAt(room.clock.now()) + steps);
const nextStep = (): void => room.clock.advance(30_000);
async function turnOn(): Promise<readonly string[]> {
  const { data } = await room.call(startSecondFactor, { paypass: mali.paypass }, own());
  key = decodeBase32(data.key);
  const confirmed = await room.call(confirmSecondFactor, { otp: codeNow() }, own());
  expect(confirmed.refusal).toBeNull();
  nextStep();
  return confirmed.data.recovery_codes;
}
const login = (fields: Record<string, string> = {}, caller = {}) =>
  room.call(loginCustomer, { username: mali.username, password: mali.password, ...fields }, caller);

describe('an authenticator app', () => {
  it('is turned on with the payment password and its first code, and shown as on', async () => {
    expect(await room.call(startSecondFactor, { paypass: '284917' }, own())).toMatchObject({
      refusal: 'paypass_wrong',
      fields: ['paypass'],
    });
    const { data } = await room.call(startSecondFactor, { paypass: mali.paypass }, own());
    expect(data.uri).toContain(`secret=${data.key}`);
    // A factor that is only being set up is not active.
    expect((await room.call(readUser, {}, own())).data.second_factor).toBe(false);
    expect((await login()).refusal).toBeNull();
    key = decodeBase32(data.key);
    expect((await room.call(confirmSecondFactor, { otp: '000000' }, own())).refusal).toBe('second_factor_wrong');
    const { data: on } = await room.call(confirmSecondFactor, { otp: codeNow() }, own());
    expect(on.recovery_codes).toHaveLength(10);
    expect(new Set(on.recovery_codes).size).toBe(10);
    expect((await room.call(readUser, {}, own())).data.second_factor).toBe(true);
    expect((await room.call(startSecondFactor, { paypass: mali.paypass }, own())).refusal).toBe('second_factor_on');
    const rows = await room.sql<object>(`SELECT encode(sealed, 'hex') AS sealed FROM customers.second_factor`);
    expect(JSON.stringify(rows)).not.toContain(key.toString('hex'));
  });

  it('is required at sign-in, after the password was right', async () => {
    await turnOn();
    expect((await login({ password: 'wrong123' })).refusal).toBe('credentials_wrong');
    expect(await login()).toMatchObject({ ret: 0, refusal: 'second_factor_required', fields: ['otp'] });
    expect(await login({ otp: '000000' })).toMatchObject({ refusal: 'second_factor_wrong', fields: ['otp'] });
    expect((await login({ otp: codeNow() })).data.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('accepts a code once, and only one of many simultaneous uses', async () => {
    await turnOn();
    const otp = codeNow();
    const answers = await Promise.all([1, 2, 3, 4].map(() => login({ otp })));
    expect(answers.filter(({ refusal }) => refusal === null)).toHaveLength(1);
    expect((await login({ otp })).refusal).not.toBeNull();
    // A code from before the last used one is invalid too.
    expect((await login({ otp: codeNow(-1) })).refusal).not.toBeNull();
  });

  it('of a hundred guesses at once, five are checked', async () => {
    await turnOn();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => login({ otp: String(100_000 + n) }, ELSEWHERE)),
    );
    const looked = answers.filter(({ refusal }) => refusal === 'second_factor_wrong');
    expect(looked.length).toBeLessThanOrEqual(6);
    expect(answers.find(({ refusal }) => refusal === 'second_factor_delayed')?.params.wait).toBe('60');
    // The owner's own device has its own limit.
    expect((await login({ otp: codeNow() })).refusal).toBeNull();
  });

  it('signs its owner in on a new device while strangers’ guesses delay everybody without it', async () => {
    const [recovery = ''] = await turnOn();
    const stranger = (n: number) => ({ address: `203.0.113.${n}`, userAgent: `stranger ${n}` });
    for (let n = 0; n < 5; n += 1) await login({ password: `wrong12${n}` }, stranger(n));
    // The delay is two minutes by then.
    for (const seconds of [30, 60]) {
      room.clock.advance(seconds * 1_000);
      await login({ password: `wrong1${seconds}` }, stranger(seconds));
    }
    expect((await login({}, ELSEWHERE)).refusal).toBe('login_delayed');
    for (const username of [mali.username, 'nobody_at_all'])
      for (let n = 0; n < 8; n += 1)
        expect((await login({ username, otp: String(100_000 + n) }, stranger(n % 2))).refusal).toBe(
          username === mali.username || n >= 5 ? 'login_delayed' : 'credentials_wrong',
        );
    // The code skips the delay only with the right password, and only once; a recovery code never does.
    expect((await login({ otp: codeNow(), password: 'wrong123' }, ELSEWHERE)).refusal).toBe('credentials_wrong');
    expect((await login({ otp: codeNow() }, ELSEWHERE)).refusal).toBe('login_delayed');
    expect((await login({ otp: recovery }, ELSEWHERE)).refusal).toBe('login_delayed');
    nextStep();
    expect((await login({}, ELSEWHERE)).refusal).toBe('login_delayed');
    expect((await login({ otp: codeNow() }, ELSEWHERE)).data.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const { data } = await room.call(listSignIns, {}, own());
    expect(data.items[0]).toMatchObject({ factor: 'authenticator' });
  });

  describe('while strangers delay new devices', () => {
    const stranger = (n: number) => ({ address: `203.0.${n}.1`, userAgent: `stranger ${n}` });
    const guessFromMany = (password?: string) =>
      Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          login({ otp: String(100_000 + n), ...(password && { password }) }, stranger(100 + n)),
        ),
      );
    const failures = async () => (await room.call(listSignIns, {}, own())).data.items.map(({ failure }) => failure);
    beforeEach(async () => {
      await turnOn();
      for (let n = 0; n < 5; n += 1) await login({ password: `wrong12${n}` }, stranger(n));
      for (const seconds of [30, 60]) {
        room.clock.advance(seconds * 1_000);
        await login({ password: `wrong1${seconds}` }, stranger(seconds));
      }
    });

    it('checks twenty codes a day from all networks of those who have the password, and shows them to the owner', async () => {
      const guesses = await guessFromMany();
      expect(new Set(guesses.map(({ refusal }) => refusal))).toEqual(new Set(['login_delayed']));
      // A right code from yet another network has to wait as well; the owner's own device has not.
      expect((await login({ otp: codeNow() }, stranger(200))).refusal).toBe('login_delayed');
      nextStep();
      expect((await login({ otp: codeNow() })).refusal).toBeNull();
      expect(await failures()).toContain('second_factor_wrong');
    });

    it('leaves these twenty to the owner when strangers guess without the password', async () => {
      const guesses = await guessFromMany('wrong123');
      expect(new Set(guesses.map(({ refusal }) => refusal))).toEqual(new Set(['login_delayed']));
      expect((await login({ otp: codeNow() }, stranger(200))).data.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(await failures()).not.toContain('second_factor_wrong');
    });
  });

  it('is turned off with a code and the payment password', async () => {
    await turnOn();
    const stop = (otp: string, paypass = mali.paypass) => room.call(stopSecondFactor, { otp, paypass }, own());
    expect((await stop(codeNow(), '284917')).refusal).toBe('paypass_wrong');
    expect((await stop('000000')).refusal).toBe('second_factor_wrong');
    expect((await stop(codeNow())).refusal).toBeNull();
    expect((await stop(codeNow(1))).refusal).toBe('second_factor_off');
    expect((await login()).refusal).toBeNull();
  });
});

describe('recovery codes', () => {
  it('sign in once each, in any case and with or without the hyphen, and are counted', async () => {
    const [first = '', second = ''] = await turnOn();
    expect((await login({ otp: first.toUpperCase().replace('-', ' ') })).refusal).toBeNull();
    expect((await login({ otp: first })).refusal).toBe('second_factor_wrong');
    const both = await Promise.all([login({ otp: second }), login({ otp: second })]);
    expect(both.filter(({ refusal }) => refusal === null)).toHaveLength(1);
    expect((await room.call(readSecondFactor, {}, own())).data).toMatchObject({
      recovery_codes: 8,
      recovery_codes_of: 10,
    });
    const notices = (await room.messages.list(mali.id, 'all', undefined, { language: 'en' })).items;
    expect(notices.some(({ content }) => content.includes('9 are left'))).toBe(true);
  });

  it('are void once new ones are issued', async () => {
    const [old = ''] = await turnOn();
    const { data } = await room.call(renewRecoveryCodes, { otp: codeNow() }, own());
    expect((await login({ otp: old })).refusal).toBe('second_factor_wrong');
    expect((await login({ otp: data.recovery_codes[0] ?? '' })).refusal).toBeNull();
  });

  it('can’t prove an operation', async () => {
    const [code = ''] = await turnOn();
    const { data } = await room.call(startProof, { operation: 'withdrawal', subject: 'q1' }, own());
    expect((await room.call(finishProof, { id: data.id, otp: code }, own())).refusal).toBe('second_factor_wrong');
  });
});

describe('a proof for an operation', () => {
  const withdrawal = (subject: string) => ({ kind: 'withdrawal', subject }) as const;
  const check = (subject: string, proof?: string) =>
    room.customers.checkSecondFactor(mali.id, withdrawal(subject), proof, room.clock.now());
  async function prove(subject: string): Promise<string> {
    const { data } = await room.call(startProof, { operation: 'withdrawal', subject }, own());
    const { data: finished } = await room.call(finishProof, { id: data.id, otp: codeNow() }, own());
    nextStep();
    return finished.proof;
  }

  it('is not required of a customer without a second factor', async () => {
    expect(await check('q1')).toEqual({ ok: true, effect: null });
    expect((await room.call(startProof, { operation: 'withdrawal', subject: 'q1' }, own())).refusal).toBe(
      'second_factor_off',
    );
  });

  it('is valid once, for 120 seconds, for exactly the operation that was shown', async () => {
    await turnOn();
    expect(await check('q1')).toMatchObject({ refusal: 'second_factor_required' });
    const proof = await prove('q1');
    expect(await check('q2', proof)).toMatchObject({ refusal: 'second_factor_wrong' });
    const both = await Promise.all([check('q1', proof), check('q1', proof)]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    const late = await prove('q1');
    room.clock.advance(120_000);
    expect(await check('q1', late)).toMatchObject({ refusal: 'second_factor_wrong' });
  });

  it('of one customer is not valid for another', async () => {
    await turnOn();
    const proof = await prove('q1');
    const first = mali;
    mali = await room.signUp();
    await turnOn();
    expect(await check('q1', proof)).toMatchObject({ refusal: 'second_factor_wrong' });
    expect(await room.call(finishProof, { id: proof, otp: '000000' }, { token: first.token })).toMatchObject({
      refusal: 'challenge_expired',
    });
  });

  it('can also be a code of the authenticator app, once', async () => {
    await turnOn();
    const otp = codeNow();
    expect(await check('q1', otp)).toEqual({ ok: true, effect: null });
    expect(await check('q1', otp)).toMatchObject({ refusal: 'second_factor_wrong' });
  });
});

describe('a passkey', () => {
  async function add(passkey = createTestPasskey()) {
    const { data } = await room.call(startOwnPasskey, { paypass: mali.paypass }, own());
    const finish = { id: data.id, credential: passkey.register(data.options), name: 'Phone' };
    return { passkey, finish, answer: await room.call(finishOwnPasskey, finish, own()) };
  }
  async function signIn(passkey: ReturnType<typeof createTestPasskey>) {
    const { data } = await room.call(startPasskeySignIn, {});
    return room.call(finishPasskeySignIn, { id: data.id, credential: passkey.sign(data.options) });
  }

  it('signs its customer in, without a password', async () => {
    const { passkey, answer } = await add();
    expect(answer.refusal).toBeNull();
    const { data } = await signIn(passkey);
    expect(data.user.id).toBe(String(mali.id));
    expect((await room.call(readSecondFactor, {}, own())).data.passkeys).toMatchObject([
      { id: passkey.id, name: 'Phone', used_at: room.clock.now().toISOString() },
    ]);
  });

  it('answers a challenge once, and only its own', async () => {
    const { passkey, finish } = await add();
    expect((await room.call(finishOwnPasskey, finish, own())).refusal).toBe('challenge_expired');
    const { data } = await room.call(startPasskeySignIn, {});
    const other = await room.call(startPasskeySignIn, {});
    const credential = passkey.sign(data.options);
    expect((await room.call(finishPasskeySignIn, { id: other.data.id, credential })).refusal).toBe('passkey_refused');
    expect((await room.call(finishPasskeySignIn, { id: data.id, credential })).refusal).toBeNull();
    expect((await room.call(finishPasskeySignIn, { id: data.id, credential })).refusal).toBe('challenge_expired');
  });

  it.each([
    ['of another site', { origin: 'https://sathorn.example.net' }],
    ['that asked nobody for finger, face or PIN', { isVerified: false }],
  ])('%s is refused', async (_what, how) => {
    expect((await add(createTestPasskey(how))).answer.refusal).toBe('passkey_refused');
  });

  it('of nobody, or with an answer that is not JSON, is refused', async () => {
    expect((await signIn(createTestPasskey())).refusal).toBe('passkey_refused');
    const { data } = await room.call(startPasskeySignIn, {});
    expect((await room.call(finishPasskeySignIn, { id: data.id, credential: '{"id"' })).refusal).toBe(
      'passkey_refused',
    );
  });

  it('proves an operation of its own customer only', async () => {
    const { passkey } = await add();
    const { data } = await room.call(startProof, { operation: 'payee', subject: 'ethereum 0x1' }, own());
    const finished = await room.call(finishProof, { id: data.id, credential: passkey.sign(data.options) }, own());
    expect(finished.refusal).toBeNull();
    const operation = { kind: 'payee', subject: 'ethereum 0x1' } as const;
    expect(
      await room.customers.checkSecondFactor(mali.id, operation, finished.data.proof, room.clock.now()),
    ).toMatchObject({ ok: true });
    mali = await room.signUp();
    await add();
    const other = await room.call(startProof, { operation: 'payee', subject: 'ethereum 0x1' }, own());
    expect(
      (await room.call(finishProof, { id: other.data.id, credential: passkey.sign(other.data.options) }, own()))
        .refusal,
    ).toBe('passkey_refused');
  });

  it('is removed with the payment password and a proof of itself, by its owner', async () => {
    const { passkey } = await add();
    const asked = await room.call(startProof, { operation: 'passkey_remove', subject: passkey.id }, own());
    const answer = { id: asked.data.id, credential: passkey.sign(asked.data.options) };
    const { data } = await room.call(finishProof, answer, own());
    const remove = (token: string, paypass = mali.paypass) =>
      room.call(removeOwnPasskey, { passkey: passkey.id, paypass, otp: data.proof }, { token });
    const other = await room.signUp();
    expect((await remove(other.token)).refusal).toBe('passkey_unknown');
    expect((await remove(mali.token, '284917')).refusal).toBe('paypass_wrong');
    expect((await remove(mali.token)).refusal).toBeNull();
    expect((await signIn(passkey)).refusal).toBe('passkey_refused');
  });

  it('is not removed by whoever has a session alone, nor with the payment password too', async () => {
    const { passkey } = await add();
    const asked = await room.call(startProof, { operation: 'payee', subject: passkey.id }, own());
    const answer = { id: asked.data.id, credential: passkey.sign(asked.data.options) };
    const { data: elsewhere } = await room.call(finishProof, answer, own());
    const { data: unanswered } = await room.call(
      startProof,
      { operation: 'passkey_remove', subject: passkey.id },
      own(),
    );
    const { paypass } = mali;
    for (const [given, refusal] of [
      [{ paypass: '284917' }, 'paypass_wrong'],
      [{ paypass }, 'second_factor_required'],
      [{ paypass, otp: '000000' }, 'second_factor_wrong'],
      // A proof for another operation, and one that nobody has given.
      [{ paypass, otp: elsewhere.proof }, 'second_factor_wrong'],
      [{ paypass, otp: unanswered.id }, 'second_factor_wrong'],
    ] as const)
      expect((await room.call(removeOwnPasskey, { passkey: passkey.id, ...given }, own())).refusal).toBe(refusal);
    expect((await signIn(passkey)).refusal).toBeNull();
  });
});

describe('the protection of an account', () => {
  it('states when it was last changed, but does not count the set-up at sign-up as a change', async () => {
    const changedAt = () => room.customers.credentialsChangedAt(room.test.database, mali.id);
    expect(await changedAt()).toBeNull();
    await turnOn();
    const at = await changedAt();
    expect(at?.getTime()).toBe(room.clock.now().getTime() - 30_000);
    const { data } = await room.call(readSecondFactor, {}, own());
    expect(data.withdrawals_wait_until).toBe(new Date((at?.getTime() ?? 0) + DAY_MS).toISOString());
    room.clock.advance(DAY_MS);
    expect((await room.call(readSecondFactor, {}, own())).data.withdrawals_wait_until).toBeNull();
  });

  it('lists sign-ins and failed tries', async () => {
    await login({ password: 'wrong123' }, ELSEWHERE);
    await login({}, ELSEWHERE);
    const { data } = await room.call(listSignIns, {}, own());
    expect(data.items.map(({ factor, failure, new_device: isNew }) => [factor, failure, isNew])).toEqual([
      ['password', null, true],
      ['password', 'password_wrong', true],
      ['registration', null, false],
    ]);
  });
});

describe('an account that its owner froze', () => {
  // The database ends the freeze by its own clock, too.
  const setClock = (isVirtual: boolean) => room.sql('UPDATE market.guard SET virtual_clock = $1', [isVirtual]);
  afterEach(() => setClock(false));
  const freeze = (paypass = mali.paypass) => room.call(freezeAccount, { paypass }, own());

  it('refuses sign-ins and moves no money from that moment', async () => {
    expect((await freeze('284917')).refusal).toBe('paypass_wrong');
    const { data } = await freeze();
    expect(data.until).toBe(new Date(room.clock.now().getTime() + DAY_MS).toISOString());
    expect((await room.call(readUser, {}, own())).ret).toBe(-1);
    expect(await login()).toMatchObject({ refusal: 'frozen_by_you', params: { until: data.until } });
    expect(await room.customers.readFrozen(room.test.database, [mali.id])).toEqual(new Set([mali.id]));
  });

  it('unfreezes after a day, and then needs more than the password: a reset by code, or a second factor', async () => {
    await freeze();
    room.clock.advance(DAY_MS);
    expect((await login()).refusal).toBe('frozen_needs_proof');
    await setClock(true);
    await room.call(sendSmsCode, { userphone: mali.phone, must: 'forget' });
    const code = await room.codeFor(mali.phone);
    const reset = { mode: 'phone', phone: mali.phone, code, password: 'Mekong77x', confirm: 'Mekong77x' };
    expect((await room.call(forgetPassword, reset)).refusal).toBeNull();
    expect((await login({ password: 'Mekong77x' })).refusal).toBeNull();
    expect(await room.customers.readFrozen(room.test.database, [mali.id])).toEqual(new Set());

    mali = await room.signUp();
    await turnOn();
    await freeze();
    room.clock.advance(DAY_MS);
    await setClock(true);
    expect((await login({ otp: codeNow() })).refusal).toBeNull();
  });

  it('stays frozen if staff froze it too', async () => {
    await room.sql(`UPDATE customers.customer SET frozen_reason = 'takeover_suspected' WHERE id = $1`, [mali.id]);
    await freeze();
    room.clock.advance(DAY_MS);
    expect((await login()).refusal).toBe('account_frozen');
  });
});
