import { randomUUID } from 'node:crypto';
import {
  approveApproval,
  askFactorReset,
  confirmSecondFactor,
  type FactorResetCase,
  listFactorResets,
  listMessages,
  listSessions,
  loginCustomer,
  readFactorReset,
  readOutbox,
  readSecondFactor,
  rejectApproval,
  setAntiPhishing,
  startSecondFactor,
  stopApproval,
  stopFactorReset,
  stopFactorResetByWord,
} from '@sathorn/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../../../demo/demo/index.ts';
import { codeOfStep, codeStepAt } from '../../../platform/authenticator.ts';
import { runAsOwner } from '../../../platform/database/testing.ts';
import { decodeBase32 } from '../../../platform/testing-authenticator.ts';
import { insertConfirmedStepUp, signInDemoOperator } from '../../../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../../../whole/testing-platform.ts';

const EMAIL = 'nicha@demo.example';
const WORD = 'เรือหางยาว 9';
const DAY_MS = 86_400_000;
const AWAY = { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/130' };

let platform: TestPlatform;
let owner = '';
let key: Buffer;
const staff: Record<string, string> = {};

const ask = async (
  call: { method: string; path: string },
  fields: TestForm = {},
  token = '',
  headers: TestForm = {},
): Promise<{ ret: number; code: string | undefined; data: Record<string, unknown> }> => {
  const { answer } = await platform.send(`${call.method} ${call.path}`, fields, {
    ...(token && { token }),
    'idempotency-key': randomUUID(),
    ...headers,
  });
  return { ret: answer.ret, code: answer.ret === 1 ? undefined : answer.data.code, data: answer.data };
};
const sql = (text: string) => runAsOwner(platform.test.owner, text);
const rows = <Row extends object>(text: string) => platform.test.database.query<Row>({ name: '', text });

/** Requests a reset as somebody who knows the login password. */
const askReset = (headers: TestForm = AWAY, fields: TestForm = {}) =>
  ask(askFactorReset, { username: DEMO_CUSTOMER.username, password: DEMO_CUSTOMER.password, ...fields }, '', headers);
const latest = async () => {
  const [row] = await rows<{ id: string; state: string; stopped_by: string | null; approval: string }>(
    'SELECT id, state, stopped_by, approval FROM customers.factor_reset ORDER BY asked_at DESC LIMIT 1',
  );
  if (!row) throw new Error('no reset');
  return row;
};
const hasFactor = async () => (await rows('SELECT FROM customers.second_factor')).length > 0;
const read = async (name = 'ploy') =>
  (await ask(readFactorReset, { id: (await latest()).id }, staff[name])).data as unknown as FactorResetCase;
const vote = async (name: string, call = approveApproval, fields: TestForm = {}) => {
  const { id, fingerprint } = (await read()).approval;
  const op = call === approveApproval ? 'approval.approve' : 'approval.reject';
  const stepUp = await insertConfirmedStepUp(platform, staff[name] ?? '', { op, id, fingerprint });
  return ask(call, { id, fingerprint, step_up: stepUp, ...fields }, staff[name]);
};
/** Makes a reset older. Only the database's owner can, because the trigger writes the database's own time. */
const age = (days: number) =>
  sql(`ALTER TABLE customers.factor_reset DISABLE TRIGGER USER;
       UPDATE customers.factor_reset SET asked_at = asked_at - interval '${days} days', due_at = due_at - interval '${days} days',
         ended_at = ended_at - interval '${days} days';
       ALTER TABLE customers.factor_reset ENABLE TRIGGER USER;
       UPDATE customers.second_factor SET used_step = 0;
       UPDATE customers.recovery_code SET used_at = used_at - interval '${days} days';
       UPDATE customers.sign_in SET at = at - interval '${days} days'`);
const until = async (isSo: () => Promise<boolean>) => {
  for (let n = 0; n < 150 && !(await isSo()); n += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await isSo()).toBe(true);
};
async function turnOn(): Promise<readonly string[]> {
  const { data } = await ask(startSecondFactor, { paypass: DEMO_CUSTOMER.paypass }, owner);
  key = decodeBase32(String(data.key));
  const on = await ask(confirmSecondFactor, { otp: codeOfStep(key, codeStepAt(new Date())) }, owner);
  return on.data.recovery_codes as string[];
}
/** Confirms with the factor in the next 30 seconds, because the current code was used already. */
async function setWord(word: TestForm): Promise<void> {
  await sql('UPDATE customers.second_factor SET used_step = 0');
  const otp = codeOfStep(key, codeStepAt(new Date()));
  expect((await ask(setAntiPhishing, { ...word, paypass: DEMO_CUSTOMER.paypass, otp }, owner)).ret).toBe(1);
}
const withReset = async () => (await ask(readSecondFactor, {}, owner)).data.reset;

beforeAll(async () => {
  platform = await openTestPlatform({ ROLES: 'edge,index' });
  for (const name of ['mai', 'ploy', 'tan', 'korn', 'arun'])
    staff[name] = (await signInDemoOperator(platform, name)).token;
});
afterAll(async () => {
  await platform.close();
  expect(platform.faults).toEqual([]);
});
beforeEach(async () => {
  // Each test begins with a customer who has a factor, an open session and no reset.
  await sql(`ALTER TABLE customers.factor_reset DISABLE TRIGGER USER; DELETE FROM customers.factor_reset;
             ALTER TABLE customers.factor_reset ENABLE TRIGGER USER;
             DELETE FROM customers.second_factor; DELETE FROM customers.recovery_code; DELETE FROM customers.allowance`);
  owner = await platform.signIn(DEMO_CUSTOMER);
  await turnOn();
});

describe('a reset of the second factor', () => {
  it('takes seven days and two people, and then removes everything and ends every session', async () => {
    const asked = await askReset();
    expect(asked.data).toMatchObject({ is_new: true });
    expect(Date.parse(String(asked.data.due_at)) - Date.parse(String(asked.data.asked_at))).toBe(7 * DAY_MS);
    expect((await vote('ploy')).data).toMatchObject({ status: 'waiting' });
    expect((await vote('tan')).data).toMatchObject({ status: 'approved' });
    expect([await hasFactor(), (await latest()).state]).toEqual([true, 'waiting']);
    await age(7);
    await until(async () => (await latest()).state === 'done');
    expect(await hasFactor()).toBe(false);
    expect((await ask(listSessions, {}, owner)).ret).toBe(-1);
    const token = await platform.signIn(DEMO_CUSTOMER);
    const guards = await ask(readSecondFactor, {}, token);
    expect(guards.data).toMatchObject({ authenticator_since: null, recovery_codes: 0, passkeys: [], reset: null });
    const waits = Date.parse(String(guards.data.withdrawals_wait_until)) - Date.now();
    expect(waits).toBeGreaterThan(23.9 * 3_600_000);
    expect(waits).toBeLessThanOrEqual(24 * 3_600_000);
  });

  it('is announced at once in the app, by mail, and to every session', async () => {
    const { data } = await askReset();
    expect(await withReset()).toMatchObject({ due_at: data.due_at, device: 'Firefox, Linux' });
    const notices = (await ask(listMessages, { status: 'unread' }, owner)).data.items as { title: string }[];
    expect(notices.some(({ title }) => title === 'Reset of two-factor authentication requested')).toBe(true);
    const mails = (await platform.send(readOutbox, { to: EMAIL }, { accept: 'application/json' }))
      .answer as unknown as { text: string }[];
    expect(mails[0]?.text).toContain('หากไม่ใช่คุณ ให้หยุด');
  });

  it('is announced a second time a day before it ends, once', async () => {
    await askReset();
    const reminders = async () => {
      const { data } = await ask(listMessages, { status: 'all' }, owner);
      return (data.items as { title: string }[]).filter(({ title }) => title.includes('within a day')).length;
    };
    const before = await reminders();
    await age(6.5);
    await until(async () => (await reminders()) === before + 1);
    await sql('UPDATE customers.factor_reset SET reminded_at = reminded_at');
    expect(await reminders()).toBe(before + 1);
  });

  it('an attacker with the password can only start it: any session stops it, and it rests for seven days', async () => {
    await askReset();
    await vote('ploy');
    await vote('tan');
    expect((await ask(stopFactorReset, {}, owner)).ret).toBe(1);
    expect(await latest()).toMatchObject({ state: 'stopped', stopped_by: 'session' });
    expect((await read()).approval.status).toBe('stale');
    expect((await ask(stopFactorReset, {}, owner)).code).toBe('reset_unknown');
    expect((await askReset()).code).toBe('reset_rests');
    await age(6.9);
    expect((await askReset()).code).toBe('reset_rests');
    expect(await hasFactor()).toBe(true);
    await age(0.2);
    expect((await askReset()).data).toMatchObject({ is_new: true });
  });

  it('an attacker who repeats it gets the waiting one, and causes no second notice', async () => {
    const first = await askReset();
    const many = await Promise.all(Array.from({ length: 3 }, () => askReset()));
    for (const { data } of many) expect(data).toMatchObject({ due_at: first.data.due_at, is_new: false });
    expect(await rows('SELECT FROM customers.factor_reset')).toHaveLength(1);
  });

  it('an unknown name and a wrong password get the same answer, and start nothing', async () => {
    const wrong = await askReset(AWAY, { password: 'wrong-one' });
    const unknown = await askReset(AWAY, { username: 'nobody-here' });
    expect([wrong.code, unknown.code]).toEqual(['credentials_wrong', 'credentials_wrong']);
    expect(wrong.data).toEqual(unknown.data);
    expect(await rows('SELECT FROM customers.factor_reset')).toHaveLength(0);
  });

  it('the anti-phishing word stops it without a session; guesses are limited and reveal nothing', async () => {
    await setWord({ word: WORD });
    const stop = (word: string, username: string = DEMO_CUSTOMER.username, address = '203.0.113.5') =>
      ask(stopFactorResetByWord, { username, word }, '', { 'x-forwarded-for': address });
    // Without a reset the right word is refused too, so it cannot be tried out.
    expect((await stop(WORD)).code).toBe('reset_word_wrong');
    await askReset();
    const refused = [await stop('guess'), await stop(WORD, 'nobody-here')];
    expect(refused.map(({ code }) => code)).toEqual(['reset_word_wrong', 'reset_word_wrong']);
    expect(refused[0]?.data).toEqual(refused[1]?.data);
    expect((await stop(` ${WORD} `)).ret).toBe(1);
    expect(await latest()).toMatchObject({ state: 'stopped', stopped_by: 'word' });
    for (let n = 0; n < 5; n += 1) await stop('guess');
    expect((await stop('guess')).code).toBe('login_delayed');
    await setWord({});
  });

  it('a session without the factor can only stop it', async () => {
    // The thief's session sees the reset but can neither hasten nor approve it.
    await askReset();
    expect((await ask(approveApproval, { id: (await latest()).approval }, owner)).ret).toBe(-1);
    expect((await ask(readFactorReset, { id: (await latest()).id }, owner)).ret).toBe(-1);
    expect(await hasFactor()).toBe(true);
  });

  it('stops by itself when somebody signs in with the factor: they have not lost it', async () => {
    await askReset();
    await sql('UPDATE customers.second_factor SET used_step = 0');
    const otp = codeOfStep(key, codeStepAt(new Date()) + 1);
    const { username, password } = DEMO_CUSTOMER;
    expect((await ask(loginCustomer, { username, password, otp })).ret).toBe(1);
    await until(async () => (await latest()).stopped_by === 'factor');
    expect(await hasFactor()).toBe(true);
  });

  it('one bribed operator cannot do it alone: voting twice, without a step-up, or from another desk', async () => {
    await askReset();
    await age(8);
    const { id, fingerprint } = (await read()).approval;
    expect((await ask(approveApproval, { id, fingerprint }, staff.ploy)).code).toBe('step_up_required');
    expect((await vote('ploy')).ret).toBe(1);
    expect((await vote('ploy')).code).toBe('already_voted');
    for (const name of ['korn', 'arun']) expect((await vote(name)).code).toBe('role_missing');
    expect([await hasFactor(), (await latest()).state]).toEqual([true, 'waiting']);
    // The second person's vote after the seven days carries it out.
    expect((await vote('tan')).ret).toBe(1);
    expect([await hasFactor(), (await latest()).state]).toEqual([false, 'done']);
  });

  it('one person of staff rejects it, or stops it after both have approved', async () => {
    await askReset();
    expect((await vote('tan', rejectApproval, { reason: 'Another person called.' })).ret).toBe(1);
    expect((await latest()).state).toBe('rejected');
    expect((await askReset()).code).toBe('reset_rests');
    await age(8);
    await askReset();
    await vote('ploy');
    await vote('tan');
    const { id } = (await read()).approval;
    expect((await ask(stopApproval, { id, reason: 'Looks like a takeover.' }, staff.ploy)).ret).toBe(1);
    expect(await latest()).toMatchObject({ state: 'stopped', stopped_by: 'staff' });
    expect(await hasFactor()).toBe(true);
  });

  it('an operator decides neither about their own account nor about somebody they invited', async () => {
    await askReset();
    await sql(
      `UPDATE operators.operator SET customer = (SELECT id FROM customers.customer WHERE username = 'nicha') WHERE work_name = 'ploy'`,
    );
    expect((await vote('ploy')).code).toBe('conflict_of_interest');
    await sql(`UPDATE operators.operator SET customer = NULL WHERE work_name = 'ploy'`);
  });

  it('a stop and the last vote at the same moment end in one of the two, and never in a deadlock', async () => {
    await askReset();
    await age(8);
    await vote('ploy');
    const [stopped, voted] = await Promise.all([ask(stopFactorReset, {}, owner), vote('tan')]);
    const { state } = await latest();
    expect([stopped.ret, voted.ret, state]).toEqual(
      state === 'done' ? [expect.any(Number), 1, 'done'] : [1, 0, 'stopped'],
    );
    expect(await hasFactor()).toBe(state !== 'done');
  });

  it('lapses after thirty days without two approvals', async () => {
    await askReset();
    await vote('ploy');
    await age(30);
    await until(async () => (await latest()).state === 'lapsed');
    expect((await read()).approval.status).toBe('stale');
    expect(await hasFactor()).toBe(true);
  });

  it('a customer without a second factor has nothing to reset', async () => {
    await sql('DELETE FROM customers.second_factor');
    expect((await askReset()).code).toBe('second_factor_off');
  });

  it('shows staff the evidence, masked, and the customer who looked', async () => {
    await askReset();
    const seen = await read('mai');
    expect(seen).toMatchObject({
      device: 'Firefox, Linux',
      is_known_device: false,
      customer: { username: 'nicha' },
      contacts: ['ni•••@demo.example'],
      approval: { need: 2, roles: ['compliance'], votes: [] },
    });
    expect(seen.open_sessions).toBeGreaterThan(0);
    expect(JSON.stringify(seen)).not.toContain(EMAIL);
    const { items } = (await ask(listFactorResets, {}, staff.mai)).data as unknown as { items: { id: string }[] };
    expect(items.map(({ id }) => id)).toEqual([seen.id]);
    expect((await ask(listFactorResets, {}, staff.korn)).code).toBe('role_missing');
    const entries = await rows<{ what: string }>(
      `SELECT what FROM operators.entry WHERE what LIKE 'factor_reset.%' AND customer IS NOT NULL ORDER BY n DESC LIMIT 1`,
    );
    expect(entries[0]?.what).toBe('factor_reset.opened');
  });
});

describe('the database enforces the rules against the application', () => {
  const set = (change: string) =>
    platform.test.database.query({
      name: '',
      text: `UPDATE customers.factor_reset SET ${change} WHERE id = '${reset.id}'`,
    });
  let reset = { id: '', approval: '' };
  beforeEach(async () => {
    await askReset();
    reset = await latest();
  });

  it('no completion before seven days by its own clock, whatever the application’s says', async () => {
    await vote('ploy');
    await vote('tan');
    await expect(set(`state = 'done', ended_at = clock_timestamp() + interval '8 days'`)).rejects.toMatchObject({
      code: 'FR004',
    });
    for (const moved of [`due_at = due_at - interval '7 days'`, `asked_at = asked_at - interval '7 days'`])
      await expect(set(moved)).rejects.toMatchObject({ code: '42501' });
  });

  it('no completion without two people', async () => {
    await vote('ploy');
    await age(8);
    await expect(set(`state = 'done'`)).rejects.toMatchObject({ code: 'FR003' });
  });

  it('no completion after a stop, or if the factor was used', async () => {
    await vote('ploy');
    await vote('tan');
    await age(6.9);
    await sql(
      `UPDATE customers.recovery_code SET used_at = clock_timestamp() WHERE ctid = (SELECT min(ctid) FROM customers.recovery_code)`,
    );
    await ask(stopFactorReset, {}, owner);
    await expect(set(`state = 'done', stopped_by = NULL`)).rejects.toMatchObject({ code: 'FR001' });
  });

  it('no reset that begins in the past, during the rest, or without an approval by two people', async () => {
    const insert = (approval: string) =>
      platform.test.database.query({
        name: '',
        text: `INSERT INTO customers.factor_reset (id, customer, asked_at, due_at, device, address, is_known_device, is_known_network, approval)
               SELECT gen_random_uuid(), customer, asked_at - interval '9 days', due_at - interval '9 days', 'd', 'a', true, true, '${approval}'
               FROM customers.factor_reset LIMIT 1`,
      });
    await expect(insert(randomUUID())).rejects.toMatchObject({ code: 'FR003' });
    await ask(stopFactorReset, {}, owner);
    await expect(insert(randomUUID())).rejects.toMatchObject({ code: 'FR002' });
    await expect(
      platform.test.database.query({ name: '', text: 'DELETE FROM customers.factor_reset' }),
    ).rejects.toMatchObject({ code: '42501' });
  });
});
