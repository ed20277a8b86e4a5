import { loginCustomer, logoutCustomer, readPush, stopPush, subscribePush, switchPush } from '@sathorn/api';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Bus } from '../../platform/bus/index.ts';
import { openTestCustomers, type SignedUpCustomer, type TestCustomers } from '../customers/testing-customers.ts';
import { openPush, type PushModule } from './index.ts';
import { openTestPushService, type TestBrowser, type TestPushService } from './testing-push.ts';

const faults: unknown[] = [];
let service: TestPushService;
let room: TestCustomers;
let push: PushModule;
let mali: SignedUpCustomer;

beforeAll(async () => {
  service = await openTestPushService();
  room = await openTestCustomers({}, ({ database, clock, messages, customers }) => {
    const opened = openPush({
      database,
      clock,
      messages,
      bus: new Bus(),
      secrets: { pushKey: Buffer.alloc(32, 9) },
      contact: 'mailto:ops@brand.example',
      brand: 'Sathorn',
      openSessionsOf: customers.openSessionsOf,
      transport: service.transport,
      onFault: (error) => faults.push(error),
    });
    push = opened.api;
    return [...opened.handlers];
  });
  mali = await room.signUp();
});
afterEach(async () => {
  service.answers = [];
  service.retryAfter = undefined;
  await push.sendDue();
});
afterAll(async () => {
  await room.close();
  await service.close();
  expect(room.faults).toEqual([]);
});

const seconds = (count: number): void => room.clock.advance(count * 1_000);
const signIn = async ({ username, password }: SignedUpCustomer): Promise<string> =>
  (await room.call(loginCustomer, { username, password })).data.token;
/** Turns notifications on for this session and lets the first one arrive. */
const turnOn = async (token: string, browser = service.browser(), lang = 'en'): Promise<TestBrowser> => {
  const answer = await room.call(subscribePush, browser.subscription, { token, lang });
  expect(answer.refusal).toBeNull();
  await push.sendDue();
  browser.shown.length = 0;
  browser.headers.length = 0;
  return browser;
};
const credit = (of?: string, id = mali.id) =>
  room.messages.send(id, 'deposit_credited', { order: 'D-1', amount: '987654.321000 USDT' }, room.clock.now(), of);
const titles = ({ shown }: TestBrowser) => shown.map(({ title }) => title);

it('sends the title of a notice to each device, in its language, without the amount', async () => {
  const token = await signIn(mali);
  const thai = service.browser();
  await room.call(subscribePush, thai.subscription, { token, lang: 'th' });
  await push.sendDue();
  expect(titles(thai)).toEqual(['เปิดการแจ้งเตือน Sathorn แล้ว']);
  const english = await turnOn(await signIn(mali));
  await push.sendDue();
  thai.shown.length = 0;

  await credit();
  expect(await push.sendDue()).toBe(2);
  expect(english.shown).toMatchObject([
    { title: 'Deposit credited', body: 'Open Sathorn to see the details.', path: '/pages/index/msgList', dir: 'ltr' },
  ]);
  expect(titles(thai)).toHaveLength(1);
  expect(JSON.stringify([...thai.shown, ...english.shown])).not.toMatch(/987|D-1/);
  expect(english.headers[0]).toMatchObject({
    'content-encoding': 'aes128gcm',
    ttl: '86400',
    urgency: 'normal',
    topic: english.shown[0]?.tag,
  });
  // Nothing is left to send.
  expect(await push.sendDue()).toBe(0);
});

