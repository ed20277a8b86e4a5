import { loginCustomer, logoutCustomer } from '@sathorn/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ANDROID_USER_AGENT,
  IPHONE_USER_AGENT,
  openTestCustomers,
  type SignedUpCustomer,
  type TestCustomers,
} from '../testing-customers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let room: TestCustomers;
let mali: SignedUpCustomer;
/** An address and a browser that no customer has used. */
let strangers = 0;
const stranger = () => {
  strangers += 1;
  return { address: `198.51.${Math.floor(strangers / 250)}.${strangers % 250}`, userAgent: `Stranger/${strangers}` };
};

beforeAll(async () => {
  room = await openTestCustomers();
});
afterAll(() => room.close());
beforeEach(async () => {
  // Wrong tries of other tests expire after a day.
  room.clock.advance(2 * DAY);
  mali = await room.signUp();
});

const wrong = (username: string, caller = stranger(), password = `wrong${strangers}x`) =>
  room.call(loginCustomer, { username, password }, caller);
const right = (who: SignedUpCustomer, caller = stranger(), fields: Record<string, string> = {}) =>
  room.call(loginCustomer, { username: who.username, password: who.password, ...fields }, caller);

describe('signing in', () => {
  it('works with the username in any case, the phone in any usual spelling, and the email', async () => {
    const local = mali.phone.replace(/^\+66|^0/, '');
    // Nothing is sent in this test, so the seal needs only its form.
    await room.sql(
      'UPDATE customers.customer SET email = $2, email_mac = decode($3, $4), email_since = created_at WHERE id = $1',
      [mali.id, 'mali@example.org', 'ab'.repeat(32), 'hex'],
    );
    for (const username of [
      mali.username.toUpperCase(),
      ` ${mali.username} `,
      mali.phone,
      local,
      `66${local}`,
      `+66${local}`,
      `+66 ${local}`,
      'Mali@Example.org',
      // Clipboards and keyboards add invisible characters and spaces.
      `\u202a${mali.phone}\u202c`,
      `\u200e+66 ${local.slice(0, 2)}.${local.slice(2, 5)}.${local.slice(5)}`,
      `＋66${local}`,
      mali.phone.replace('+66', '0').replace(/[0-9]/g, (digit) => String.fromCodePoint(0x0e50 + Number(digit))),
      `tel:+66-${local}`,
      `\u2066${mali.username}\u2069\n`,
      'mailto:mali＠example．org',
    ]) {
      const { ret, data } = await right(mali, {} as never, { username });
      expect([username, ret]).toEqual([username, 1]);
      expect(data.user.id).toBe(String(mali.id));
    }
  });

  it('does not work with a look-alike of the username', async () => {
    const { username } = await room.signUp({ username: 'bigolive' });
    expect(username).toBe('bigolive');
    expect((await room.call(loginCustomer, { username: 'big0live', password: 'k7Wm2xPq' })).refusal).toBe(
      'credentials_wrong',
    );
  });

  it('reports a new device once, and a known one never', async () => {
    const phone = stranger();
    await right(mali, phone);
    await right(mali, phone);
    await right(mali, { address: '203.0.113.7', userAgent: ANDROID_USER_AGENT });
    const { items } = await room.messages.list(mali.id, 'all', undefined, { language: 'en' });
    const alerts = items.filter(({ content }) => content.includes(phone.address));
    expect(alerts).toHaveLength(1);
    // One of the two is the welcome notice.
    expect(items).toHaveLength(2);
  });

  it('recognises a device by the key that the app stores, in any network', async () => {
    const device = 'a-random-key-of-this-app-0001';
    await right(mali, stranger(), { device });
    const before = (await room.messages.list(mali.id, 'all', undefined, { language: 'en' })).items.length;
    await right(mali, stranger(), { device });
    expect((await room.messages.list(mali.id, 'all', undefined, { language: 'en' })).items).toHaveLength(before);
    await right(mali, stranger(), { device: 'another-random-key-of-an-app' });
    expect((await room.messages.list(mali.id, 'all', undefined, { language: 'en' })).items).toHaveLength(before + 1);
  });

  it('of a frozen account is refused, but only with the right password', async () => {
    await room.sql("UPDATE customers.customer SET frozen_reason = 'asked by the customer' WHERE id = $1", [mali.id]);
    expect((await wrong(mali.username)).refusal).toBe('credentials_wrong');
    expect((await right(mali)).refusal).toBe('account_frozen');
    expect(await room.customers.readFrozen(room.test.database, [mali.id, 1n])).toEqual(new Set([mali.id]));
    await expect(room.customers.refuseFrozen(room.test.database, [1n, mali.id])).rejects.toThrow('may not trade');
    await room.customers.refuseFrozen(room.test.database, [1n]);
    room.clock.advance(6_000);
    expect(await room.customers.accountState(mali.id, room.clock.now())).toEqual({ frozen: true });
  });
});

