import { LANGUAGES } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { openTestEdge, type TestEdge } from '../../platform/edge/testing.ts';
import { type Messages, openMessages, type Template, type Templates } from './index.ts';
import { TEMPLATE_NAMES } from './templates.ts';

const AT = new Date('2026-11-21T08:00:00.000Z');
const at = AT.toISOString();

const PARAMS: { [Name in Template]: Templates[Name] } = {
  welcome: {},
  sign_in: { device: 'Firefox', address: '203.0.113.9', at },
  password_changed: { at },
  password_reset: { at },
  paypass_changed: { at },
  paypass_locked: { until: at },
  contact_changed: { at },
  account_frozen: { until: '2026-11-24T08:00:00.000Z' },
  from_staff: { name: 'mai', text: 'We have looked at it.' },
  option_void: { coin: 'BTC', amount: '10 USDT', at },
  option_late: { coin: 'BTC', amount: '10 USDT', until: at },
  dispute_opened: { order: 'o1', deadline_at: at },
  dispute_answered: { order: 'o1', answer: 'The receipt is right.' },
  money_dispute_opened: { order: 'D-261123-31JRNQ5Y', deadline_at: at },
  correction_charged_twice: { order: 'J-0064', amount: '6.500000 USDT' },
  correction_fee_wrong: { order: 'J-0064', amount: '6.500000 USDT' },
  correction_settlement_fault: { order: 'J-0064', amount: '6.500000 USDT' },
  correction_deposit_lost: { order: 'J-0064', amount: '6.500000 USDT' },
  correction_kept_receipt: { order: 'J-0064', amount: '6.500000 USDT' },
  correction_goodwill: { order: 'J-0064', amount: '6.500000 USDT' },
  correction_announced: { order: 'J-0064', amount: '6.500000 USDT', until: at },
  correction_taken: { order: 'J-0064', amount: '6.500000 USDT' },
  correction_stopped: { order: 'J-0064' },
  wallet_added: { name: 'Mum', at, until: at },
  card_added: { name: 'KBANK', at, until: at },
  payee_removed: { name: 'Mum', at },
  primary_verified: { at },
  advanced_verified: { at },
  certification_sent_back: { at },
  certification_refused: { at },
  second_factor_on: { at },
  second_factor_off: { at },
  recovery_code_used: { at, left: '9' },
  passkey_added: { name: 'Phone', at },
  passkey_removed: { name: 'Phone', at },
  device_key_added: { device: 'Chrome, Android', at },
  device_key_removed: { device: 'Chrome, Android', at },
  api_key_added: { name: 'My bot', at },
  api_key_removed: { name: 'My bot', at },
  anti_phishing_changed: { at },
  factor_reset_asked: { device: 'Firefox', address: '203.0.113.9', until: at },
  factor_reset_soon: { until: at },
  factor_reset_stopped: { at },
  factor_reset_done: { at },
  frozen_by_you: { at, until: at },
  unfrozen_by_you: { at },
  deposit_credited: { order: 'D-261123-31JRNQ5Y', amount: '250.000000 USDT' },
  deposit_credited_other: {
    order: 'D-261123-31JRNQ5Y',
    amount: '30.000000 USDT',
    came: '999.00 THB',
    ordered: '1000.00 THB',
  },
  deposit_reversed: { order: 'D-261123-31JRNQ5Y', amount: '250.000000 USDT' },
  deposit_reversed_used: {
    order: 'D-261123-31JRNQ5Y',
    amount: '250.000000 USDT',
    gained: '78.000000 USDT',
    left: '40.000000 USDT',
  },
  deposit_returned: { order: 'D-261123-31JRNQ5Y' },
  deposit_shortfall: { order: 'D-261123-31JRNQ5Y', amount: '12.50 USDT', until: at },
  shortfall_repaid: {},
  deposit_kept: { order: 'D-261123-31JRNQ5Y' },
  deposit_sent_back: { order: 'D-261123-31JRNQ5Y' },
  deposit_case_opened: { order: 'D-261123-31JRNQ5Y' },
  deposit_unrecoverable: { order: 'D-261123-31JRNQ5Y' },
  order_triggered: { coin: 'BTC', order: 'BTC-41', amount: '59000.00 USDT', at },
  order_not_placed: { coin: 'BTC', order: 'BTC-41', amount: '59000.00 USDT', at },
  recurring_skipped: { coin: 'BTC', amount: '50.00 USDT', at },
  lockup_renewed: { subject: '30', amount: '1000.00 USDT' },
  lockup_not_renewed: { subject: '30', amount: '1000.00 USDT' },
  deposit_subscribed: { amount: '250.00 USDT' },
  deposit_not_subscribed: { amount: '250.00 USDT' },
  price_above: { coin: 'BTC', amount: '80000.00 USDT', at },
  price_below: { coin: 'BTC', amount: '80000.00 USDT', at },
  own_limit_set: { at },
  own_limit_raise: { until: at },
  time_out_begun: { until: at },
  self_exclusion_begun: { until: at },
  withdrawal_done: { order: 'W-261123-0C7E0XBZ', amount: '398.600000 USDT' },
  withdrawal_returned: { order: 'W-261123-0C7E0XBZ', amount: '400.000000 USDT' },
  terms_lockup: { subject: '30', at, now: '0.015 %', next: '0.014 %' },
  terms_liquidity: { at },
  terms_option: { subject: 'BTC', at },
  terms_coin: { subject: 'BTC', at },
  terms_fee: { at },
  terms_withdrawal: { at },
  terms_level: { at },
  terms_other: { at },
  support_answered: {},
};

