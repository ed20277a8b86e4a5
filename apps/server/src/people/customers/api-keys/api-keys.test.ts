import { randomUUID } from 'node:crypto';
import {
  type ApiKey,
  addApiKey,
  changePassword,
  changePaymentPassword,
  finishOwnPasskey,
  finishProof,
  freezeAccount,
  listApiKeys,
  listOrderMarks,
  loginCustomer,
  removeApiKey,
  startOwnPasskey,
  startProof,
} from '@sathorn/api';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestPasskey } from '../second-factor/testing-passkey.ts';
import { openTestCustomers, type SignedUpCustomer, type TestCustomers } from '../testing-customers.ts';
import {
  createTestKeyPair,
  type SentRequest,
  sendSigned,
  signRequest,
  signWithSecret,
  type TestApiKey,
} from './testing-api-key.ts';

const DAY = 24 * 60 * 60 * 1_000;
const HOME = { 'x-forwarded-for': '203.0.113.7' };

let room: TestCustomers;
let app: pg.Client;
let mali: SignedUpCustomer;
let passkey: ReturnType<typeof createTestPasskey>;

beforeAll(async () => {
  room = await openTestCustomers();
  app = new pg.Client(room.test.app);
  await app.connect();
});
afterAll(async () => {
  await app?.end();
  await room?.close();
});
beforeEach(async () => {
  mali = await room.signUp();
  passkey = createTestPasskey();
  const started = await room.call(startOwnPasskey, { paypass: mali.paypass }, mali);
  const credential = passkey.register(started.data.options);
  await room.call(finishOwnPasskey, { id: started.data.id, credential, name: 'a phone' }, mali);
});

async function prove(): Promise<string> {
  const { data } = await room.call(startProof, { operation: 'api_key', subject: 'own' }, mali);
  const answered = await room.call(finishProof, { id: data.id, credential: passkey.sign(data.options) }, mali);
  return answered.data.proof;
}
const add = async (fields: Record<string, string> = {}) =>
  room.call(
    addApiKey,
    { name: 'my bot', scopes: 'read', paypass: mali.paypass, otp: fields.otp ?? (await prove()), ...fields },
    mali,
  );
/** Makes a key with a pair of its own, ready to sign. */
async function make(fields: Record<string, string> = {}): Promise<TestApiKey & { readonly row: ApiKey }> {
  const { publicKey, signer } = createTestKeyPair();
  const { refusal, data } = await add({ public_key: publicKey, ...fields });
  if (refusal !== null) throw new Error(refusal);
  return { id: data.key.id, signer, row: data.key };
}
const readOwn = (key: TestApiKey, over: Parameters<typeof signRequest>[3] = {}): SentRequest =>
  signRequest(key, listOrderMarks, { ids: randomUUID() }, { timeMs: String(room.clock.now().getTime()), ...over });
const send = async (request: SentRequest, more: Record<string, string> = HOME) => sendSigned(room.url, request, more);
const refusalOf = async (key: TestApiKey, over = {}, more: Record<string, string> = HOME) =>
  (await send(readOwn(key, over), more)).refusal;
const list = async (who: { readonly token: string } = mali) => (await room.call(listApiKeys, {}, who)).data;

