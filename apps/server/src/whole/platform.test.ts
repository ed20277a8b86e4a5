import { randomUUID } from 'node:crypto';
import { buyOption, CALLS, readOption } from '@sathorn/api';
import { LANGUAGES } from '@sathorn/text';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { MALFORMED_AMOUNTS } from '../platform/edge/testing.ts';
import { openTestPlatform, type TestPlatform } from './testing-platform.ts';

/** Calls that need no session. Adding one requires an edit here, which is reviewed. */
const OPEN_CALLS = [
  'GET /box/file',
  'GET /box/lists',
  'GET /coin/book',
  'GET /coin/data/rate',
  'GET /coin/lists',
  'GET /coin/maker',
  'GET /coin/trades',
  'GET /coin/trans/rate',
  'GET /content/fame',
  'GET /content/page',
  'GET /content/rules',
  'GET /content/sale',
  'GET /content/sale/info',
  'GET /content/slide',
  'GET /content/winnotice',
  'GET /demo/operators',
  'GET /demo/outbox',
  'GET /other/config',
  'GET /proof/keys',
  'GET /proof/restorations',
  'GET /proof/ticks',
  'GET /status',
  'GET /status/custody',
  'GET /status/figures',
  'GET /status/liabilities',
  'GET /third/currency/rate',
  'GET /users/email/get',
  'GET /users/sms',
  'GET /market/candles',
  'GET /market/markets',
  'GET /market/orderbook',
  'GET /market/tickers',
  'GET /market/trades',
  'GET /offer/changes',
  'GET /offer/pauses',
  'GET /yuebao/product',
  'GET /yuebao/rule',
  'POST /log/seen',
  'POST /admin/enrol/finish',
  'POST /admin/enrol/start',
  'POST /admin/login',
  'POST /admin/login/finish',
  'POST /admin/login/start',
  'POST /coin/data/lists',
  'POST /support/visitor',
  'POST /users/forget',
  'POST /users/login',
  'POST /users/passkey/login/finish',
  'POST /users/passkey/login/start',
  'POST /users/practice/enter',
  'POST /users/register',
  'POST /users/register/check',
  'POST /users/second/reset',
  'POST /users/second/reset/word',
];

// The server must refuse each with the field named, and change nothing (threats.md A8).
const BAD_AMOUNTS = [...MALFORMED_AMOUNTS, '', '1\u0000', '1000000000000000000'];

