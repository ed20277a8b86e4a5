import { randomUUID } from 'node:crypto';
import {
  addApiKey,
  buyOption,
  CALLS,
  type Call,
  finishOwnPasskey,
  finishProof,
  fundDemo,
  type KeyedOrder,
  type KeyScope,
  keyScopeOf,
  listApiKeys,
  listBalances,
  listOptions,
  listOrdered,
  listOrderMarks,
  type OrderedThing,
  placeContract,
  readBalance,
  readOption,
  readQuote,
  readUser,
  removeApiKey,
  requestWithdrawal,
  revokeContract,
  startOwnPasskey,
  startProof,
  subscribeEarning,
  uploadPicture,
} from '@sathorn/api';
import { verifySignedRequest } from '@sathorn/proof/signed-request';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../checker/checker/index.ts';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import {
  createTestKeyPair,
  type KeyedAnswer,
  type SentRequest,
  sendSigned,
  signRequest,
  signWithSecret,
  type TestApiKey,
} from '../people/customers/api-keys/testing-api-key.ts';
import { createTestPasskey } from '../people/customers/second-factor/testing-passkey.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from './testing-platform.ts';

const BET = { code: 'BTC', direction: 'up', quantity: '10', duration: '300' };
const STRANGER = { username: 'anan', password: 'Rama8Bridge' };
const HOME = { 'x-forwarded-for': '203.0.113.7' };

