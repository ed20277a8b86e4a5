import { createHash, randomUUID } from 'node:crypto';
import {
  finishEnrolment,
  fundDemo,
  type ListedOperator,
  liftSignInDelay,
  listDemoOperators,
  listOperators,
  loginOperator,
  logoutOperator,
  readOperator,
  startEnrolment,
} from '@sathorn/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { type Database, openDatabase } from '../../platform/database/index.ts';
import { signInDemoOperator } from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestPlatform } from '../../whole/testing-platform.ts';
import { codeOfStep, codeStepAt } from './authenticator.ts';
import { DEMO_OPERATORS } from './demo-operators.ts';
import { enrolmentHashOf } from './enrolment-code.ts';
import { createOperatorRow } from './operator-store.ts';

const FROM_BASE32 = (text: string): Buffer => {
  const bits = Array.from(text, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

describe('sign-in at the console', () => {
  let platform: TestPlatform;
  let owner: Database;
  let customer = '';
  const key = () => ({ 'idempotency-key': randomUUID() });
  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index', TRUST_PROXY: '1' });
    owner = openDatabase(platform.test.owner, { connections: 2 });
    customer = await platform.signIn(DEMO_CUSTOMER);
  });
  afterAll(async () => {
    await owner.close();
    await platform.close();
    expect(platform.faults).toEqual([]);
  });

  it('accepts a correct password and code, each code once', async () => {
    const { token, fields } = await signInDemoOperator(platform, 'tan');
    const { answer } = await platform.send(readOperator, {}, { token });
    expect(answer).toMatchObject({ ret: 1, data: { operator: { work_name: 'tan', roles: ['compliance'] } } });
    expect((await platform.send(loginOperator, fields)).answer.data.code).toBe('credentials_wrong');
    await platform.send(logoutOperator, {}, { token, ...key() });
    expect((await platform.send(readOperator, {}, { token })).answer.ret).toBe(-1);
  });

  it('gives the same answer for a wrong name, password or code, and delays repeated tries', async () => {
    const [mai] = DEMO_OPERATORS;
    const tries = [
      { username: 'nobody', password: 'x', code: '000000' },
      { username: 'mai', password: 'x', code: '000000' },
      { username: 'mai', password: mai?.password ?? '', code: 'abcdef' },
    ];
    const answers = [];
    // One after the other, because a loaded server may be too busy for several passwords at once.
    for (const fields of tries) answers.push((await platform.send(loginOperator, fields)).answer);
    expect([...new Set(answers.map((answer) => JSON.stringify(answer)))]).toHaveLength(1);
    for (let n = 0; n < 4; n++) await platform.send(loginOperator, tries[1]);
    expect((await platform.send(loginOperator, tries[1])).answer.data.code).toBe('login_delayed');
  });

  it('delays guesses whose counts the application’s login sets back between the tries', async () => {
    const guess = { username: 'somebody', password: 'x', code: '000000' };
    const codes = [];
    for (let n = 0; n < 5; n++) {
      codes.push((await platform.send(loginOperator, guess)).answer.data.code);
      await platform.test.database.query({ name: '', text: 'DELETE FROM operators.attempt' });
    }
    expect(codes).toEqual([...Array(4).fill('credentials_wrong'), 'login_delayed']);
  });

  it('lets an operator in from a known network while strangers guess from many', async () => {
    // The server is behind one of our own proxies, which reports the network.
    const from = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}` });
    const wrong = { username: 'tan', password: 'x', code: '000000' };
    const right = async () => {
      // A code works once, and this avoids waiting for the next one.
      await owner.query({ name: '', text: 'UPDATE operators.credential SET used_step = 0' });
      const people = (await platform.send(listDemoOperators)).answer.data as unknown as Record<string, string>[];
      const { password = '', code = '' } = people.find((one) => one.work_name === 'tan') ?? {};
      return { username: 'tan', password, code };
    };
    await platform.send(loginOperator, await right(), from(200));
    for (let n = 1; n <= 60; n++) await platform.send(loginOperator, wrong, from(n));
    expect((await platform.send(loginOperator, await right(), from(99))).answer.data.code).toBe('login_delayed');
    expect((await platform.send(loginOperator, wrong, from(200))).answer.data.code).toBe('credentials_wrong');
    expect((await platform.send(loginOperator, await right(), from(200))).answer.ret).toBe(1);
    for (let n = 1; n <= 60; n++) await platform.send(loginOperator, wrong, from(n + 60));

    // An administrator sees the delay, and ends it for a new network.
    const { token } = await signInDemoOperator(platform, 'dao');
    const everybody = (await platform.send(listOperators, {}, { token })).answer.data as unknown as ListedOperator[];
    const tan = everybody.find(({ work_name: name }) => name === 'tan');
    expect(tan?.delayed_until).not.toBeNull();
    const lift = async () =>
      (await platform.send(liftSignInDelay, { id: tan?.id ?? '', reason: 'travels' }, { token, ...key() })).answer;
    expect((await lift()).ret).toBe(1);
    expect((await lift()).data.code).toBe('nothing_changes');
    expect((await platform.send(loginOperator, await right(), from(251))).answer.data.code).not.toBe('login_delayed');
  });

  it('E6 keeps the tokens of customers and operators apart', async () => {
    const { token } = await signInDemoOperator(platform, 'korn');
    expect((await platform.send(readOperator, {}, { token: customer })).answer.ret).toBe(-1);
    expect((await platform.send(readOperator)).answer.ret).toBe(-1);
    const gift = { asset: 'USDT', amount: '1' };
    expect((await platform.send(fundDemo, gift, { token, ...key() })).answer.ret).toBe(-1);
    expect((await platform.send('GET /users/info', {}, { token })).answer.ret).toBe(-1);
  });

  it('I3 refuses a token that was copied to another network; the owner’s own stays valid', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const { answer: listed } = await platform.send(listDemoOperators);
    const people = listed.data as unknown as { work_name: string; password: string; code: string }[];
    const { password = '', code = '' } = people.find(({ work_name: name }) => name === 'bua') ?? {};
    const fields = { username: 'bua', password, code };
    const { answer } = await platform.send(loginOperator, fields, from('198.51.100.7'));
    const token = String(answer.data.token);
    const me = async (address: string) =>
      (await platform.send(readOperator, {}, { token, ...from(address) })).answer.ret;
    expect(await me('198.51.100.7')).toBe(1);
    for (const elsewhere of ['203.0.113.7', '198.51.101.7', '2001:db8::7']) expect(await me(elsewhere)).toBe(-1);
    // The provider assigns another address of the same network.
    expect(await me('198.51.100.90')).toBe(1);
  });

  it('requires an idempotency key for each act', async () => {
    const { token } = await signInDemoOperator(platform, 'fah');
    const { answer } = await platform.send(logoutOperator, {}, { token });
    expect(answer.data).toMatchObject({ code: 'malformed_request', fields: { 'Idempotency-Key': expect.anything() } });
    expect((await platform.send(readOperator, {}, { token })).answer.ret).toBe(1);
  });

  it('enrols a new operator once, with the secret that the owner gave', async () => {
    const secret = 'a secret of this test';
    const id = await createOperatorRow(owner, 'nok', ['support'], enrolmentHashOf(secret), 1);
    const asked = { username: 'nok', secret };
    expect((await platform.send(startEnrolment, { ...asked, secret: 'another' })).answer.data.code).toBe(
      'enrolment_wrong',
    );
    const { answer: begun } = await platform.send(startEnrolment, asked);
    expect(begun.data.uri).toMatch(/^otpauth:\/\/totp\//);
    const code = codeOfStep(FROM_BASE32(String(begun.data.key)), codeStepAt(new Date()));
    const given = { ...asked, password: 'Nonthaburi-Pier-30', code };
    const both = await Promise.all([1, 2].map(async () => (await platform.send(finishEnrolment, given)).answer));
    expect(both.map(({ ret }) => ret).sort()).toEqual([0, 1]);
    const codes = both.find(({ ret }) => ret === 1)?.data.recovery_codes as string[];
    expect(codes).toHaveLength(10);

    // Signs in with a recovery code, because the code of the enrolment is already used; a recovery code works once.
    const fields = { username: 'nok', password: given.password };
    expect((await platform.send(loginOperator, { ...fields, code })).answer.data.code).toBe('credentials_wrong');
    expect((await platform.send(loginOperator, { ...fields, code: String(codes[0]).toUpperCase() })).answer.ret).toBe(
      1,
    );
    expect((await platform.send(loginOperator, { ...fields, code: codes[0] ?? '' })).answer.data.code).toBe(
      'credentials_wrong',
    );

    // The database decides who is still an operator, whatever the session says.
    const { answer } = await platform.send(loginOperator, { ...fields, code: codes[1] ?? '' });
    const token = String(answer.data.token);
    await owner.query({ name: '', text: 'UPDATE operators.operator SET frozen_at = now() WHERE id = $1' }, [id]);
    expect((await platform.send(readOperator, {}, { token })).answer.ret).toBe(-1);
  });

  it('records each sign-in and each refused one in a chain of hashes', async () => {
    const rows = await owner.query<{ n: bigint; what: string; text: string; previous: Buffer; hash: Buffer }>({
      name: '',
      text: 'SELECT n, what, text, previous, hash FROM operators.entry ORDER BY n',
    });
    let previous = Buffer.alloc(32);
    for (const row of rows) {
      expect(row.previous.equals(previous)).toBe(true);
      previous = createHash('sha256').update(previous).update(row.text).digest();
      expect(row.hash.equals(previous)).toBe(true);
      expect(JSON.parse(row.text)).toMatchObject({ n: String(row.n), prev: row.previous.toString('hex') });
    }
    const words = new Set(rows.map(({ what }) => what));
    for (const what of ['operator.created', 'operator.signed_in', 'operator.sign_in_refused'])
      expect(words).toContain(what);
  });
});