describe('wrong passwords', () => {
  it('get the same answer and delays for a customer and for an unknown name', async () => {
    for (const username of [mali.username, 'nobody_at_all']) {
      const answers: unknown[] = [];
      for (let n = 0; n < 7; n += 1) {
        const { data, msg, ret } = await wrong(username);
        answers.push({ data, msg, ret });
      }
      expect(answers.slice(0, 5)).toEqual(
        Array(5).fill({ ret: 0, msg: 'The username or password is wrong.', data: { code: 'credentials_wrong' } }),
      );
      expect(answers[5]).toMatchObject({ ret: 0, data: { code: 'login_delayed', params: { wait: '30' } } });
      expect(answers[6]).toEqual(answers[5]);
    }
  });

  it('delay the next try longer and longer, from any address; a right one ends the delay', async () => {
    const waits: number[] = [];
    for (let n = 0; n < 14; n += 1) {
      const answer = await wrong(mali.username);
      if (answer.refusal !== 'login_delayed') continue;
      const wait = Number(answer.params.wait);
      waits.push(wait);
      room.clock.advance(wait * 1_000);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480]);
    // Even the right password has to wait.
    await wrong(mali.username);
    expect((await right(mali)).refusal).toBe('login_delayed');
    room.clock.advance(HOUR);
    expect((await right(mali)).ret).toBe(1);
    expect((await wrong(mali.username)).refusal).toBe('credentials_wrong');
    expect((await right(mali)).ret).toBe(1);
  });

  it('from strangers never lock out the owner’s device', async () => {
    const own = { address: '203.0.113.7', userAgent: ANDROID_USER_AGENT };
    for (let n = 0; n < 8; n += 1) await wrong(mali.username);
    expect((await right(mali)).refusal).toBe('login_delayed');
    expect((await right(mali, own)).ret).toBe(1);
    // That device has its own limit.
    for (let n = 0; n < 8; n += 1) expect((await wrong(mali.username, own)).refusal).toBe('credentials_wrong');
    expect((await right(mali, own)).refusal).toBe('login_delayed');
  });

  it('from the owner’s network and browser never lock out an app that has its key', async () => {
    const shared = { address: '203.0.113.7', userAgent: ANDROID_USER_AGENT };
    for (let n = 0; n < 6; n += 1) {
      const owner = await room.signUp({ device: `a-random-key-of-an-app-${n}` }, shared);
      for (let tries = 0; tries < 8; tries += 1) await wrong(owner.username, shared);
      expect((await wrong(owner.username, shared)).refusal).toBe('login_delayed');
      expect((await right(owner, shared, { device: `a-random-key-of-an-app-${n}` })).ret).toBe(1);
      room.clock.advance(HOUR);
    }
  });

  it('of two hundred at once, five are checked', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => wrong(mali.phone)));
    const count = (refusal: string) => answers.filter((answer) => answer.refusal === refusal).length;
    expect([count('credentials_wrong'), count('login_delayed')]).toEqual([5, 195]);
  });

  it('over many names slow down one address, and no other', async () => {
    const caller = stranger();
    let looked = 0;
    let refused = 0;
    for (let n = 0; n < 130; n += 1) {
      const { refusal } = await wrong(`stuffing_${n}_q`, caller, `pw${n}zq`);
      if (refusal === 'login_delayed') refused += 1;
      else looked += 1;
    }
    expect([looked, refused]).toEqual([100, 30]);
    expect((await right(mali, caller)).refusal).toBe('login_delayed');
    expect((await right(mali)).ret).toBe(1);
    // All addresses of one IPv6 /64 count as one.
    const six = (n: number) => ({ address: `2001:db8:77:1::${n}`, userAgent: 'six' });
    for (let n = 1; n <= 100; n += 1) await wrong(`six_${n}_q`, six(n), `pw${n}zk`);
    expect((await wrong('six_101_q', six(101))).refusal).toBe('login_delayed');
    expect((await wrong('six_102_q', { address: '2001:db8:77:2::1', userAgent: 'six' })).refusal).toBe(
      'credentials_wrong',
    );
  });

  it('that are one password for many names are a spray', async () => {
    const tries: (string | null)[] = [];
    for (let n = 0; n < 32; n += 1) tries.push((await wrong(`spray_${n}_q`, stranger(), 'Company2026')).refusal);
    expect(tries.slice(0, 30)).toEqual(Array(30).fill('credentials_wrong'));
    expect(tries.slice(30)).toEqual(['login_delayed', 'login_delayed']);
    expect((await right(mali)).ret).toBe(1);
  });

  it('are a spray also from a network that the customers have in common', async () => {
    const shared = { address: '203.0.113.8', userAgent: ANDROID_USER_AGENT };
    for (let n = 0; n < 30; n += 1) {
      const { username } = await room.signUp({}, shared);
      expect((await wrong(username, shared, 'Company2027')).refusal).toBe('credentials_wrong');
    }
    expect((await wrong('spray_30_q', stranger(), 'Company2027')).refusal).toBe('login_delayed');
  });

  it('E1 of a whole spray raise the alarm, and leave strangers two tries per name', async () => {
    const before = room.alarms.length;
    for (let n = 0; n < 300; n += 1) await wrong(`big_spray_${n}_q`, stranger(), `zq${n}w`);
    expect(room.alarms.slice(before)).toEqual(['login_spray']);
    const victim = await Promise.all([1, 2, 3, 4].map(async () => (await wrong('victim_of_it')).refusal));
    expect(victim.filter((refusal) => refusal === 'credentials_wrong')).toHaveLength(2);
    // The owner on a known device is not affected.
    expect((await right(mali, { address: '203.0.113.7', userAgent: ANDROID_USER_AGENT })).ret).toBe(1);
    room.clock.advance(11 * MINUTE);
    await wrong('after_the_spray');
    await wrong('after_the_spray');
    expect((await wrong('after_the_spray')).refusal).toBe('credentials_wrong');
  });
});

it('the device is shown by a name that can’t imitate our texts', async () => {
  const { data } = await right(mali, { address: '198.51.100.200', userAgent: IPHONE_USER_AGENT });
  const [row] = await room.sql<{ device: string }>(
    "SELECT device FROM customers.session WHERE address = '198.51.100.200'",
  );
  expect(row?.device).toBe('Safari, iPhone');
  await room.call(logoutCustomer, {}, { token: data.token });
});

it('no unexpected fault was reported', () => expect(room.faults).toEqual([]));
