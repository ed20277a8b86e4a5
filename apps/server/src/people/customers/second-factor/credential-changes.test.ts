import {
  addDeviceKey,
  changePassword,
  changePaymentPassword,
  confirmSecondFactor,
  editUser,
  finishOwnPasskey,
  finishPasskeySignIn,
  finishProof,
  readSecondFactor,
  removeOwnPasskey,
  renewRecoveryCodes,
  sendSmsCode,
  setAntiPhishing,
  startOwnPasskey,
  startPasskeySignIn,
  startProof,
  startSecondFactor,
  stopSecondFactor,
} from '@sathorn/api';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOfStep, codeStepAt } from '../../../platform/authenticator.ts';
import { openDatabase } from '../../../platform/database/index.ts';
import { runAsOwner } from '../../../platform/database/testing.ts';
import { createTestDevice } from '../device-keys/testing-device.ts';
import { openTestCustomers, type SignedUpCustomer, type TestCustomers } from '../testing-customers.ts';
import { sealCustomerPasskeys } from './passkeys.ts';
import { createTestPasskey } from './testing-passkey.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const DAY_MS = 24 * 3_600_000;

let room: TestCustomers;
let mali: SignedUpCustomer;
let passkey: ReturnType<typeof createTestPasskey>;
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
  passkey = createTestPasskey();
  expect((await add(passkey)).refusal).toBeNull();
  room.clock.advance(1_000);
});

const own = () => ({ token: mali.token });
async function add(made: ReturnType<typeof createTestPasskey>, otp?: string) {
  const started = await room.call(startOwnPasskey, { paypass: mali.paypass, ...(otp && { otp }) }, own());
  if (started.refusal !== null) return started;
  const { id, options } = started.data;
  return room.call(finishOwnPasskey, { id, credential: made.register(options), name: 'Phone' }, own());
}
async function signIn(made: ReturnType<typeof createTestPasskey>) {
  const { data } = await room.call(startPasskeySignIn, {});
  return room.call(finishPasskeySignIn, { id: data.id, credential: made.sign(data.options) });
}
async function prove(operation: string, subject: string): Promise<string> {
  const { data } = await room.call(startProof, { operation: operation as 'payee', subject }, own());
  const credential = passkey.sign(data.options);
  return (await room.call(finishProof, { id: data.id, credential }, own())).data.proof;
}
async function codeTo(phone: string): Promise<string> {
  await room.call(sendSmsCode, { userphone: phone, must: 'edit' }, own());
  return room.codeFor(phone);
}
function firstCode(key: string): string {
  const bits = [...key].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
  return codeOfStep(bytes, codeStepAt(room.clock.now()));
}

describe('a session with the six digits, of a customer who has only a passkey', () => {
  it('adds no passkey, begins no authenticator, removes no passkey, and adds no wallet', async () => {
    expect((await add(createTestPasskey())).refusal).toBe('second_factor_required');
    expect(await room.call(startSecondFactor, { paypass: mali.paypass }, own())).toMatchObject({
      refusal: 'second_factor_required',
      fields: ['otp'],
    });
    const remove = { passkey: passkey.id, paypass: mali.paypass };
    expect((await room.call(removeOwnPasskey, remove, own())).refusal).toBe('second_factor_required');
    const wallet = { kind: 'payee', subject: 'ethereum 0x1' } as const;
    expect(await room.customers.checkSecondFactor(mali.id, wallet, undefined, room.clock.now())).toMatchObject({
      refusal: 'second_factor_required',
    });
    expect((await signIn(passkey)).refusal).toBeNull();
  });
});

