import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CALLS, DEPOSIT_STATUSES, WITHDRAWAL_STATUSES } from '@sathorn/api';
import sharp from 'sharp';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { type Envelope, openTestPlatform, type TestForm, type TestPlatform } from './testing-platform.ts';

/**
 * Section 7 of the specification, one call per line: method, path, payload. `…` is "fields not shown", `-` none, `?` an
 * optional name.
 */
const CALL_ROWS = `
GET  /other/config          act
GET  /content/slide         position
GET  /content/winnotice     -
GET  /content/sale          -
GET  /content/sale/info     id
GET  /users/ranks           -
GET  /third/currency/rate   code?
GET  /task/level            -
POST /users/message         status page
GET  /users/message/unread  -
POST /users/message/reader  ids
GET  /users/sms             userphone must
GET  /users/email/get       email
POST /users/login           …
POST /users/forget          …
GET  /users/info            -
POST /users/edit/avatar     userimg
POST /users/edit            …
GET  /users/bank            -
POST /users/bank/add        …
GET  /users/bank/del        id
POST /users/edit/userpass   …
POST /users/edit/paypass    …
POST /users/levelauth       …
POST /users/upload          file
POST /users/extract         …
GET  /users/extract/rate    -
GET  /users/account/lists   setup
GET  /pay/lists             -
POST /pay/submit            …
GET  /coin/lists            -
POST /coin/data/lists       …
GET  /coin/data/rate        code
POST /coin/order/add        …
GET  /coin/order/info       id
GET  /coin/order/total      -
POST /coin/trans/add        …
POST /coin/trans/close      id
POST /coin/trans/lists      …
POST /coin/user/amount      code
GET  /yuebao/balance        type?
GET  /yuebao/product        -
GET  /yuebao/order          -
GET  /yuebao/rule           -
GET  /yuebao/transfer/in    amount
POST /yuebao/transfer/in    amount
GET  /yuebao/transfer/out   amount
POST /yuebao/transfer/out   amount
`
  .trim()
  .split('\n')
  .map((line) => {
    const [method = '', path = '', ...names] = line.split(/\s+/);
    return { route: `${method} ${path}`, names };
  });

/**
 * Values of the payloads in the table's order, for a customer who has money and a payee, so that each call succeeds.
 */
type Known = Map<string, string>;
const VALUES: Record<string, (known: Known) => readonly TestForm[]> = {
  'GET /other/config': () => [{ act: 'system' }, { act: 'share' }, { act: 'about' }],
  'GET /content/slide': () => [{ position: 'home' }, { position: 'user1' }],
  'GET /content/sale/info': (known) => [{ id: known.get('sale') ?? '' }],
  'GET /third/currency/rate': () => [{}, { code: 'BAHT' }],
  'POST /users/message': () => [
    { status: 'all', page: '1' },
    { status: 'unread', page: '1' },
  ],
  'POST /users/message/reader': (known) => [{ ids: known.get('message') ?? '' }, { ids: 'all' }],
  'GET /users/sms': () => [{ userphone: '+66812345678', must: 'register' }],
  'GET /users/email/get': () => [{ email: 'somebody@demo.example' }],
  'POST /users/login': () => [{ username: DEMO_CUSTOMER.username, password: DEMO_CUSTOMER.password }],
  'POST /users/edit/avatar': (known) => [{ userimg: known.get('picture') ?? '' }],
  'POST /users/edit': () => [{ nickname: 'Nicha' }, { currency: 'USD' }],
  'POST /users/bank/add': () => [
    {
      type: 'wallet',
      name: 'Savings',
      coin: 'USDT',
      chain: 'testnet',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      paypass: DEMO_CUSTOMER.paypass,
    },
  ],
  'GET /users/bank/del': (known) => [{ id: known.get('payee') ?? '' }],
  'POST /users/edit/userpass': () => [
    { old: DEMO_CUSTOMER.password, password: 'Mekong7River', confirm: 'Mekong7River' },
  ],
  'POST /users/edit/paypass': () => [{ old: DEMO_CUSTOMER.paypass, password: '591837', confirm: '591837' }],
  'POST /users/levelauth': () => [
    { level: 'primary', type: 'id_card', name: 'ณิชา ใจดี', number: '1101700230708', birth_date: '1990-12-31' },
  ],
  'POST /users/extract': (known) => [
    { channel: 'testnet', target: known.get('wallet') ?? '', amount: '100', paypass: DEMO_CUSTOMER.paypass },
  ],
  'GET /users/account/lists': () =>
    ['all', 'income', 'expenditure', 'recharge', 'withdraw'].map((setup) => ({ setup })),
  'POST /pay/submit': () => [{ channel: 'promptpay', amount: '1000' }],
  'POST /coin/data/lists': () => [{ code: 'BTC', interval: '1m' }],
  'GET /coin/data/rate': () => [{ code: 'BTC' }],
  'POST /coin/order/add': () => [{ code: 'BTC', direction: 'up', quantity: '1', duration: '30' }],
  'GET /coin/order/info': (known) => [{ id: known.get('option') ?? '' }],
  // A buy order below the index but within the price band rests on the book.
  'POST /coin/trans/add': (known) => [
    { code: 'BTC', side: 'buy', type: 'limit', price: known.get('price') ?? '', quantity: '0.01' },
  ],
  'POST /coin/trans/close': (known) => [{ id: known.get('contract') ?? '' }],
  'POST /coin/trans/lists': () => [{ status: 'all' }],
  'POST /coin/user/amount': () => [{ code: 'BTC' }],
  'GET /yuebao/balance': () => [{}, { type: 'regular' }],
  'GET /yuebao/transfer/in': () => [{ amount: '100' }],
  'POST /yuebao/transfer/in': () => [{ amount: '100' }],
  'GET /yuebao/transfer/out': () => [{ amount: '10' }],
  'POST /yuebao/transfer/out': () => [{ amount: '10', paypass: DEMO_CUSTOMER.paypass }],
};