describe('API keys on the whole platform', () => {
  let platform: TestPlatform;
  let sql: pg.Client;
  let passkey: ReturnType<typeof createTestPasskey>;
  let [token, stranger] = ['', ''];
  let reader: TestApiKey;
  let trader: TestApiKey;
  let secret: TestApiKey;
  let all: TestApiKey;

  const get = async (call: Call, fields: TestForm = {}, by = token) => {
    const { answer } = await platform.send(call, fields, { token: by, 'idempotency-key': randomUUID() });
    if (answer.ret !== 1) throw new Error(`${call.path}: ${answer.data.code}`);
    return answer.data;
  };
  const make = async (fields: TestForm) => {
    const step = await get(startProof, { operation: 'api_key', subject: 'own' });
    const credential = passkey.sign(String(step.options));
    const { proof } = await get(finishProof, { id: String(step.id), credential });
    const added = await get(addApiKey, { paypass: DEMO_CUSTOMER.paypass, otp: String(proof), ...fields });
    return added as unknown as { key: { id: string }; secret: string | null };
  };
  const makePair = async (fields: TestForm): Promise<TestApiKey & { readonly publicKey: string }> => {
    const { publicKey, signer } = createTestKeyPair();
    const { key } = await make({ ...fields, public_key: publicKey });
    return { id: key.id, signer, publicKey };
  };
  const ask = (
    key: TestApiKey,
    call: Pick<Call, 'method' | 'path'>,
    fields: TestForm = {},
    over: Parameters<typeof signRequest>[3] = {},
  ): Promise<KeyedAnswer> => sendSigned(platform.url, signRequest(key, call, fields, over), HOME);
  const send = (request: SentRequest, more: TestForm = HOME) => sendSigned(platform.url, request, more);
  const countGiven = async (): Promise<number> => {
    const { rows } = await sql.query<{ n: string }>('SELECT count(*) AS n FROM customers.given WHERE customer = $1', [
      String((await get(readUser)).id),
    ]);
    return Number(rows[0]?.n);
  };
  const countRefused = async (): Promise<number> => {
    const { refused } = (await get(listApiKeys)) as unknown as { refused: { count: number }[] };
    return refused.reduce((sum, { count }) => sum + count, 0);
  };
  const balance = () => get(readBalance, { code: 'BTC' });

  beforeAll(async () => {
    platform = await openTestPlatform({ SIM_SEED: 'api-keys', ROLES: 'edge,index,matcher,settler', TRUST_PROXY: '1' });
    sql = new pg.Client(platform.test.owner);
    await sql.connect();
    token = await platform.signIn(DEMO_CUSTOMER, 'a phone');
    stranger = await platform.signIn(STRANGER);
    await get(fundDemo, { asset: 'USDT', amount: '1000' }, stranger);
    passkey = createTestPasskey({ origin: 'http://localhost:0' });
    const started = await get(startOwnPasskey, { paypass: DEMO_CUSTOMER.paypass });
    const credential = passkey.register(String(started.options));
    await get(finishOwnPasskey, { id: String(started.id), credential, name: 'a phone' });
    reader = await makePair({ name: 'reader', scopes: 'read' });
    trader = await makePair({ name: 'trader', scopes: 'trade', addresses: '203.0.113.0/24' });
    all = await makePair({ name: 'both', scopes: 'read,trade' });
    const made = await make({ name: 'my secret', scopes: 'read,trade' });
    secret = { id: made.key.id, signer: signWithSecret(made.secret ?? '') };
  });
  afterAll(async () => {
    await sql?.end();
    await platform?.close();
    expect(platform?.faults).toEqual([]);
  });

  it('read and trade for their customer', async () => {
    expect((await ask(reader, listBalances)).data).toContainEqual(expect.objectContaining({ asset: 'USDT' }));
    const bought = await ask(trader, buyOption, BET);
    expect(bought.refusal).toBeNull();
    expect((await ask(secret, readOption, { id: String(bought.data.id) })).data).toMatchObject({ name: 'BTC' });
    const price = Math.floor(Number((await get(readQuote, { code: 'BTC' })).price) * 0.9);
    const limit = { code: 'BTC', side: 'buy', type: 'limit', price: String(price), quantity: '0.001' };
    const placed = await ask(secret, placeContract, limit);
    expect(placed.refusal).toBeNull();
    expect((await ask(trader, revokeContract, { id: String(placed.data.id) })).refusal).toBeNull();
    expect((await ask(trader, subscribeEarning, { type: 'liquidity', amount: '20' })).refusal).toBeNull();
    expect(bought.headers.get('ratelimit-policy')).toMatch(/^"requests";q=\d+;w=\d+, "orders";q=\d+;w=\d+$/);
  });

  it('order once per Idempotency-Key, and once per nonce without one', async () => {
    const before = await countGiven();
    const [first, again] = [
      await ask(trader, buyOption, BET, { intent: 'order-0001' }),
      await ask(trader, buyOption, BET, { intent: 'order-0001' }),
    ];
    expect(again.data.id).toBe(first.data.id);
    // Two equal orders with nonces of their own are two orders.
    const two = [await ask(trader, buyOption, BET), await ask(trader, buyOption, BET)];
    expect(new Set(two.map(({ data }) => data.id)).size).toBe(2);
    expect(await countGiven()).toBe(before + 3);
  });

  it('never see another customer', async () => {
    await get(buyOption, BET, stranger);
    const { items } = (await get(listOptions, { status: 'holding' }, stranger)) as { items: { id: string }[] };
    const id = String(items[0]?.id);
    const [theirs, nobodys] = [
      await ask(all, readOption, { id }),
      await ask(all, readOption, { id: '00000000-0000-4000-8000-000000000000' }),
    ];
    expect([theirs.refusal, theirs.data]).toEqual([nobodys.refusal, nobodys.data]);
    expect(JSON.stringify((await ask(all, listOptions, { status: 'holding' })).data)).not.toContain(id);
    // A key of one customer, removed by another.
    const removed = await platform.send(removeApiKey, { id: all.id }, { token: stranger });
    expect(removed.answer.data.code).toBe('api_key_unknown');
    expect((await ask(all, listBalances)).refusal).toBeNull();
  });

  describe('every call', () => {
    const GRANTED: [string, () => TestApiKey, readonly KeyScope[]][] = [
      ['read', () => reader, ['read']],
      ['trade', () => trader, ['trade']],
      ['read and trade', () => all, ['read', 'trade']],
      ['read and trade, by a secret', () => secret, ['read', 'trade']],
    ];
    it.each(GRANTED)(
      'made with a key that may %s, is reached where its scope is granted and nowhere else',
      async (_what, key, granted) => {
        const before = [await countGiven(), await balance()];
        let reached = 0;
        for (const [name, call] of Object.entries(CALLS)) {
          if (call.who === 'operator') continue;
          const scope = keyScopeOf(call);
          const isGranted = scope !== null && granted.includes(scope);
          const request = signRequest(key(), call);
          const { status, refusal } = await send(request);
          if (!isGranted) expect([name, status, refusal]).toEqual([name, 200, 'api_key_scope']);
          else expect([name, refusal]).not.toEqual([name, expect.stringMatching(/^(api_key_|session_required)/)]);
          if (isGranted) reached += 1;
        }
        expect(reached).toBeGreaterThan(4);
        // No form was filled in, so nothing was ordered by those that were reached either.
        expect([await countGiven(), await balance()]).toEqual(before);
      },
    );

    it('of operators takes no key', async () => {
      for (const call of Object.values(CALLS)) {
        if (call.who !== 'operator') continue;
        expect([call.path, (await send(signRequest(all, call))).refusal]).toEqual([call.path, 'session_required']);
      }
    });

    it('that takes a file refuses the key before it reads the file', async () => {
      const { headers, ...request } = signRequest(all, uploadPicture);
      const { 'content-type': _, ...signed } = headers as Record<string, string>;
      const form = new FormData();
      form.append('image', new Blob([new Uint8Array(2_000)]), 'me.png');
      const response = await fetch(`${platform.url}${request.target}`, {
        method: 'POST',
        headers: { ...signed, ...HOME },
        body: form,
      });
      expect(await response.json()).toMatchObject({ ret: 0, data: { code: 'api_key_scope' } });
    });
  });

  it('E12 200 forged, replayed, expired, wrong-address and wrong-scope requests: each is refused with its reason, and none reaches the ledger', async () => {
    const sent = signRequest(trader, buyOption, BET);
    expect((await send(sent)).refusal).toBeNull();
    expect((await send(sent)).refusal).toBe('api_key_replayed');
    const before = [await countGiven(), await balance()];
    const refusedBefore = await countRefused();
    const removed = await makePair({ name: 'removed', scopes: 'trade' });
    await get(removeApiKey, { id: removed.id });
    const order = (over: Parameters<typeof signRequest>[3] = {}, fields: TestForm = BET) =>
      signRequest(trader, buyOption, fields, over);
    const off = (ms: number) => order({ timeMs: String(Date.now() + ms) });
    const with_ = (request: SentRequest, headers: TestForm): SentRequest => ({
      ...request,
      headers: { ...request.headers, ...headers },
    });
    const more = new URLSearchParams({ ...BET, quantity: '1000' }).toString();
    const attacks: readonly (readonly [string, string, () => SentRequest | Promise<SentRequest>, TestForm?])[] = [
      ['a key that nobody made', 'api_key_unknown', () => with_(order(), { 'Api-Key': 'A'.repeat(22) })],
      ['no key', 'api_key_unknown', () => with_(order(), { 'Api-Key': '' })],
      ['a removed key', 'api_key_revoked', () => signRequest(removed, buyOption, BET)],
      [
        'another pair',
        'api_key_signature',
        () => signRequest({ ...trader, signer: createTestKeyPair().signer }, buyOption, BET),
      ],
      [
        'the signature of another key of the customer',
        'api_key_signature',
        () => signRequest({ ...trader, signer: all.signer }, buyOption, BET),
      ],
      ['an altered body', 'api_key_signature', () => ({ ...order(), body: more })],
      [
        'another body with its hash',
        'api_key_signature',
        () => ({ ...order({}, { ...BET, direction: 'down' }), body: more }),
      ],
      ['a query that was added', 'api_key_signature', () => ({ ...order(), target: '/api/coin/order/add?a=1' })],
      ['the signature of another path', 'api_key_signature', () => order({ target: '/api/coin/trans/add' })],
      ['the signature of another method', 'api_key_signature', () => order({ method: 'GET' })],
      ['an altered nonce', 'api_key_signature', () => with_(order(), { 'Api-Nonce': 'another-nonce' })],
      ['an altered time', 'api_key_signature', () => with_(order(), { 'Api-Time': String(Date.now() + 1) })],
      [
        'an Idempotency-Key that was added',
        'api_key_signature',
        () => with_(order(), { 'Idempotency-Key': randomUUID() }),
      ],
      ['no signature', 'api_key_signature', () => with_(order(), { 'Api-Signature': '' })],
      ['a signature of zeros', 'api_key_signature', () => with_(order(), { 'Api-Signature': '00'.repeat(64) })],
      ['a time in seconds', 'api_key_malformed', () => order({ timeMs: String(Math.floor(Date.now() / 1000)) })],
      ['a short nonce', 'api_key_malformed', () => order({ nonce: 'n' })],
      ['a time 6 s ago', 'api_key_time', () => off(-6_500)],
      ['a time 6 s ahead', 'api_key_time', () => off(6_500)],
      [
        'the same request',
        'api_key_replayed',
        async () => {
          const once = signRequest(all, listBalances);
          expect((await send(once)).refusal).toBeNull();
          return once;
        },
      ],
      ['another address', 'api_key_address', () => order(), { 'x-forwarded-for': '203.0.114.7' }],
      ['another address, IPv4 in IPv6', 'api_key_address', () => order(), { 'x-forwarded-for': '::ffff:203.0.114.7' }],
      ['a forged hop', 'api_key_address', () => order(), { 'x-forwarded-for': '203.0.113.7, 198.51.100.1' }],
      ['a key that reads', 'api_key_scope', () => signRequest(reader, buyOption, BET)],
      ['phone number and mail', 'api_key_scope', () => signRequest(all, readUser)],
      ['a withdrawal', 'api_key_scope', () => signRequest(all, requestWithdrawal, { channel: 'bank', amount: '20' })],
    ];
    const rounds = Math.ceil(200 / attacks.length);
    let refused = 0;
    for (let round = 0; round < rounds; round += 1)
      for (const [what, refusal, forge, from = HOME] of attacks) {
        const answer = await send(await forge(), from);
        expect([what, answer.status, answer.refusal]).toEqual([what, 200, refusal]);
        refused += 1;
      }
    expect(refused).toBeGreaterThanOrEqual(200);
    expect([await countGiven(), await balance()]).toEqual(before);
    // All that named a key of the customer are in the security log.
    const isUnknown = ([, refusal]: (typeof attacks)[number]): boolean => refusal === 'api_key_unknown';
    expect((await countRefused()) - refusedBefore).toBe(attacks.filter((one) => !isUnknown(one)).length * rounds);
  });

  it('an order says by which key it was, with the request that the key signed', async () => {
    const mine = await ask(trader, buyOption, BET);
    const hmac = await ask(secret, buyOption, BET);
    const plain = await get(buyOption, BET);
    const ids = [mine.data.id, hmac.data.id, plain.id].map(String);
    const { items } = (await get(listOrderMarks, { ids: ids.join(',') })) as unknown as {
      items: { id: string; signed: unknown; keyed: KeyedOrder | null }[];
    };
    expect(items.map(({ id, signed, keyed }) => [id, signed, keyed?.name, keyed?.public_key === null])).toEqual([
      [ids[0], null, 'trader', false],
      [ids[1], null, 'my secret', true],
    ]);
    const kept = items[0]?.keyed as KeyedOrder;
    expect(await verifySignedRequest(kept, kept.public_key ?? '')).toBeNull();
    expect(Object.fromEntries(new URLSearchParams(kept.form))).toEqual(BET);
    // Another customer gets none of it.
    const { items: theirs } = await get(listOrderMarks, { ids: ids.join(',') }, stranger);
    expect(theirs).toEqual([]);
    const given = (await get(listOrdered)) as unknown as { items: OrderedThing[] };
    if (given.items.length > 0)
      expect(given.items.find(({ id }) => id === ids[0])?.by_key).toEqual({ id: trader.id, name: 'trader' });
  });

  const ORDERED = '(SELECT intent FROM customers.api_order)';
  it.each([
    [
      'another form',
      'AK1',
      `UPDATE customers.api_order SET form = replace(form, 'up', 'down')`,
      `UPDATE customers.api_order SET form = replace(form, 'down', 'up')`,
    ],
    [
      'another signature',
      'AK1',
      'UPDATE customers.api_order SET signature = set_byte(signature, 5, 255 - get_byte(signature, 5)) WHERE length(signature) = 64',
    ],
    [
      'the request of another order',
      'AK1',
      `UPDATE customers.api_order SET intent = translate(intent::text, '0123456789abcdef', '1032547698badcfe')::uuid`,
    ],
    [
      'another customer’s request',
      'AK2',
      'UPDATE customers.api_order SET customer = customer + 1',
      'UPDATE customers.api_order SET customer = customer - 1',
    ],
    [
      'a key that was revoked before',
      'AK2',
      `UPDATE customers.api_key SET revoked_at = created_at - interval '1 minute', revoked_by = 'customer' WHERE revoked_at IS NULL`,
      'UPDATE customers.api_key SET revoked_at = NULL, revoked_by = NULL WHERE revoked_at < created_at',
    ],
    [
      'a bet the other way',
      'AK3',
      `UPDATE options.orders SET direction = 'down' WHERE id IN ${ORDERED}`,
      `UPDATE options.orders SET direction = 'up' WHERE id IN ${ORDERED}`,
    ],
    [
      'a larger subscription',
      'AK3',
      `UPDATE earning.movement SET units = units + 1 WHERE id IN ${ORDERED}`,
      `UPDATE earning.movement SET units = units - 1 WHERE id IN ${ORDERED}`,
    ],
  ])('the checker finds %s', async (_what, invariant, change, undo = change) => {
    const pastTriggers = (text: string) =>
      sql.query(`BEGIN; SET LOCAL session_replication_role = replica; ${text}; COMMIT`);
    await pastTriggers(change);
    const found = await findViolations(platform.test.checker);
    await pastTriggers(undo);
    expect(found.map((violation) => violation.invariant)).toContain(invariant);
  });

  it('E13 a load of 500 requests a second is held by one key’s limit, and hurts nobody', async () => {
    const edge = await openTestPlatform({ ROLES: 'edge', TRUST_PROXY: '1', RATE_LIMIT: '' }, platform);
    const flood: KeyedAnswer[] = [];
    const others: KeyedAnswer[] = [];
    const began = performance.now();
    try {
      for (let batch = 0; batch < 10; batch += 1) {
        // From fifty addresses, so that none of them is at its own limit.
        const requests = Array.from({ length: 50 }, (_, n) =>
          sendSigned(edge.url, signRequest(reader, listBalances), { 'x-forwarded-for': `198.51.100.${n}` }),
        );
        others.push(await sendSigned(edge.url, signRequest(all, listBalances), HOME));
        expect((await edge.send(listBalances, {}, { token: stranger })).answer.ret).toBe(1);
        flood.push(...(await Promise.all(requests)));
      }
    } finally {
      await edge.close();
    }
    const seconds = (performance.now() - began) / 1_000;
    const accepted = flood.filter(({ refusal }) => refusal === null);
    const held = flood.filter(({ status }) => status === 429);
    // 120 at once, and 20 a second.
    expect(accepted.length).toBeLessThanOrEqual(121 + Math.ceil(20 * seconds));
    expect([accepted.length + held.length, held.length > 0]).toEqual([500, true]);
    expect(Number(held[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(held[0]?.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=[0-9]+$/);
    // Another key of the same customer goes on, as does everybody else.
    expect(others.map(({ refusal }) => refusal)).toEqual(Array(10).fill(null));
    const { refused } = (await get(listApiKeys)) as unknown as { refused: { refusal: string; count: number }[] };
    const logged = refused.filter(({ refusal }) => refusal === 'too_many_requests');
    expect(logged.reduce((sum, { count }) => sum + count, 0)).toBe(held.length);
  });
});