it('sends only the wanted kinds, security notices always, and nothing that is not for devices', async () => {
  const token = await signIn(mali);
  const browser = await turnOn(token);
  const chosen = await room.call(switchPush, { prices: '1', money: '0', answers: '0' }, { token });
  expect(chosen.data.subscription?.kinds).toEqual({ prices: true, money: false, answers: false });
  const at = room.clock.now().toISOString();
  await credit();
  await room.messages.send(mali.id, 'support_answered', {}, room.clock.now());
  await room.messages.send(mali.id, 'terms_fee', { at }, room.clock.now());
  await room.messages.send(mali.id, 'price_above', { coin: 'BTC', amount: '80000.00 USDT', at }, room.clock.now());
  await room.messages.send(mali.id, 'password_changed', { at }, room.clock.now());
  await push.sendDue();
  // The messages are sent at once, so they arrive in any order.
  expect(titles(browser).sort()).toEqual(['BTC rose to 80,000.00\u00a0USDT', 'Login password changed']);
  expect(browser.headers.map(({ ttl, urgency }) => `${ttl} ${urgency}`).sort()).toEqual(['259200 high', '3600 high']);
  // A subscription that is renewed in another language keeps its kinds and causes no second welcome.
  await room.call(subscribePush, browser.subscription, { token, lang: 'th' });
  expect((await room.call(readPush, {}, { token })).data.subscription?.kinds.money).toBe(false);
  expect(await push.sendDue()).toBe(0);
});

it.each([
  [{ endpoint: 'https://169.254.169.254/latest/meta-data' }, 'push_service_unknown', 'endpoint'],
  [{ endpoint: 'http://fcm.googleapis.com/x' }, 'push_service_unknown', 'endpoint'],
  [{ p256dh: 'A'.repeat(87) }, 'push_keys_invalid', 'p256dh'],
  [{ p256dh: 'A'.repeat(86) }, 'malformed_request', 'p256dh'],
  [{ auth: '' }, 'malformed_request', 'auth'],
])('refuses %j', async (change, refusal, field) => {
  const token = await signIn(mali);
  const answer = await room.call(subscribePush, { ...service.browser().subscription, ...change }, { token });
  expect(answer).toMatchObject({ refusal, fields: [field] });
  expect(await room.call(switchPush, { prices: '1', money: '1', answers: '1' }, { token })).toMatchObject({
    refusal: 'push_is_off',
  });
});

it('ends with the session: signed out, stopped, or the account frozen', async () => {
  const person = await room.signUp();
  const tokens = [await signIn(person), await signIn(person), await signIn(person)] as const;
  const browsers: TestBrowser[] = [];
  for (const token of tokens) browsers.push(await turnOn(token));
  await room.call(logoutCustomer, {}, { token: tokens[0] });
  await room.call(stopPush, {}, { token: tokens[1] });
  await credit('one', person.id);
  expect(await push.sendDue()).toBe(1);
  expect(browsers.map(({ shown }) => shown.length)).toEqual([0, 0, 1]);

  await room.sql(
    `INSERT INTO customers.freeze (id, customer, scopes, reason, made_by, made_by_name, starts_at, until)
     VALUES (gen_random_uuid(), $1, '{sign_in}', 'takeover_suspected', 1, 'mai', now(), now() + interval '1 hour')`,
    [String(person.id)],
  );
  await credit('two', person.id);
  expect(await push.sendDue()).toBe(0);
  const rows = await room.sql('SELECT 1 FROM push.subscription WHERE customer = $1', [String(person.id)]);
  expect(rows).toEqual([]);
});

it('sweeps subscriptions of ended sessions, though there is nothing to send', async () => {
  const person = await room.signUp();
  const token = await signIn(person);
  await turnOn(token);
  const count = () => room.sql('SELECT 1 FROM push.subscription WHERE customer = $1', [String(person.id)]);
  await push.sweep(room.clock.now());
  expect(await count()).toHaveLength(1);
  await room.call(logoutCustomer, {}, { token });
  await push.sweep(room.clock.now());
  expect(await count()).toHaveLength(0);
});

it('belongs to the customer who subscribed last with this browser', async () => {
  const [first, second] = [await room.signUp(), await room.signUp()];
  const browser = await turnOn(await signIn(first));
  await turnOn(await signIn(second), browser);
  await credit('first', first.id);
  expect(await push.sendDue()).toBe(0);
  await credit('second', second.id);
  expect(await push.sendDue()).toBe(1);
});