describe('an API key', () => {
  it('signs with its customer’s own pair, of which only the public half is stored', async () => {
    const key = await make({ scopes: 'read,trade', addresses: '203.0.113.7/24\n2001:DB8::1', days: '7' });
    expect(key.row).toMatchObject({
      name: 'my bot',
      scopes: ['read', 'trade'],
      addresses: ['203.0.113.0/24', '2001:db8::1'],
      signs: 'ed25519',
      state: 'active',
      used_at: null,
      uses: 0,
    });
    const answer = await send(readOwn(key));
    expect(answer).toMatchObject({ status: 200, ret: 1, data: { items: [] } });
    await refusalOf(key);
    const [listed] = (await list()).items;
    expect(listed).toMatchObject({ id: key.id, uses: 2, used_address: '203.0.113.7' });
    expect(Date.parse(listed?.used_at ?? '')).toBe(room.clock.now().getTime());
  });

  it('is good for 90 days unless its customer says otherwise, and says how its limit stands', async () => {
    const key = await make();
    expect(Date.parse(key.row.ends_at)).toBe(room.clock.now().getTime() + 90 * DAY);
    const { headers } = await send(readOwn(key));
    expect(headers.get('ratelimit-policy')).toBe('"requests";q=120;w=6');
    expect(headers.get('ratelimit')).toBe('"requests";r=119;t=1');
  });

  it('signs with a secret that is shown once and stored nowhere', async () => {
    const { data } = await add();
    const key = { id: data.key.id, signer: signWithSecret(data.secret ?? '') };
    expect(data.key.signs).toBe('hmac');
    expect(data.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await refusalOf(key)).toBeNull();
    expect(JSON.stringify(await list())).not.toContain(data.secret);
    const rows = await room.sql('SELECT * FROM customers.api_key WHERE id = $1', [key.id]);
    expect(JSON.stringify(rows)).not.toContain(data.secret);
    expect(rows[0]).toMatchObject({ public_key: null });
    expect(await refusalOf({ ...key, signer: signWithSecret('00'.repeat(32)) })).toBe('api_key_signature');
  });

  it('tells its customer in the app and by message', async () => {
    await make({ name: 'บอตของฉัน' });
    const { items } = await room.messages.list(mali.id, 'all', undefined, { language: 'en' });
    expect(items[0]?.content).toContain('บอตของฉัน');
    const [sent] = await room.sql<{ text: string }>('SELECT text FROM customers.outbox ORDER BY id DESC LIMIT 1');
    expect(sent?.text).toContain('API key');
  });

  it.each<[string, Record<string, string>, string]>([
    ['no second factor’s proof', { otp: '' }, 'second_factor_required'],
    ['a proof that was invented', { otp: 'ab'.repeat(16) }, 'second_factor_wrong'],
    ['another payment password', { paypass: '111222' }, 'paypass_wrong'],
    ['no scope', { scopes: '' }, 'malformed_request'],
    ['a scope that no key has', { scopes: 'read,withdraw' }, 'malformed_request'],
    ['a scope twice', { scopes: 'read,read' }, 'malformed_request'],
    ['no name', { name: ' ' }, 'malformed_request'],
    ['an address that is none', { addresses: '203.0.113.7, here' }, 'malformed_request'],
    [
      'too many addresses',
      { addresses: Array.from({ length: 21 }, (_, n) => `10.0.0.${n}`).join(',') },
      'malformed_request',
    ],
    ['no end', { days: '0' }, 'malformed_request'],
    ['an end after years', { days: '366' }, 'malformed_request'],
    ['a public key that is none', { public_key: 'my key' }, 'malformed_request'],
    ['a public key for which anybody can sign', { public_key: `01${'00'.repeat(31)}` }, 'api_key_unfit'],
    ['bytes that are no point', { public_key: `02${'00'.repeat(31)}` }, 'api_key_unfit'],
  ])('is not made with %s', async (_what, fields, refusal) => {
    expect((await add(fields)).refusal).toBe(refusal);
    expect((await list()).items).toEqual([]);
  });

  it('is not made without a second factor', async () => {
    const somchai = await room.signUp();
    const answer = await room.call(addApiKey, { name: 'bot', scopes: 'read', paypass: somchai.paypass }, somchai);
    expect(answer.refusal).toBe('second_factor_off');
  });

  it('is one of at most ten, and its public key does not come back', async () => {
    const { publicKey } = createTestKeyPair();
    const first = await add({ public_key: publicKey });
    expect((await add({ public_key: publicKey })).refusal).toBe('api_key_unfit');
    await room.call(removeApiKey, { id: first.data.key.id }, mali);
    expect((await add({ public_key: publicKey })).refusal).toBe('api_key_unfit');
    for (let n = 0; n < 10; n += 1) await make();
    expect((await add()).refusal).toBe('too_many_api_keys');
  });
});