let test: TestDatabase;
let edge: TestEdge;
let messages: Messages;
const bus = new Bus();

beforeAll(async () => {
  test = await openTestDatabase();
  const opened = openMessages({
    database: test.database,
    bus,
    clock: systemClock,
    wording: { brandTitle: 'Sathorn', timeZone: 'Asia/Bangkok' },
    audienceOf: async () => ({ level: 0, joinedAt: new Date(0) }),
    onFault: (error) => {
      throw error;
    },
  });
  messages = opened.api;
  edge = await openTestEdge({ handlers: opened.handlers });
});
afterAll(async () => {
  await edge.close();
  await test.close();
});

async function call(
  path: string,
  token: string,
  fields: Record<string, string> | null,
  lang = 'en',
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${edge.url}/api${path}`, {
    method: fields === null ? 'GET' : 'POST',
    headers: { token, lang, ...headers },
    ...(fields === null ? {} : { body: new URLSearchParams(fields) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as {
    ret: number;
    data: {
      items: { id: string; title: string; content: string; status: string; at: string }[];
      next: string | null;
      unread: number;
    };
  };
}

describe('notices', () => {
  it('has texts for every template in every language, with all its values', () => {
    for (const language of LANGUAGES) {
      for (const name of TEMPLATE_NAMES) {
        const values: Record<string, string> = { ...PARAMS[name] };
        const params = { ...values, brand: 'Sathorn' };
        const content = translate(language, `messages.${name}.content`, params);
        expect(translate(language, `messages.${name}.title`, params)).not.toBe('');
        for (const value of Object.values(values)) expect(content).toContain(value);
      }
    }
  });

  it('stores a notice, words it in the reader’s language and shows times in the brand’s zone', async () => {
    const heard: unknown[] = [];
    bus.on('messages', (event) => heard.push(event));
    await messages.send(1n, 'sign_in', PARAMS.sign_in, AT);
    expect(heard).toEqual([{ owner: 1n, data: { unread: 1 } }]);

    const english = await call('/users/message/unread', 'token-1', null, 'en');
    expect(english.data.unread).toBe(1);
    expect(english.data.items[0]).toMatchObject({ title: 'Sign-in from a new device', status: 'unread', at });
    expect(english.data.items[0]?.content).toContain('15:00:00');
    const thai = await call('/users/message/unread', 'token-1', null, 'th');
    expect(thai.data.items[0]?.title).toBe('เข้าสู่ระบบจากอุปกรณ์ใหม่');
    expect(thai.data.items[0]?.content).toContain('2569');
    expect(await messages.snapshot(1n, { language: 'jp' })).toMatchObject({
      unread: 1,
      latest: { title: '新しい端末からのログイン' },
    });
  });

  it('formats an old notice for each reader: their digits, their year, their time zone', async () => {
    edge.sessions.set('token-6', { customerId: 6n, sessionId: 's6' });
    await messages.send(6n, 'option_void', { ...PARAMS.option_void, amount: '12345.500000 USDT' }, AT);
    const content = async (lang: string, presentation?: string) =>
      (await call('/users/message', 'token-6', { status: 'all' }, lang, presentation ? { presentation } : {})).data
        .items[0]?.content;
    expect(await content('th')).toMatch(/21 พ\.ย\. 2569 15:00:00.* 12,345\.50\sUSDT/);
    const thai = await content('th', 'digits=native;calendar=gregorian;zone=Asia/Tokyo');
    expect(thai).toMatch(/๒๑ พ\.ย\. ๒๐๒๖ ๑๗:๐๐:๐๐.* ๑๒,๓๔๕\.๕๐\sUSDT/);
    expect(await content('hi', 'digits=native;zone=Asia/Kolkata')).toMatch(/१३:३०:००.*१२,३४५\.५०\sUSDT/);
    expect(await content('ar', 'digits=native')).toContain('١٢٬٣٤٥٫٥٠');
    expect(await content('jp', 'zone=Asia/Tokyo')).toContain('2026年11月21日 17:00:00');
    // Invalid preferences are ignored.
    for (const odd of ['zone=Mars/Base', 'digits=roman;calendar=maya', 'x'.repeat(500), ';;=;zone=', 'zone=a b'])
      expect(await content('th', odd)).toBe(await content('th'));
    expect(await messages.snapshot(6n, { language: 'en', timeZone: 'America/New_York' })).toMatchObject({
      latest: { content: expect.stringContaining('03:00:00') },
    });
  });

  it('shows values of earlier versions: an amount without decimals, and a text that is no time', async () => {
    const content = async (amount: string, at: string) => {
      await messages.send(7n, 'option_void', { coin: 'BTC', amount, at }, AT);
      return (await messages.list(7n, 'all', undefined, { language: 'en' })).items[0]?.content;
    };
    expect(await content('10 USDT', at)).toMatch(/stake of 10\.00\sUSDT/);
    expect(await content('1000 USDT', at)).toMatch(/stake of 1,000\.00\sUSDT/);
    expect(await content('a stake', 'yesterday')).toContain('voided on yesterday because');
  });

  it('stores a notice whose value is cut within a letter', async () => {
    await messages.send(8n, 'sign_in', { ...PARAMS.sign_in, device: `${'x'.repeat(199)}😀` }, AT);
    expect((await messages.list(8n, 'all', undefined, { language: 'en' })).items).toHaveLength(1);
  });

  it('shows an amount as people write it', async () => {
    edge.sessions.set('token-4', { customerId: 4n, sessionId: 's4' });
    await messages.send(4n, 'option_void', { ...PARAMS.option_void, amount: '12345.500000 USDT' }, AT);
    const content = async (language: string) =>
      (await call('/users/message/unread', 'token-4', null, language)).data.items[0]?.content;
    expect(await content('en')).toMatch(/stake of 12,345\.50\sUSDT is back/);
    expect(await content('hi')).toMatch(/12,345\.50\sUSDT/);
  });

  it('pages by cursor and by number, newest first, with nothing twice and nothing lost', async () => {
    for (let n = 0; n < 45; n += 1) await messages.send(3n, 'dispute_answered', { order: `o${n}`, answer: 'x' }, AT);
    edge.sessions.set('token-3', { customerId: 3n, sessionId: 's3' });
    const seen: string[] = [];
    let page = '';
    do {
      const { data } = await call('/users/message', 'token-3', { status: 'all', page });
      seen.push(...data.items.map((item) => item.content));
      page = data.next ?? '';
    } while (page !== '');
    expect(seen).toHaveLength(45);
    expect(new Set(seen).size).toBe(45);
    expect(seen[0]).toContain('o44');
    const third = await call('/users/message', 'token-3', { status: 'all', page: '3' });
    expect(third.data.items.map((item) => item.content)).toEqual(seen.slice(40));
    expect(third.data.next).toBeNull();
  });

  it('stores simultaneous notices once each, in the order of sending, even if one can’t be stored', async () => {
    const told: unknown[] = [];
    const onMessage = (event: unknown) => told.push(event);
    bus.on('messages', onMessage);
    const send = (owner: bigint, order: string, of?: string) =>
      messages.send(owner, 'dispute_answered', { order, answer: 'x' }, AT, of);
    const sent = Array.from({ length: 60 }, (_, n) => send(20n + BigInt(n % 3), `o${n}`, `n${n % 30}`));
    const done = await Promise.allSettled([...sent, send(-1n, 'nobody'), send(23n, 'last')]);
    bus.off('messages', onMessage);
    expect(done.map(({ status }) => status)).toEqual([...Array(60).fill('fulfilled'), 'rejected', 'fulfilled']);
    const orders = async (owner: bigint) =>
      (await messages.list(owner, 'all', undefined, { language: 'en' })).items.map(
        ({ content }) => content.match(/o\d+/)?.[0],
      );
    expect(await orders(20n)).toEqual([27, 24, 21, 18, 15, 12, 9, 6, 3, 0].map((n) => `o${n}`));
    expect(await orders(22n)).toHaveLength(10);
    expect((await messages.list(23n, 'all', undefined, { language: 'en' })).unread).toBe(1);
    expect(told.at(-1)).toEqual({ owner: 23n, data: { unread: 1 } });

    // Once stored, both owners are notified together.
    told.length = 0;
    bus.on('messages', onMessage);
    await Promise.all([send(24n, 'a'), send(24n, 'b'), send(24n, 'c')]);
    bus.off('messages', onMessage);
    expect(told).toEqual([{ owner: 24n, data: { unread: 3 } }]);
  });

  it('marks only the reader’s own notices; other customers’ ids change and reveal nothing', async () => {
    const mine = (await call('/users/message', 'token-1', { status: 'all' })).data.items[0]?.id ?? '';
    expect(mine).toMatch(/^[A-Za-z0-9_-]{16}$/);
    const stranger = await call('/users/message/reader', 'token-2', { ids: mine });
    expect(stranger.data.unread).toBe(0);
    expect((await call('/users/message', 'token-2', { status: 'all', page: mine })).data.items).toEqual([]);
    expect((await call('/users/message/unread', 'token-1', null)).data.unread).toBe(1);

    const nonsense = await call('/users/message/reader', 'token-1', { ids: `x,,'; drop table,${'a'.repeat(16)}` });
    expect(nonsense.data.unread).toBe(1);
    expect((await call('/users/message/reader', 'token-1', { ids: `${mine},${mine}` })).data.unread).toBe(0);
    expect((await call('/users/message', 'token-1', { status: 'unread' })).data.items).toEqual([]);
    expect((await call('/users/message', 'token-1', { status: 'all' })).data.items[0]?.status).toBe('read');
  });

  it('deletes messages that were read and are half a year old, and no others', async () => {
    const HALF_YEAR = 180 * 24 * 3_600_000;
    const LONG_AGO = new Date('2023-05-01T00:00:00Z');
    const orders = async () =>
      (await messages.list(5n, 'all', undefined, { language: 'en' })).items.map(
        ({ content }) => /order (\w+)/.exec(content)?.[1],
      );
    await messages.send(5n, 'dispute_answered', { order: 'read', answer: 'x' }, LONG_AGO);
    await messages.markRead(5n, 'all', LONG_AGO);
    await messages.send(5n, 'dispute_answered', { order: 'unread', answer: 'x' }, LONG_AGO);
    await messages.sweep(new Date(LONG_AGO.getTime() + HALF_YEAR));
    expect(await orders()).toEqual(['unread', 'read']);
    await messages.sweep(new Date(LONG_AGO.getTime() + HALF_YEAR + 1));
    expect(await orders()).toEqual(['unread']);

    // A clock that runs ahead does not delete recent notices, because the database uses its own.
    await messages.send(5n, 'dispute_answered', { order: 'fresh', answer: 'x' }, new Date());
    await messages.markRead(5n, 'all', new Date());
    await messages.sweep(new Date('2999-01-01T00:00:00Z'));
    expect(await orders()).toEqual(['fresh']);
  });

  it('marks all', async () => {
    expect((await call('/users/message/reader', 'token-3', { ids: 'all' })).data.unread).toBe(0);
  });

  it('leaves sent messages unchanged', async () => {
    const { statement } = await import('../../platform/database/index.ts');
    await expect(
      test.database.query(statement('test.change_message', `UPDATE messages.message SET template = 'welcome'`)),
    ).rejects.toThrow(/permission denied/);
    await expect(test.database.query(statement('test.delete_message', 'DELETE FROM messages.message'))).rejects.toThrow(
      /permission denied/,
    );
  });
});