it('belongs to one customer when several subscribe with it at once', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => room.signUp()));
  const tokens = await Promise.all(people.map(signIn));
  const { subscription } = service.browser();
  const answers = await Promise.all(
    tokens.map((token) => room.call(subscribePush, subscription, { token, lang: 'en' })),
  );
  expect(answers.map(({ refusal }) => refusal)).toEqual(tokens.map(() => null));
  const states = await Promise.all(tokens.map((token) => room.call(readPush, {}, { token })));
  expect(states.filter(({ data }) => data.subscription !== null)).toHaveLength(1);
  await push.sendDue();
});

it('stores ten devices of a customer and drops the least recently renewed one', async () => {
  const person = await room.signUp();
  const browsers: TestBrowser[] = [];
  for (let n = 0; n < 11; n += 1) {
    seconds(1);
    browsers.push(await turnOn(await signIn(person)));
  }
  browsers.forEach(({ shown }) => {
    shown.length = 0;
  });
  await credit('many', person.id);
  expect(await push.sendDue()).toBe(10);
  expect(browsers[0]?.shown).toEqual([]);
});

it('retries with growing pauses, obeys Retry-After, and gives up when the notice is stale', async () => {
  const person = await room.signUp();
  const browser = await turnOn(await signIn(person));
  const at = room.clock.now().toISOString();
  await room.messages.send(person.id, 'price_below', { coin: 'BTC', amount: '1.00 USDT', at }, room.clock.now());
  service.answers = [503];
  expect(await push.sendDue()).toBe(0);
  seconds(29);
  expect(await push.sendDue()).toBe(0);
  service.answers = [null];
  seconds(1);
  expect(await push.sendDue()).toBe(0);
  service.answers = [429];
  service.retryAfter = '1000';
  seconds(120);
  expect(await push.sendDue()).toBe(0);
  seconds(999);
  expect(await push.sendDue()).toBe(0);
  service.retryAfter = undefined;
  seconds(1);
  expect(await push.sendDue()).toBe(1);
  expect(browser.headers[0]?.ttl).toBe(String(3_600 - 30 - 120 - 1_000));

  await room.messages.send(person.id, 'price_below', { coin: 'ETH', amount: '1.00 USDT', at }, room.clock.now());
  service.answers = [500];
  await push.sendDue();
  seconds(3_600);
  expect(await push.sendDue()).toBe(0);
  expect(await room.sql('SELECT 1 FROM push.delivery')).toEqual([]);
});

it.each([404, 410, 403])('forgets a device when the push service answers %i', async (status) => {
  const person = await room.signUp();
  const token = await signIn(person);
  await turnOn(token);
  await credit(undefined, person.id);
  service.answers = [status];
  await push.sendDue();
  expect((await room.call(readPush, {}, { token })).data.subscription).toBeNull();
});

it('sends again under the same topic after a crash, and a notice that was stored twice only once', async () => {
  const person = await room.signUp();
  const browser = await turnOn(await signIn(person));
  await credit('crash', person.id);
  await credit('crash', person.id);
  service.answers = [null];
  await push.sendDue();
  // Simulates that the process ended here: the try counts, and the delivery is due again.
  expect(await room.sql('SELECT tries FROM push.delivery')).toEqual([{ tries: 1 }]);
  seconds(30);
  await Promise.all([push.sendDue(), push.sendDue()]);
  expect(browser.shown).toHaveLength(1);
  expect(browser.headers[0]?.topic).toBe(browser.shown[0]?.tag);
});

it('sends nothing by a subscription whose row was copied to another customer', async () => {
  const [victim, thief] = [await room.signUp(), await room.signUp()];
  await turnOn(await signIn(victim));
  const browser = await turnOn(await signIn(thief));
  await room.sql(
    `UPDATE push.subscription SET sealed = (SELECT sealed FROM push.subscription WHERE customer = $2) WHERE customer = $1`,
    [String(victim.id), String(thief.id)],
  );
  faults.length = 0;
  await credit('copied', victim.id);
  expect(await push.sendDue()).toBe(0);
  expect(browser.shown).toEqual([]);
  expect(String(faults)).toContain('could not be decrypted');
});

it('does not push what was read in the app already', async () => {
  const person = await room.signUp();
  await turnOn(await signIn(person));
  await credit('read', person.id);
  await room.messages.markRead(person.id, 'all', room.clock.now());
  expect(await push.sendDue()).toBe(0);
});
