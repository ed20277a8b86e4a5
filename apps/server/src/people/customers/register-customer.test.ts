import {
  checkRegistration,
  editUser,
  loginCustomer,
  readUser,
  registerCustomer,
  sendEmailCode,
  sendSmsCode,
} from '@sathorn/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestCustomers, type TestCustomers } from './testing-customers.ts';

let room: TestCustomers;
beforeAll(async () => {
  room = await openTestCustomers();
});
afterAll(() => room.close());

const base = {
  mode: 'phone',
  password: 'k7Wm2xPq',
  paypass: '739152',
  currency: 'BAHT',
  invite_code: 'WELCOME',
  agree: 'true',
};

async function codeForPhone(phone: string): Promise<string> {
  await room.call(sendSmsCode, { userphone: phone, must: 'register' });
  return room.codeFor(phone);
}

describe('signing up', () => {
  it('by phone opens a session, gives the customer an invitation code, and leaves the account empty', async () => {
    const phone = '0899000001';
    const code = await codeForPhone(phone);
    const { ret, data } = await room.call(
      registerCustomer,
      { ...base, phone, code, username: 'Nok.Suay' },
      { lang: 'th' },
    );
    expect(ret).toBe(1);
    expect(data.user).toMatchObject({
      username: 'Nok.Suay',
      nickname: 'Nok.Suay',
      phone: '+66899000001',
      email: null,
      avatar: null,
      currency: 'BAHT',
      invite_allowed: true,
      vip_level: 0,
      balance: '0.000000',
      total: '0.000000',
      held: '0.000000',
      score: '0',
      certification: { primary: 'none', advanced: 'none', reason: null },
      has_paypass: true,
      second_factor: false,
    });
    expect(data.user.id).toMatch(/^[1-9][0-9]{9}$/);
    expect(data.user.invite_code).toMatch(/^[A-Z0-9]{8}$/);
    const read = await room.call(readUser, {}, { token: data.token });
    expect(read.data).toEqual(data.user);
    const { items } = await room.messages.list(BigInt(data.user.id), 'all', undefined, { language: 'en' });
    // The first device causes no notice.
    expect(items).toHaveLength(1);
    const [kept] = await room.sql<{ language: string; public_wins: boolean; frozen_reason: string | null }>(
      'SELECT language, public_wins, frozen_reason FROM customers.customer WHERE id = $1',
      [data.user.id],
    );
    expect(kept).toEqual({ language: 'th', public_wins: false, frozen_reason: null });
  });

  it('by an email of a domain in another script, which browsers send in ASCII', async () => {
    const email = 'somchai@xn--72c1a1bt4awk9o.xn--o3cw4h';
    await room.call(sendEmailCode, { email: '\u200eSomchai@ตัวอย่าง.ไทย', must: 'register' });
    const code = await room.codeFor(email);
    const { data } = await room.call(registerCustomer, {
      ...base,
      mode: 'email',
      email,
      code: `\u202a${code.slice(0, 3)} ${code.slice(3)}\u202c`,
      username: 'thai_domain',
    });
    expect(data.user.email).toBe(email);
  });

  it('by email, with another customer’s invitation code in small letters', async () => {
    const inviter = await room.signUp();
    const { data: user } = await room.call(readUser, {}, { token: inviter.token });
    await room.call(sendEmailCode, { email: 'Mali@Example.org', must: 'register' });
    const code = await room.codeFor('mali@example.org');
    const { data } = await room.call(registerCustomer, {
      ...base,
      mode: 'email',
      email: 'MALI@example.org',
      code,
      username: 'xo_malee',
      invite_code: user.invite_code.toLowerCase(),
    });
    expect(data.user).toMatchObject({ email: 'mali@example.org', phone: null });
    const [row] = await room.sql<{ invited_by: string }>('SELECT invited_by FROM customers.customer WHERE id = $1', [
      data.user.id,
    ]);
    expect(row?.invited_by).toBe(user.id);
  });

  it('keeps no password, code or token in clear', async () => {
    const { token, password, paypass, phone } = await room.signUp();
    const dump = await room.sql<{ row: string }>(
      `SELECT row_to_json(t)::text AS row FROM customers.credential t UNION ALL SELECT row_to_json(t)::text FROM customers.session t
       UNION ALL SELECT row_to_json(t)::text FROM customers.code t UNION ALL SELECT row_to_json(t)::text FROM customers.allowance t`,
    );
    const text = dump.map(({ row }) => row).join('\n');
    for (const secret of [token, password, `"${paypass}"`, await room.codeFor(phone)])
      expect(text).not.toContain(secret);
    expect(text).toContain('$argon2id$v=19$');
  });
});