/** Fields that a call requires beyond the table's payload: a redemption requires the payment password. */
const BESIDES: Readonly<Record<string, readonly string[]>> = { 'POST /yuebao/transfer/out': ['paypass'] };

const callOf = (route: string) => Object.values(CALLS).find(({ method, path }) => `${method} ${path}` === route);

describe('section 7 of the specification: the calls', () => {
  let platform: TestPlatform;
  let token = '';
  const known: Known = new Map();

  beforeAll(async () => {
    platform = await openTestPlatform({ CHAIN: 'local', CHAIN_BLOCK_MS: '100', SIM_SEED: 'specification' });
    token = await platform.signIn(DEMO_CUSTOMER);
  });
  afterAll(() => platform.close());

  const send = async (route: string, fields: TestForm | FormData = {}): Promise<Envelope> => {
    const { status, answer } = await platform.send(route, fields, { token, 'idempotency-key': randomUUID() });
    expect([route, status]).toEqual([route, 200]);
    return answer;
  };

  it('each has its method and path, and every one is built', () => {
    const missing = CALL_ROWS.map(({ route }) => route).filter((route) => callOf(route) === undefined);
    expect(missing).toEqual([]);
  });

  it.each(CALL_ROWS)('$route takes the payload of the table', ({ route, names }) => {
    const call = callOf(route);
    if (call?.takesFile) return;
    const request = call?.request as
      | undefined
      | { entries?: Record<string, { type: string }>; pipe?: [{ entries?: object }] };
    const entries = (request?.entries ?? request?.pipe?.[0].entries ?? {}) as Record<string, { type: string }>;
    const required = Object.keys(entries).filter((name) => entries[name]?.type !== 'optional');
    if (names[0] === '…') return;
    const besides = BESIDES[route] ?? [];
    const given = names.filter((name) => name !== '-').map((name) => name.replace('?', ''));
    for (const name of given) expect(Object.keys(entries)).toContain(name);
    expect(required.filter((name) => !given.includes(name) && !besides.includes(name))).toEqual([]);
  });

  it('each succeeds for a customer, with an answer of the declared shape', async () => {
    const picture = new FormData();
    const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#5d43e4' } })
      .png()
      .toBuffer();
    picture.set('image', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'face.png');

    // Calls that end sessions or change passwords run last.
    const last = ['POST /users/edit/paypass', 'POST /users/edit/userpass', 'POST /users/forget'];
    // Calls that other rows depend on run first.
    const first = ['POST /users/upload', 'POST /yuebao/transfer/in'];
    const rank = ({ route }: { route: string }) =>
      last.includes(route) ? 1 + last.indexOf(route) : first.includes(route) ? -1 : 0;

    for (const { route } of [...CALL_ROWS].sort((a, b) => rank(a) - rank(b))) {
      if (route === 'POST /users/forget') continue;
      const payloads = route === 'POST /users/upload' ? [picture] : (VALUES[route]?.(known) ?? [{}]);
      for (const fields of payloads) {
        const answer = await send(route, fields);
        expect([route, answer.ret, answer.msg, answer.data]).toEqual([route, 1, answer.msg, answer.data]);
        expect([route, v.safeParse(callOf(route)?.result ?? v.never(), answer.data).issues]).toEqual([
          route,
          undefined,
        ]);
        remember(route, answer.data, known);
      }
    }
  });

  it('resets a login password with a code, and the new password signs in', async () => {
    const email = 'nicha@demo.example';
    while ((await send('GET /users/email/get', { email, must: 'forget' })).ret !== 1) await pause(1000);
    const outbox = await fetch(`${platform.url}/demo/outbox?to=${email}`, { headers: { accept: 'application/json' } });
    const [sent] = (await outbox.json()) as { code: string }[];
    const fields = { mode: 'email', email, code: sent?.code ?? '', password: 'Ping8River', confirm: 'Ping8River' };
    expect((await send('POST /users/forget', fields)).ret).toBe(1);
    expect(await platform.signIn({ ...DEMO_CUSTOMER, password: 'Ping8River' })).not.toBe('');
  });
});