describe('a customer who has a passkey', () => {
  const NEW_PASSWORD = { password: 'Mekong77x', confirm: 'Mekong77x' };
  const NEW_PIN = { password: '284917', confirm: '284917' };
  const given = (otp?: string) => (otp === undefined ? {} : { otp });
  const paid = (otp?: string) => ({ paypass: mali.paypass, ...given(otp) });
  const call: TestCustomers['call'] = (what, fields) => room.call(what, fields, own());
  const guarded: [string, string, string, (otp?: string) => Promise<{ refusal: string | null }>][] = [
    ['adds a passkey', 'passkey_add', 'own', (otp) => add(createTestPasskey(), otp)],
    ['begins an authenticator', 'authenticator_start', 'own', (otp) => call(startSecondFactor, paid(otp))],
    [
      'adds a device that signs',
      'device_key',
      'own',
      (otp) => call(addDeviceKey, { public_key: createTestDevice().publicKey, ...paid(otp) }),
    ],
    ['sets the word', 'anti_phishing_word', 'Mango', (otp) => call(setAntiPhishing, { word: 'Mango', ...paid(otp) })],
    [
      'changes the password',
      'login_password',
      'own',
      (otp) => call(changePassword, { ...NEW_PASSWORD, old: mali.password, ...given(otp) }),
    ],
    [
      'changes the digits',
      'payment_password',
      'own',
      (otp) => call(changePaymentPassword, { ...NEW_PIN, old: mali.paypass, ...given(otp) }),
    ],
    [
      'changes the digits by a code',
      'payment_password',
      'own',
      async (otp) => call(changePaymentPassword, { ...NEW_PIN, code: await codeTo(mali.phone), ...given(otp) }),
    ],
    [
      'changes the phone',
      'contact',
      '+66891112233',
      async (otp) => call(editUser, { phone: '+66891112233', code: await codeTo('+66891112233'), ...paid(otp) }),
    ],
  ];

  it.each(guarded)('%s only with a proof for exactly this', async (_what, operation, subject, change) => {
    expect(await change()).toMatchObject({ refusal: 'second_factor_required', fields: ['otp'] });
    // The proof is valid for nothing but this operation and this subject.
    expect((await change(await prove('withdrawal', 'q1'))).refusal).toBe('second_factor_wrong');
    room.clock.advance(120_000);
    expect((await change(await prove(operation, `${subject}2`))).refusal).toBe('second_factor_wrong');
    room.clock.advance(120_000);
    const late = await prove(operation, subject);
    room.clock.advance(120_000);
    expect((await change(late)).refusal).toBe('second_factor_wrong');
    expect((await change(await prove(operation, subject))).refusal).toBeNull();
  });

  it('removes a passkey only with a proof for exactly that one, once', async () => {
    const second = createTestPasskey();
    expect((await add(second, await prove('passkey_add', 'own'))).refusal).toBeNull();
    const remove = (id: string, otp: string) => call(removeOwnPasskey, { passkey: id, ...paid(otp) });
    const proof = await prove('passkey_remove', second.id);
    expect((await remove(passkey.id, proof)).refusal).toBe('second_factor_wrong');
    expect((await remove(second.id, proof)).refusal).toBeNull();
    expect((await signIn(second)).refusal).toBe('passkey_refused');
    expect((await signIn(passkey)).refusal).toBeNull();
  });

  it('turns a lost authenticator off, and renews its recovery codes, with the passkey', async () => {
    const { data } = await call(startSecondFactor, paid(await prove('authenticator_start', 'own')));
    expect((await call(confirmSecondFactor, { otp: firstCode(data.key) })).refusal).toBeNull();
    expect((await call(renewRecoveryCodes, { otp: await prove('recovery_codes', 'own') })).refusal).toBeNull();
    const stop = async (otp: string) => (await call(stopSecondFactor, { ...paid(), otp })).refusal;
    expect(await stop(await prove('recovery_codes', 'own'))).toBe('second_factor_wrong');
    expect(await stop(await prove('authenticator_stop', 'own'))).toBeNull();
  });
});

describe('a factor whose set-up began when there was none to prove', () => {
  let other: ReturnType<typeof createTestPasskey>;
  beforeEach(async () => {
    mali = await room.signUp();
    passkey = createTestPasskey();
    other = createTestPasskey();
  });

  it('is not activated after the owner has added a passkey', async () => {
    const begun = await room.call(startSecondFactor, { paypass: mali.paypass }, own());
    room.clock.advance(1_000);
    expect((await add(passkey)).refusal).toBeNull();
    const confirm = { otp: firstCode(begun.data.key) };
    expect((await room.call(confirmSecondFactor, confirm, own())).refusal).toBe('second_factor_off');
    expect((await room.call(readSecondFactor, {}, own())).data.authenticator_since).toBeNull();
  });

  it('is not stored if it is a passkey', async () => {
    const begun = await room.call(startOwnPasskey, { paypass: mali.paypass }, own());
    room.clock.advance(1_000);
    expect((await add(passkey)).refusal).toBeNull();
    const finish = { id: begun.data.id, credential: other.register(begun.data.options), name: 'Thief' };
    expect((await room.call(finishOwnPasskey, finish, own())).refusal).toBe('challenge_expired');
    expect((await signIn(other)).refusal).toBe('passkey_refused');
  });
});