describe('refusals', () => {
  const cases: [string, string, string, Record<string, string>][] = [
    ['area_not_served', 'phone', 'another area', { phone: '+818012345678' }],
    ['malformed_request', 'phone', 'a number too short', { phone: '081234567' }],
    ['invite_code_unknown', 'invite_code', 'an invented invitation', { invite_code: 'NOSUCH11' }],
    ['password_common', 'password', 'a common password', { password: 'iloveyou1' }],
    ['password_common', 'password', 'the username with a digit', { password: 'zumTroka1', username: 'zumtroka' }],
    ['password_common', 'password', 'the phone number', { password: '0899000002' }],
    ['paypass_common', 'paypass', 'a common payment password', { paypass: '123456' }],
    ['code_wrong', 'code', 'a wrong code', { code: 'ABCDEF' }],
  ];
  it.each(cases)('%s at %s: %s', async (refusal, field, _why, change) => {
    const answer = await room.call(registerCustomer, {
      ...base,
      phone: '0899000002',
      code: '000000',
      username: 'zq_unused',
      ...change,
    });
    expect(answer).toMatchObject({ ret: 0, refusal });
    // The code is wrong too, and the refusal includes it whenever the code was checked.
    const isCodeNamed = field !== 'phone' && field !== 'code';
    expect([...answer.fields].sort()).toEqual([field, ...(isCodeNamed ? ['code'] : [])].sort());
  });

  it('invite_code_required', async () => {
    const { invite_code: _, ...without } = base;
    const answer = await room.call(registerCustomer, {
      ...without,
      phone: '0899000002',
      code: '000000',
      username: 'zq_unused',
    });
    expect(answer).toMatchObject({ refusal: 'invite_code_required', fields: ['invite_code', 'code'] });
  });

  it('an invitation code of a customer who may not invite is unknown', async () => {
    const inviter = await room.signUp();
    const { data: user } = await room.call(readUser, {}, { token: inviter.token });
    await room.sql('UPDATE customers.customer SET invite_allowed = false WHERE id = $1', [user.id]);
    const answer = await room.call(registerCustomer, {
      ...base,
      phone: '0899000003',
      code: '000000',
      username: 'zq_unused',
      invite_code: user.invite_code,
    });
    expect(answer.refusal).toBe('invite_code_unknown');
    expect(await room.customers.inviteCodeOf(inviter.id)).toBeNull();
  });

  it('lists all faults of code, invitation, password and payment password in one answer', async () => {
    const phone = '0899000077';
    await codeForPhone(phone);
    const answer = await room.call(registerCustomer, {
      ...base,
      phone,
      code: '000000',
      username: 'four.faults',
      invite_code: 'NOBODY',
      password: 'password1',
      paypass: '123456',
    });
    expect(answer.refusal).toBe('invite_code_unknown');
    expect([...answer.fields].sort()).toEqual(['code', 'invite_code', 'password', 'paypass']);
  });

  it('contact_taken, only with the right code; username_taken, also for a look-alike; the code stays valid', async () => {
    const first = await room.signUp({ username: 'Barnaby10' });
    const guess = await room.call(registerCustomer, {
      ...base,
      phone: first.phone,
      code: '000000',
      username: 'zq_unused',
    });
    expect(guess.refusal).toBe('code_wrong');
    room.clock.advance(60_000);
    const again = await codeForPhone(first.phone);
    const taken = await room.call(registerCustomer, {
      ...base,
      phone: first.phone,
      code: again,
      username: 'zq_unused',
    });
    expect(taken).toMatchObject({ refusal: 'contact_taken', fields: ['phone'] });

    const code = await codeForPhone('0899000004');
    for (const username of ['barnaby10', 'BARNABY_10', 'bamaby1o', 'Barnaby.IO', 'admin', 'Support_7']) {
      // Each try of a username costs one try of the code; the sixth would be refused as a wrong code.
      if (username === 'admin') room.clock.advance(60_000);
      const fresh = username === 'admin' ? await codeForPhone('0899000004') : code;
      const newest = username === 'Support_7' ? await room.codeFor('0899000004') : fresh;
      const answer = await room.call(registerCustomer, { ...base, phone: '0899000004', code: newest, username });
      expect([username, answer.refusal]).toEqual([username, 'username_taken']);
    }
    const done = await room.call(registerCustomer, {
      ...base,
      phone: '0899000004',
      code: await room.codeFor('0899000004'),
      username: 'qz_free',
    });
    expect(done.ret).toBe(1);
  });

  it('the first step reports faults of contact, code and invitation, and leaves the code valid', async () => {
    const ask = (fields: Record<string, string>) =>
      room.call(checkRegistration, { mode: 'phone', invite_code: 'WELCOME', ...fields });
    const phone = '0899000006';
    const code = await codeForPhone(phone);
    const wrong = code === '000000' ? '000001' : '000000';
    expect(await ask({ phone: '+818012345678', code })).toMatchObject({
      refusal: 'area_not_served',
      fields: ['phone'],
    });
    expect(await ask({ phone: '081234567', code })).toMatchObject({ refusal: 'malformed_request', fields: ['phone'] });
    const both = await ask({ phone, code: wrong, invite_code: 'NOSUCH11' });
    expect(both).toMatchObject({ refusal: 'invite_code_unknown', fields: ['invite_code', 'code'] });
    expect(await ask({ phone, code: wrong })).toMatchObject({ refusal: 'code_wrong', fields: ['code'] });
    expect((await ask({ phone, code })).ret).toBe(1);
    expect((await room.call(registerCustomer, { ...base, phone, code, username: 'zq_first_step' })).ret).toBe(1);

    // The contact is taken, which only a caller with the code learns.
    room.clock.advance(60_000);
    expect(await ask({ phone, code: wrong })).toMatchObject({ refusal: 'code_wrong' });
    expect(await ask({ phone, code: await codeForPhone(phone) })).toMatchObject({ refusal: 'contact_taken' });
  });

  it('each check of the first step costs a try of the code', async () => {
    const phone = '0899000007';
    const code = await codeForPhone(phone);
    const look = () => room.call(checkRegistration, { mode: 'phone', invite_code: 'WELCOME', phone, code });
    for (let tries = 0; tries < 5; tries += 1) expect((await look()).ret).toBe(1);
    expect(await look()).toMatchObject({ refusal: 'code_wrong' });
  });

  it('WELCOME is no invitation in live mode', async () => {
    const live = room.openAnother({ mode: 'live', passwordCost: { memoryKiB: 19_456, passes: 2 } });
    expect(live.room.brand.inviteCodes.size).toBe(0);
    const house = room.openAnother({
      mode: 'live',
      passwordCost: { memoryKiB: 19_456, passes: 2 },
      inviteCodes: ['first88'],
    });
    expect([...house.room.brand.inviteCodes]).toEqual(['FIRST88']);
    await expect(
      live.enrolDemo({ username: 'demo', password: 'x', paypass: 'x', contact: 'x@example.org' }),
    ).rejects.toThrow('live');
    expect(() => room.openAnother({ mode: 'live', passwordCost: { memoryKiB: 64, passes: 1 } })).toThrow('full cost');
  });
});