describe('a request is refused', () => {
  let key: TestApiKey;
  beforeEach(async () => {
    key = await make({ addresses: '203.0.113.0/24, 2001:db8::/32' });
  });
  const ago = (ms: number) => ({ timeMs: String(room.clock.now().getTime() - ms) });

  it('6 s late or early, and not at 5 s', async () => {
    expect(await refusalOf(key, ago(6_000))).toBe('api_key_time');
    expect(await refusalOf(key, ago(-6_000))).toBe('api_key_time');
    expect(await refusalOf(key, ago(5_000))).toBeNull();
    expect(await refusalOf(key, ago(-5_000))).toBeNull();
  });

  it('a second time, also by another process, and however it is changed', async () => {
    const request = readOwn(key);
    expect((await send(request)).refusal).toBeNull();
    expect((await send(request)).refusal).toBe('api_key_replayed');
    expect((await send(request, { ...HOME, 'Api-Nonce': 'another-nonce' })).refusal).toBe('api_key_signature');
    expect((await send(request, { ...HOME, 'Api-Time': String(room.clock.now().getTime() + 1) })).refusal).toBe(
      'api_key_signature',
    );
    const other = room.openAnother();
    const { headers } = request;
    const again = {
      key: key.id,
      time: headers['Api-Time'] ?? '',
      nonce: headers['Api-Nonce'] ?? '',
      signature: headers['Api-Signature'] ?? '',
      method: request.method,
      target: request.target,
      intent: '',
      body: '',
      address: '203.0.113.7',
    };
    const now = room.clock.now();
    expect(await other.apiKeys.judge(again, 'read', now)).toMatchObject({ ok: true });
    expect(await other.apiKeys.use(again, now)).toMatchObject({ refusal: 'api_key_replayed' });
  });

  it('one of fifty at once with the same nonce is accepted', async () => {
    const request = readOwn(key);
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(request)));
    expect(answers.filter(({ refusal }) => refusal === null)).toHaveLength(1);
    expect(answers.filter(({ refusal }) => refusal === 'api_key_replayed')).toHaveLength(49);
    expect((await list()).items[0]).toMatchObject({ uses: 1 });
  });

  it.each([
    ['203.0.113.255', null],
    ['203.0.114.1', 'api_key_address'],
    ['::ffff:203.0.113.7', null],
    ['::ffff:203.0.114.7', 'api_key_address'],
    ['::ffff:cb00:7207', 'api_key_address'],
    ['2001:db8:9::1', null],
    ['2001:db9::1', 'api_key_address'],
    ['127.0.0.1', 'api_key_address'],
  ])('or not, from %s', async (address, refusal) => {
    expect(await refusalOf(key, {}, { 'x-forwarded-for': address })).toBe(refusal);
  });

  it('with an altered query, path or method', async () => {
    const request = readOwn(key);
    expect((await send({ ...request, target: `${request.target}&a=1` })).refusal).toBe('api_key_signature');
    expect((await send({ ...request, target: '/api/users/account/lists?setup=all' })).refusal).toBe(
      'api_key_signature',
    );
    expect((await send({ ...request, target: request.target.replace('marks', '%6darks') })).refusal).toBeNull();
  });

  it('with an Idempotency-Key that was not signed', async () => {
    expect((await send(readOwn(key), { ...HOME, 'Idempotency-Key': 'added-later' })).refusal).toBe('api_key_signature');
  });

  it.each(['Api-Time', 'Api-Nonce', 'Api-Signature'])('without %s', async (name) => {
    const { [name]: _, ...headers } = readOwn(key).headers;
    const refusal = name === 'Api-Signature' ? 'api_key_signature' : 'api_key_malformed';
    expect((await send({ ...readOwn(key), headers })).refusal).toBe(refusal);
  });

  it('with the public key as the secret of an HMAC', async () => {
    const { publicKey } = createTestKeyPair();
    const { data } = await add({ public_key: publicKey });
    for (const secret of [publicKey, Buffer.from(publicKey, 'hex').toString('latin1')])
      expect(await refusalOf({ id: data.key.id, signer: signWithSecret(secret) })).toBe('api_key_signature');
  });

  it('with a token beside the key, whose session does not help', async () => {
    const request = signRequest(key, listApiKeys, {}, { timeMs: String(room.clock.now().getTime()) });
    expect((await send(request, { ...HOME, token: mali.token })).refusal).toBe('api_key_scope');
  });

  it('and each one is in the security log, counted, with its reason and address', async () => {
    for (let n = 0; n < 3; n += 1) await refusalOf(key, ago(60_000));
    await refusalOf(key, {}, { 'x-forwarded-for': '198.51.100.1' });
    await refusalOf({ ...key, signer: createTestKeyPair().signer });
    // A key that nobody made is nobody's.
    await refusalOf({ ...key, id: 'A'.repeat(22) });
    const { refused } = await list();
    const rows = refused.map(({ refusal, address, count }) => [refusal, address, count]);
    expect(rows.sort()).toEqual([
      ['api_key_address', '198.51.100.1', 1],
      ['api_key_signature', '203.0.113.7', 1],
      ['api_key_time', '203.0.113.7', 3],
    ]);
    expect(refused[0]).toMatchObject({ key: key.id, name: 'my bot' });
  });

  it('and a flood from many addresses fills no disk', async () => {
    const now = room.clock.now();
    const flood = { key: key.id, time: '', nonce: '', signature: '', method: 'GET', target: '/', intent: '', body: '' };
    for (let n = 0; n < 1_000; n += 1)
      await room.customers.apiKeys.judge({ ...flood, address: `198.51.${n >> 8}.${n & 255}` }, 'read', now);
    const { refused } = await list();
    const [{ rows, count } = { rows: 0n, count: 0n }] = await room.sql<{ rows: string; count: string }>(
      'SELECT count(*) AS rows, sum(count) AS count FROM customers.api_refusal WHERE key = $1',
      [key.id],
    );
    expect([Number(rows), Number(count)]).toEqual([51, 1_000]);
    expect(refused.find(({ address }) => address === '')?.count).toBe(950);
  });
});