/** Rows below: rule, call, the fields sent, the field that the refusal names, and its English message. */
const REGISTER = {
  mode: 'phone',
  phone: '+66812345678',
  code: '123456',
  password: 'Rain7drop',
  paypass: '493027',
  username: 'somebody',
  currency: 'BAHT',
  invite_code: 'WELCOME',
  agree: 'true',
};
const without = (form: TestForm, name: string): TestForm =>
  Object.fromEntries(Object.entries(form).filter(([each]) => each !== name));
const CARD = {
  type: 'card',
  real_name: 'NICHA JAIDEE',
  ifsc: '0004',
  bank: 'KBANK',
  number: '1234567890',
  phone: '+66812345678',
  email: 'nicha@demo.example',
  paypass: DEMO_CUSTOMER.paypass,
};
const ASK_AGAIN = /^Please (enter|choose) .* and try again!$/;
const FILL_IN = 'Please fill in the information and try again!';
type Fault = readonly [rule: string, route: string, fields: TestForm, field: string, says: string | RegExp];
const FAULTS: readonly Fault[] = [
  ...['code', 'password', 'paypass', 'username', 'currency', 'phone'].map(
    (name): Fault => ['S5.3', 'POST /users/register', without(REGISTER, name), name, ASK_AGAIN],
  ),
  [
    'S5.4',
    'POST /users/register',
    without(REGISTER, 'agree'),
    'agree',
    'Please make sure to read the agreement and try again!',
  ],
  ...['short', 'muchtoolong13', 'spa ces', 'รหัสผ่าน1'].map(
    (password): Fault => [
      'S5.5',
      'POST /users/register',
      { ...REGISTER, password },
      'password',
      'login password must be 6-12 characters or numbers',
    ],
  ),
  ...['12345', '1234567', '12345a'].map(
    (paypass): Fault => [
      'S5.6',
      'POST /users/register',
      { ...REGISTER, paypass },
      'paypass',
      'The payment password must be exactly 6 digits.',
    ],
  ),
  [
    'S5.7',
    'POST /users/edit/userpass',
    { old: 'x', password: 'Mekong7River', confirm: 'Mekong7Rivers' },
    'confirm',
    'The two passwords entered are inconsistent!',
  ],
  ...['real_name', 'ifsc', 'bank', 'number', 'phone', 'email'].map(
    (name): Fault => [
      'S5.8',
      'POST /users/bank/add',
      without(CARD, name),
      name,
      name === 'phone' || name === 'email' ? ASK_AGAIN : FILL_IN,
    ],
  ),
  ['S5.9', 'POST /users/levelauth', { level: 'primary', type: 'id_card', number: '1101700230708' }, 'name', FILL_IN],
  ['S5.11', 'POST /pay/submit', { channel: 'testnet', hash: 'a'.repeat(59) }, 'hash', /^Hash format error/],
  [
    'S5.12',
    'POST /coin/order/add',
    { code: 'BTC', direction: 'up', quantity: '0.99', duration: '30' },
    'quantity',
    /1/,
  ],
  ['S5.13', 'POST /yuebao/transfer/in', { amount: '0.000001' }, 'amount', /\d/],
  ['S5.14', 'POST /users/register', { ...REGISTER, mode: 'email', email: 'nobody@' }, 'email', /valid email/],
  ['S5.14', 'POST /users/register', { ...REGISTER, phone: '12' }, 'phone', /valid phone number/],
  ['S5.14', 'POST /users/register', { ...REGISTER, code: '12345' }, 'code', /6 characters/],
  ['S5.14', 'POST /pay/submit', { channel: 'promptpay', amount: '1000.001' }, 'amount', /valid amount/],
  ['S9.11', 'POST /users/levelauth', { level: 'primary', type: 'library_card' }, 'type', /one of the choices/],
];