describe('races', () => {
  it('of twenty sign-ups with one phone at once, one succeeds', async () => {
    const phone = '0899000010';
    const code = await codeForPhone(phone);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        room.call(registerCustomer, { ...base, phone, code, username: `racer_q${i}z` }),
      ),
    );
    expect(answers.filter(({ ret }) => ret === 1)).toHaveLength(1);
    // A caller with the right code may learn that somebody else registered the contact first.
    for (const { ret, refusal } of answers) if (ret !== 1) expect(['code_wrong', 'contact_taken']).toContain(refusal);
    const rows = await room.sql("SELECT 1 FROM customers.customer WHERE phone = '+66899000010'");
    expect(rows).toHaveLength(1);
  });

  it('E10 of ten sign-ups with one username and its look-alikes, one succeeds', async () => {
    const phones = Array.from({ length: 10 }, (_, i) => `08990001${String(i).padStart(2, '0')}`);
    const names = ['vvinnie.z', 'winnie.z', 'WinnieZ', 'w1nn1ez', 'Winnie_Z'];
    const codes = await Promise.all(phones.map(codeForPhone));
    const answers = await Promise.all(
      phones.map((phone, i) =>
        room.call(registerCustomer, { ...base, phone, code: codes[i] ?? '', username: names[i % names.length] ?? '' }),
      ),
    );
    expect(answers.filter(({ ret }) => ret === 1)).toHaveLength(1);
    expect(new Set(answers.filter(({ ret }) => ret !== 1).map(({ refusal }) => refusal))).toEqual(
      new Set(['username_taken']),
    );
  });

  it('two customers sign up with one email at the same moment: only one gets it', async () => {
    const [one, two] = [await room.signUp(), await room.signUp()];
    await room.call(sendEmailCode, { email: 'both@example.org', must: 'edit' }, { token: one.token });
    const code = await room.codeFor('both@example.org');
    const answers = await Promise.all(
      [one, two].map(({ token, paypass }) =>
        room.call(editUser, { email: 'both@example.org', code, paypass }, { token }),
      ),
    );
    expect(answers.filter(({ ret }) => ret === 1)).toHaveLength(1);
    expect(['code_wrong', 'contact_taken']).toContain(answers.find(({ ret }) => ret !== 1)?.refusal);
  });
});

it('a demo customer is created once and can sign in', async () => {
  const demo = { username: 'demo', password: 'sathorn88', paypass: '739152', contact: '0899999999' };
  const [id, twin] = await Promise.all([room.customers.enrolDemo(demo), room.openAnother().enrolDemo(demo)]);
  expect(twin).toBe(id);
  expect(await room.customers.enrolDemo(demo)).toBe(id);
  const { data } = await room.call(loginCustomer, { username: 'demo', password: 'sathorn88' });
  expect(data.user.id).toBe(String(id));
});

it('no unexpected fault was reported', () => expect(room.faults).toEqual([]));