describe('a key ends', () => {
  const NEW_PASSWORD = { password: 'Mekong77x', confirm: 'Mekong77x' };
  const proof = async (operation: 'login_password' | 'payment_password') => {
    const { data } = await room.call(startProof, { operation, subject: 'own' }, mali);
    const credential = passkey.sign(data.options);
    return (await room.call(finishProof, { id: data.id, credential }, mali)).data.proof;
  };

  it('when its customer removes it, at once and also in another process', async () => {
    const key = await make();
    const other = room.openAnother();
    const now = room.clock.now();
    const { headers, ...request } = readOwn(key);
    const sent = {
      ...request,
      key: key.id,
      time: headers['Api-Time'] ?? '',
      nonce: headers['Api-Nonce'] ?? '',
      signature: headers['Api-Signature'] ?? '',
      intent: '',
      address: '203.0.113.7',
    };
    expect(await other.apiKeys.judge(sent, 'read', now)).toMatchObject({ ok: true });
    expect(await refusalOf(key)).toBeNull();
    expect((await room.call(removeApiKey, { id: key.id }, mali)).refusal).toBeNull();
    expect(await refusalOf(key)).toBe('api_key_revoked');
    // The other process still has the key in memory, and the database refuses.
    expect(await other.apiKeys.judge(sent, 'read', now)).toMatchObject({ ok: true });
    expect(await other.apiKeys.use(sent, now)).toMatchObject({ refusal: 'api_key_revoked' });
    expect((await list()).items[0]).toMatchObject({ state: 'customer', uses: 1 });
    expect((await room.call(removeApiKey, { id: key.id }, mali)).refusal).toBe('api_key_unknown');
  });

  it('at its end', async () => {
    const key = await make({ days: '1' });
    room.clock.advance(DAY - 1_000);
    expect(await refusalOf(key)).toBeNull();
    room.clock.advance(1_000);
    expect(await refusalOf(key)).toBe('api_key_ended');
    expect((await list()).items[0]).toMatchObject({ state: 'ended' });
    room.clock.advance(31 * DAY);
    const again = await room.call(loginCustomer, { username: mali.username, password: mali.password });
    expect((await list({ token: again.data.token ?? '' })).items).toEqual([]);
  });

  it.each<[string, ApiKey['state'], () => Promise<{ refusal: string | null }>]>([
    [
      'the login password changes',
      'password',
      async () =>
        room.call(changePassword, { old: mali.password, ...NEW_PASSWORD, otp: await proof('login_password') }, mali),
    ],
    [
      'the payment password changes',
      'password',
      async () => {
        const pins = { old: mali.paypass, password: '284917', confirm: '284917' };
        return room.call(changePaymentPassword, { ...pins, otp: await proof('payment_password') }, mali);
      },
    ],
  ])('when %s', async (_what, state, change) => {
    const key = await make();
    expect(await refusalOf(key)).toBeNull();
    expect((await change()).refusal).toBeNull();
    expect(await refusalOf(key)).toBe('api_key_revoked');
    room.clock.advance(6_000);
    expect(await refusalOf(key)).toBe('api_key_revoked');
    expect((await list()).items[0]).toMatchObject({ state });
  });

  it('when its customer freezes the account, and stays ended when the account opens again', async () => {
    const key = await make();
    expect(await refusalOf(key)).toBeNull();
    expect((await room.call(freezeAccount, { paypass: mali.paypass }, mali)).refusal).toBeNull();
    expect(await refusalOf(key)).toBe('api_key_revoked');
    room.clock.advance(25 * 60 * 60 * 1_000);
    await room.sql('UPDATE customers.customer SET frozen_reason = NULL WHERE id = $1', [mali.id]);
    expect(await refusalOf(key)).toBe('api_key_revoked');
  });

  it.each([['sign_in'], ['trading'], ['withdrawals']])('when staff freezes the customer’s %s', async (scope) => {
    const key = await make();
    expect(await refusalOf(key)).toBeNull();
    await room.sql(
      `INSERT INTO customers.freeze (id, customer, scopes, reason, made_by, made_by_name, until)
       VALUES (gen_random_uuid(), $1, ARRAY[$2], 'takeover_suspected', 7, 'mai', clock_timestamp() + interval '1 day')`,
      [mali.id, scope],
    );
    expect(await refusalOf(key)).toBe('api_key_revoked');
    room.clock.advance(6_000);
    expect(await refusalOf(key)).toBe('api_key_revoked');
  });

  it('and a key that is made while the account is frozen is none', async () => {
    await room.sql(
      `INSERT INTO customers.freeze (id, customer, scopes, reason, made_by, made_by_name, until)
       VALUES (gen_random_uuid(), $1, '{trading}', 'takeover_suspected', 7, 'mai', clock_timestamp() + interval '1 day')`,
      [mali.id],
    );
    expect((await add()).refusal).toBe('account_frozen');
  });
});