describe('the platform over HTTP', () => {
  let platform: TestPlatform;
  let token = '';

  const send: TestPlatform['send'] = (...asked) => platform.send(...asked);
  const signedIn = (extra: Record<string, string> = {}) => ({ token, ...extra });
  const buy = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send(
      'POST /coin/order/add',
      { code: 'BTC', direction: 'up', quantity: '10', duration: '30', ...fields },
      signedIn(headers),
    );
  const balance = async (): Promise<unknown> =>
    (await send('POST /coin/user/amount', { code: 'BTC' }, signedIn())).answer.data;

  beforeAll(async () => {
    platform = await openTestPlatform({ SIM_SEED: 'platform', ROLES: 'edge,index,matcher,settler' });
    token = await platform.signIn(DEMO_CUSTOMER);
  });
  afterAll(async () => {
    await platform.close();
    expect(platform.faults).toEqual([]);
  });

  it('opens only these calls to anyone', () => {
    const open = Object.values(CALLS).filter((call) => call.who === 'anyone');
    expect(open.map((call) => `${call.method} ${call.path}`).sort()).toEqual([...OPEN_CALLS].sort());
  });

  it('F1 requires a session on every other call, and says so in the caller’s language', async () => {
    for (const call of Object.values(CALLS).filter(({ who }) => who !== 'anyone')) {
      const messages = new Set<string>();
      for (const lang of LANGUAGES) {
        const { answer } = await send(`${call.method} ${call.path}`, {}, { lang });
        expect([call.path, answer.ret]).toEqual([call.path, -1]);
        messages.add(answer.msg);
      }
      expect([call.path, messages.size]).toEqual([call.path, LANGUAGES.length]);
    }
  });

  it('writes a limit in the reader’s digits', async () => {
    const { answer } = await buy({ quantity: '999999' }, { lang: 'ar', presentation: 'digits=native' });
    expect(answer.data.code).toBe('above_maximum');
    expect(answer.msg).toMatch(/[٠-٩]+٬[٠-٩]{3}/);
    expect(answer.data.fields?.quantity).toBe(answer.msg);
    expect((await buy({ quantity: '999999' }, { lang: 'ar' })).answer.msg).toMatch(/[0-9],[0-9]{3}/);
  });

  it('names a missing field in each language, for every call with a request', async () => {
    for (const call of Object.values(CALLS)) {
      // Skips logging out, which would end this loop's session, and the outbox, which has no envelope.
      if (call.takesFile || call.path === '/users/logout' || call.path === '/demo/outbox') continue;
      // An operator's call checks the session before it reads fields.
      if (call.who === 'operator') continue;
      for (const lang of LANGUAGES) {
        const { answer } = await send(`${call.method} ${call.path}`, {}, { ...signedIn(), lang });
        const isPlain = call.isPlain && answer.ret === undefined;
        if (isPlain || answer.ret === 1) {
          expect(v.safeParse(call.result, isPlain ? answer : answer.data).issues, call.path).toBeUndefined();
          continue;
        }
        expect(answer.ret, call.path).toBe(0);
        expect(answer.msg, `${call.path} ${lang}`).toBeTruthy();
        for (const [field, words] of Object.entries(answer.data.fields ?? {})) {
          expect(field).toMatch(/^[a-z][a-z0-9_]*$/);
          if (lang !== 'en')
            expect(words, `${call.path} ${field} ${lang}`).not.toMatch(/\b(please|required|invalid|must|the)\b/i);
        }
      }
    }
  });

  describe('A8 amounts', () => {
    it.each(['quantity', 'amount'])(
      'of %s have one grammar, and a faulty one names its field and changes nothing',
      async (field) => {
        const before = await balance();
        for (const text of BAD_AMOUNTS) {
          const { status, answer } =
            field === 'quantity'
              ? await buy({ quantity: text })
              : await send('POST /demo/fund', { asset: 'USDT', amount: text }, signedIn());
          expect([text.slice(0, 40), status, answer.ret]).toEqual([text.slice(0, 40), 200, 0]);
          expect(Object.keys(answer.data.fields ?? {}), text.slice(0, 40)).toEqual([field]);
          expect(answer.data.fields?.[field], text.slice(0, 40)).not.toBe(answer.msg);
        }
        expect(await balance()).toEqual(before);
      },
    );
    it('distinguishes a malformed amount of any asset from a missing coin', async () => {
      const bad = await send('POST /demo/fund', { asset: 'BTC', amount: '0.000000001' }, signedIn());
      expect(bad.answer.data.fields?.amount).toMatch('isn’t a valid amount');
      const none = await send('POST /coin/order/add', { direction: 'up', quantity: '1', duration: '30' }, signedIn());
      expect(none.answer.data.fields?.code).toBe('Please choose a coin and try again!');
    });
    it('refuses the same field twice, and zero', async () => {
      const twice = await send(
        'POST /coin/order/add',
        'code=BTC&direction=up&quantity=1&quantity=9&duration=30',
        signedIn(),
      );
      expect(Object.keys(twice.answer.data.fields ?? {})).toEqual(['quantity']);
      const zero = await buy({ quantity: '0' });
      expect(zero.answer.data.code).toBe('below_minimum');
      expect((await send('POST /demo/fund', { asset: 'USDT', amount: '0' }, signedIn())).answer.data.code).toBe(
        'amount_not_positive',
      );
    });
    it('refuses more decimals than the asset has', async () => {
      expect(
        (await send('POST /demo/fund', { asset: 'THB', amount: '1.001' }, signedIn())).answer.data.fields,
      ).toHaveProperty('amount');
      expect(
        (await send('POST /demo/fund', { asset: 'POINTS', amount: '1.5' }, signedIn())).answer.data.fields,
      ).toHaveProperty('amount');
    });
  });

  it('A3 A4 one key gives one order, and is refused with other content', async () => {
    const key = randomUUID();
    const before = (await balance()) as { usdt_available: string };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => buy({ quantity: '7' }, { 'Idempotency-Key': key })),
    );
    const [bought] = answers.map(({ answer }) => answer.data);
    expect(v.safeParse(buyOption.result, bought).issues).toBeUndefined();
    const { answer: read } = await send('GET /coin/order/info', { id: String(bought?.id) }, signedIn());
    expect(v.safeParse(readOption.result, read.data).issues).toBeUndefined();
    expect(new Set(answers.map(({ answer }) => answer.data.id)).size).toBe(1);
    expect((await buy({ quantity: '8' }, { 'Idempotency-Key': key })).answer.data.code).toBe('idempotency_key_reused');
    const after = (await balance()) as { usdt_available: string };
    expect(Number(before.usdt_available) - Number(after.usdt_available)).toBe(7);
  });

  it('A1 the last unit is spent once, however many requests try', async () => {
    const { answer } = await send('POST /users/login', { username: 'anan', password: 'Rama8Bridge' });
    const poor = String(answer.data.token);
    await send('POST /demo/fund', { asset: 'USDT', amount: '1' }, { token: poor });
    let granted = 0;
    const refusals = new Set<unknown>();
    for (let round = 0; round < 20; round++) {
      const tries = await Promise.all(
        Array.from({ length: 500 }, () =>
          send(
            'POST /coin/order/add',
            { code: 'ETH', direction: 'up', quantity: '1', duration: '300' },
            { token: poor, 'Idempotency-Key': randomUUID() },
          ),
        ),
      );
      granted += tries.filter((each) => each.answer.ret === 1).length;
      for (const { answer } of tries) if (answer.ret !== 1) refusals.add(answer.data.code);
    }
    expect(granted).toBe(1);
    // A machine that is busy with other tests may publish a tick late, which refuses a purchase as well.
    refusals.delete('index_stale');
    expect([...refusals]).toEqual(['exceeds_balance']);
  });

  it('signs up with a code from the outbox, and names the field in a refusal', async () => {
    await send('GET /users/sms', { userphone: '0812345678', must: 'register' });
    const outbox = (await (await fetch(`${platform.url}/demo/outbox?to=0812345678`)).json()) as { code: string }[];
    const fields = {
      mode: 'phone',
      phone: '0812345678',
      code: outbox[0]?.code ?? '',
      password: 'Mekong77',
      paypass: '830274',
      username: 'somsri',
      currency: 'BAHT',
      invite_code: 'WELCOME',
      agree: 'true',
    };
    const refused: [string, string][] = [
      ['password', 'short'],
      ['password', 'contains space'],
      ['paypass', '12345'],
      ['username', '1x'],
      ['currency', 'XXX'],
      ['invite_code', '?'],
      ['agree', 'false'],
      ['phone', 'abc'],
      ['code', ''],
      ['mode', 'fax'],
    ];
    for (const [field, value] of refused) {
      const { answer } = await send('POST /users/register', { ...fields, [field]: value });
      expect([field, answer.ret, Object.keys(answer.data.fields ?? {})]).toEqual([field, 0, [field]]);
    }
    expect((await send('POST /users/register', { ...fields, invite_code: 'NOBODY99' })).answer.data.code).toBe(
      'invite_code_unknown',
    );
    const { answer } = await send('POST /users/register', fields);
    expect(answer).toMatchObject({
      ret: 1,
      data: { token: expect.any(String), user: { username: 'somsri', balance: '0.000000', has_paypass: true } },
    });
  });
});