describe('a new passkey', () => {
  it('is announced in the app and to the contacts, and delays withdrawals as a new password does', async () => {
    const sent = await room.sql<{ text: string }>('SELECT text FROM customers.outbox ORDER BY id DESC LIMIT 1');
    expect(sent[0]?.text).toMatch(/A passkey was added to your .* account/);
    const { items } = await room.messages.list(mali.id, 'all', undefined, { language: 'en' });
    expect(items.some(({ title }) => title === 'Passkey added')).toBe(true);
    const { data } = await room.call(readSecondFactor, {}, own());
    expect(data.withdrawals_wait_until).toBe(new Date(room.clock.now().getTime() - 1_000 + DAY_MS).toISOString());
  });
});

describe('whoever has the application’s database login', () => {
  let app: pg.Client;
  beforeAll(async () => {
    app = new pg.Client(room.test.app);
    await app.connect();
  });
  afterAll(() => app.end());
  const asApp = (text: string, values: unknown[] = []) => app.query(text, values);

  it('signs in as nobody with a row of its own, or by giving a row another owner', async () => {
    const nicha = mali;
    mali = await room.signUp();
    const mine = createTestPasskey();
    expect((await add(mine)).refusal).toBeNull();
    await expect(
      asApp('UPDATE customers.passkey SET customer = $1 WHERE id = $2', [nicha.id, mine.id]),
    ).rejects.toThrow(/permission denied/);
    await expect(
      asApp('UPDATE customers.passkey SET public_key = $1 WHERE id = $2', [Buffer.from('x'), passkey.id]),
    ).rejects.toThrow(/permission denied/);
    await expect(asApp('UPDATE customers.passkey SET mac = $1', [Buffer.alloc(32)])).rejects.toThrow(
      /permission denied/,
    );
    // The attacker's own key for nicha: the row is deleted and inserted for another customer with the old digest.
    const [row] = await room.sql<{ public_key: Buffer; mac: Buffer }>(
      'SELECT public_key, mac FROM customers.passkey WHERE id = $1',
      [mine.id],
    );
    await asApp('DELETE FROM customers.passkey WHERE id = $1', [mine.id]);
    const insert = (mac: Buffer) =>
      asApp(
        `INSERT INTO customers.passkey (id, customer, public_key, counter, transports, name, mac, created_at) VALUES ($1, $2, $3, 0, '{}', 'Own', $4, now())`,
        [mine.id, nicha.id, row?.public_key, mac],
      );
    await expect(insert(Buffer.alloc(0))).rejects.toThrow(/a passkey is sealed/);
    await insert(row?.mac ?? Buffer.alloc(32));
    expect((await signIn(mine)).refusal).toBe('passkey_refused');
    // The row does not prove an operation either.
    mali = nicha;
    const { data } = await room.call(startProof, { operation: 'withdrawal', subject: 'q1' }, own());
    expect((await room.call(finishProof, { id: data.id, credential: mine.sign(data.options) }, own())).refusal).toBe(
      'passkey_refused',
    );
  });

  it('changes no owner even as the owner of the database; and older rows are sealed once', async () => {
    const steal = 'UPDATE customers.passkey SET customer = customer + 1 WHERE id = $1';
    await expect(room.sql(steal, [passkey.id])).rejects.toThrow(/only used and removed/);
    const owner = openDatabase(room.test.owner, { connections: 1 });
    try {
      const key = Buffer.alloc(32, 2);
      await runAsOwner(
        room.test.owner,
        `SET session_replication_role = replica; UPDATE customers.passkey SET mac = '' WHERE id = '${passkey.id}'`,
      );
      expect((await signIn(passkey)).refusal).toBe('passkey_refused');
      expect(await sealCustomerPasskeys(owner, key)).toBe(1);
      expect(await sealCustomerPasskeys(owner, key)).toBe(0);
      expect((await signIn(passkey)).refusal).toBeNull();
    } finally {
      await owner.close();
    }
  });
});