describe('somebody with the application’s login', () => {
  const INSERT = `INSERT INTO customers.api_key (id, customer, name, scopes, addresses, public_key, session, mac, created_at, ends_at)
    SELECT $1, s.customer, 'x', ARRAY['trade'], '{}', decode($2, 'hex'), s.id, decode(repeat('00', 32), 'hex'), now(), now() + interval '1 day'
    FROM customers.session s WHERE s.customer = $3 AND s.ended_at IS NULL LIMIT 1`;

  it('can’t make a key: without its digest it is unknown, and not shown', async () => {
    const forged = createTestKeyPair();
    const id = 'B'.repeat(22);
    await app.query(INSERT, [id, forged.publicKey, String(mali.id)]);
    expect(await refusalOf({ id, signer: forged.signer })).toBe('api_key_unknown');
    expect((await list()).items).toEqual([]);
  });

  it('can’t give a customer’s key to another, widen it or prolong it', async () => {
    const key = await make();
    for (const change of [
      `customer = ${mali.id} + 1`,
      `scopes = '{read,trade}'`,
      `addresses = '{}'`,
      `ends_at = ends_at + interval '1 day'`,
      'uses = 0',
    ])
      await expect(app.query(`UPDATE customers.api_key SET ${change} WHERE id = $1`, [key.id])).rejects.toThrow(
        'permission denied',
      );
  });

  it.each([
    [
      'UPDATE customers.api_key SET revoked_at = NULL, revoked_by = NULL WHERE revoked_at IS NOT NULL',
      'only used and revoked',
    ],
    ['DELETE FROM customers.api_key', 'permission denied'],
    ['SELECT * FROM customers.api_nonce', 'permission denied'],
    ['DELETE FROM customers.api_nonce', 'permission denied'],
    ['DELETE FROM customers.api_order', 'permission denied'],
    ['UPDATE customers.api_order SET form = form', 'permission denied'],
    [
      `INSERT INTO customers.api_order (intent, digest, customer, key, request, form, signature, at)
       SELECT gen_random_uuid(), repeat('0', 64), k.customer, k.id, 'x', '', decode(repeat('00', 64), 'hex'), now() FROM customers.api_key k WHERE k.scopes = '{read}' LIMIT 1`,
      'does not order for customer',
    ],
  ])('can’t: %s', async (text, refused) => {
    const key = await make();
    await room.call(removeApiKey, { id: key.id }, mali);
    await expect(app.query(text)).rejects.toThrow(refused);
  });

  it('the owner too can only use and revoke a key, but past the triggers; then it is unknown', async () => {
    const key = await make();
    await expect(
      room.sql(`UPDATE customers.api_key SET scopes = '{read,trade}' WHERE id = $1`, [key.id]),
    ).rejects.toThrow('only used and revoked');
    await room.sql('ALTER TABLE customers.api_key DISABLE TRIGGER keep_api_key');
    await room.sql(`UPDATE customers.api_key SET scopes = '{read,trade}' WHERE id = $1`, [key.id]);
    await room.sql('ALTER TABLE customers.api_key ENABLE TRIGGER keep_api_key');
    room.clock.advance(6_000);
    expect(await refusalOf(key)).toBe('api_key_unknown');
  });
});

it('no unexpected fault was reported', () => expect(room.faults).toEqual([]));