describe('section 5 of the specification: refusals and their messages', () => {
  let platform: TestPlatform;
  let token = '';
  beforeAll(async () => {
    platform = await openTestPlatform({ SIM_SEED: 'specification' });
    token = await platform.signIn(DEMO_CUSTOMER);
  });
  afterAll(() => platform.close());

  it.each(FAULTS)('%s %s %j names %s', async (_rule, route, fields, field, says) => {
    const { answer } = await platform.send(route, fields, { token });
    expect(answer.ret).toBe(0);
    if (typeof says === 'string') expect(answer.data.fields?.[field]).toBe(says);
    else expect(answer.data.fields?.[field]).toMatch(says);
  });

  it('S4.9 S4.10 lists of deposits and withdrawals are filtered by all, completed and undone', async () => {
    for (const setup of ['recharge', 'withdraw'])
      for (const status of ['all', 'completed', 'undone']) {
        const { answer } = await platform.send('GET /users/account/lists', { setup, status }, { token });
        expect([setup, status, answer.ret]).toEqual([setup, status, 1]);
      }
    expect([...DEPOSIT_STATUSES]).toEqual(['pending', 'completed', 'failed']);
    expect([...WITHDRAWAL_STATUSES]).toEqual(['review', 'processing', 'success', 'failed']);
  });

  it('S9.12 liquidity shows its stages and thirty days, and sign-in its ladder of days', async () => {
    const product = (await platform.send('GET /yuebao/product', {}, { token })).answer.data;
    expect(product).toMatchObject({ stages: [{ rate: '0.05' }, { rate: '0.036' }, { rate: '0.02' }] });
    const balance = (await platform.send('GET /yuebao/balance', {}, { token })).answer.data;
    expect(balance.days).toHaveLength(30);
    const { answer } = await platform.send('GET /task/level', {}, { token });
    expect(answer.data).toHaveProperty('sign.ladder.length', 7);
  });
});

/** Stores the ids that later rows need. */
function remember(route: string, data: Envelope['data'], known: Known): void {
  const [sale] = (data as unknown as { lists?: { id: string }[] })?.lists ?? [];
  const [message] = (data as unknown as { items?: { id: string }[] })?.items ?? [];
  const { id, card, wallet, wallets } = data as unknown as Record<string, { id: string }> & {
    wallets?: { id: string }[];
  };
  if (route === 'GET /content/sale' && sale) known.set('sale', sale.id);
  if (route === 'POST /users/message' && message) known.set('message', message.id);
  if (route === 'POST /users/upload') known.set('picture', String(id));
  if (route === 'GET /users/bank' && wallets?.[0]) known.set('wallet', wallets[0].id);
  if (route === 'POST /users/bank/add') known.set('payee', (card ?? wallet)?.id ?? '');
  if (route === 'GET /coin/data/rate') known.set('price', String(Math.floor(Number(data.price) * 0.8)));
  if (route === 'POST /coin/order/add') known.set('option', String(id));
  if (route === 'POST /coin/trans/add') known.set('contract', String(id));
}
