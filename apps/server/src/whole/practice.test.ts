import { randomUUID } from 'node:crypto';
import { CALLS, isInPractice } from '@sathorn/api';
import {
  type PracticeTicket,
  type PublishedKey,
  trustKeys,
  verifyOptionReceipt,
  writePracticeTicket,
} from '@sathorn/proof';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { ed25519Signer } from '../platform/proofs/index.ts';
import { readSecret } from '../platform/secrets.ts';
import { type Envelope, openTestPlatform, type TestForm, type TestPlatform } from './testing-platform.ts';

const PRACTICE = 'https://practice.example';
const MAIN = 'https://app.example';
const ROLES = 'edge,index,matcher,settler';
const BET = { code: 'BTC', direction: 'up', quantity: '100', duration: '30' };

/** The real platform and its practice platform, each with its own database, keys and folder. */
let main: TestPlatform;
let practice: TestPlatform;
let token = '';
let sql: pg.Client;

beforeAll(async () => {
  main = await openTestPlatform({ SIM_SEED: 'practice', ROLES, BASE_URL: MAIN, PRACTICE_URL: PRACTICE });
  const { publicKeyHex } = ed25519Signer(readSecret(main.dataDir, 'practiceKey'));
  practice = await openTestPlatform({
    SIM_SEED: 'practice',
    ROLES,
    BASE_URL: PRACTICE,
    PRACTICE_OF: MAIN,
    PRACTICE_KEY: Buffer.from(publicKeyHex, 'hex').toString('base64'),
  });
  token = await main.signIn(DEMO_CUSTOMER);
  sql = new pg.Client(main.test.owner);
  await sql.connect();
});
afterAll(async () => {
  await sql?.end();
  await practice?.close();
  await main?.close();
  expect([...(main?.faults ?? []), ...(practice?.faults ?? [])]).toEqual([]);
});

const ask = async (platform: TestPlatform, route: string, fields: TestForm, of: string): Promise<Envelope> =>
  (await platform.send(route, fields, { token: of, 'idempotency-key': randomUUID() })).answer;
const tap = (of = token) => ask(main, 'POST /users/practice', {}, of);
const ticketIn = (url: unknown): string => new URLSearchParams(String(url).split('?')[1]).get('ticket') ?? '';
const newTicket = async (): Promise<string> => ticketIn((await tap()).data.url);
const enter = async (ticket: string): Promise<Envelope> =>
  (await practice.send('POST /users/practice/enter', { ticket })).answer;
const entered = async (): Promise<string> => String((await enter(await newTicket())).data.token);
const balanceOf = async (of: string) => (await ask(practice, 'GET /users/info', {}, of)).data.balance;

/** A ticket as whoever holds the key of this folder would make it. */
const madeWith = (dataDir: string, change: Partial<PracticeTicket> = {}): string =>
  writePracticeTicket(
    {
      origin: PRACTICE,
      who: 'ab'.repeat(16),
      language: 'th',
      untilMs: Date.now() + 20_000,
      nonce: randomUUID().replaceAll('-', ''),
      ...change,
    },
    readSecret(dataDir, 'practiceKey'),
  );

it('a customer taps, enters, wins or loses with play money, refills and comes back, and nothing real has changed', async () => {
  const real = async () => [
    await ask(main, 'GET /users/info', {}, token),
    await ask(main, 'GET /users/ranks', {}, token),
    await ask(main, 'GET /coin/order/total', {}, token),
    (await main.send('GET /status/figures')).answer.data.sums,
  ];
  const before = await real();
  const url = String((await tap()).data.url);
  expect(url).toMatch(/^https:\/\/practice\.example\/#\/pages\/practice\/enter\?language=en&ticket=practice/);
  const { ret, data } = await enter(ticketIn(url));
  expect(ret).toBe(1);
  const player = String(data.token);
  const user = data.user as Record<string, unknown>;
  expect(user).toMatchObject({ balance: '10000.000000', phone: null });
  // The practice platform learns nothing of who it is.
  const own = (await ask(main, 'GET /users/info', {}, token)).data;
  for (const known of [own.id, own.username, own.nickname, own.email])
    expect(JSON.stringify(data)).not.toContain(known);

  const bought = await vi.waitFor(async () => {
    const answer = await ask(practice, 'POST /coin/order/add', BET, player);
    expect(answer.ret, answer.msg).toBe(1);
    return answer.data;
  }, 30_000);
  expect(await balanceOf(player)).toBe('9900.000000');
  expect((await ask(practice, 'POST /demo/fund', { asset: 'USDT', amount: '5000' }, player)).ret).toBe(1);
  expect(await balanceOf(player)).toBe('14900.000000');
  const refused = await ask(practice, 'POST /demo/fund', { asset: 'USDT', amount: '90000' }, player);
  expect(refused.data).toMatchObject({ code: 'exceeds_practice_balance', params: { max: '100000', asset: 'USDT' } });

  // One customer has one practice account, with its first money once, however often they enter.
  const again = await enter(await newTicket());
  expect(again.data.user).toMatchObject({ id: user.id, balance: '14900.000000' });
  expect(await real()).toEqual(before);

  await vi.waitFor(
    async () => {
      const { data: order } = await ask(practice, 'GET /coin/order/info', { id: String(bought.id) }, player);
      expect(order.status).not.toBe('holding');
    },
    { timeout: 60_000, interval: 1_000 },
  );
  const { data: order } = await ask(practice, 'GET /coin/order/info', { id: String(bought.id) }, player);
  const keysOf = async (platform: TestPlatform) =>
    (await trustKeys((await platform.send('GET /proof/keys')).answer.data.keys as PublishedKey[], [])).trusted;
  // A receipt over play money is no receipt of the real platform.
  const verify = async (platform: TestPlatform) => verifyOptionReceipt(order.receipt as never, await keysOf(platform));
  expect(await verify(practice)).toMatchObject({ verified: true });
  expect(await verify(main)).toMatchObject({ verified: false });
  expect(await real()).toEqual(before);
});

describe('a ticket opens nothing', () => {
  it('a second time, also at once', async () => {
    const ticket = await newTicket();
    const answers = await Promise.all([enter(ticket), enter(ticket), enter(ticket)]);
    expect(answers.map(({ ret }) => ret).sort()).toEqual([0, 0, 1]);
    expect((await enter(ticket)).data.code).toBe('practice_ticket_used');
  });

  it.each<[string, () => string | Promise<string>, string]>([
    [
      'altered',
      async () => (await newTicket()).replace(/[0-9a-f]{32} en/, `${'cd'.repeat(16)} en`),
      'practice_ticket_forged',
    ],
    ['made with the practice platform’s own key', () => madeWith(practice.dataDir), 'practice_ticket_forged'],
    ['expired', () => madeWith(main.dataDir, { untilMs: Date.now() - 1 }), 'practice_ticket_expired'],
    [
      'for another origin',
      () => madeWith(main.dataDir, { origin: 'https://other.example' }),
      'practice_ticket_elsewhere',
    ],
    ['that is none', () => 'x', 'practice_ticket_malformed'],
  ])('%s', async (_what, ticket, code) => {
    expect((await enter(await ticket())).data.code).toBe(code);
  });

  it('on the real platform', async () => {
    const { answer } = await main.send('POST /users/practice/enter', { ticket: await newTicket() });
    expect(answer.data.code).toBe('practice_not_offered');
  });

  it('after its end, though the database’s row of its use is gone', async () => {
    const owner = new pg.Client(practice.test.owner);
    await owner.connect();
    const use = (until: string) =>
      owner.query(
        `SELECT customers.use_practice_ticket('${'ef'.repeat(16)}', clock_timestamp() + interval '${until}')`,
      );
    expect((await use('20 seconds')).rows).toEqual([{ use_practice_ticket: true }]);
    await owner.query('DELETE FROM customers.practice_ticket');
    expect((await use('-1 second')).rows).toEqual([{ use_practice_ticket: false }]);
    await owner.end();
    const query = { name: 'forget', text: 'DELETE FROM customers.practice_ticket' };
    await expect(practice.test.database.query(query)).rejects.toThrow('permission denied');
  });
});

describe('no ticket is given to', () => {
  it('a visitor, and a session of play money', async () => {
    expect((await tap('')).ret).toBe(-1);
    expect((await tap(await entered())).ret).toBe(-1);
  });

  it('a customer whom a freeze or their own break stops', async () => {
    const mali = await main.signIn({ username: 'anan', password: 'Rama8Bridge' });
    expect((await tap(mali)).ret).toBe(1);
    await sql.query(`UPDATE customers.customer SET frozen_reason = 'asked' WHERE username = 'anan'`);
    expect((await tap(mali)).data.code).toBe('account_frozen');
    await sql.query(`UPDATE customers.customer SET frozen_reason = NULL WHERE username = 'anan'`);
    expect((await ask(main, 'POST /users/safeguards/break', { length: '24_hours' }, mali)).ret).toBe(1);
    expect((await tap(mali)).data.code).toBe('time_out');
  });
});

it('a session of one platform is none of the other', async () => {
  expect((await ask(main, 'GET /users/info', {}, await entered())).ret).toBe(-1);
  expect((await ask(practice, 'GET /users/info', {}, token)).ret).toBe(-1);
});

it('the practice platform has trading only: no other way in, no deposit, no withdrawal, no operator', async () => {
  const player = await entered();
  for (const call of Object.values(CALLS)) {
    if (isInPractice(call) || call.takesFile) continue;
    const response = await practice.send(call, {}, { token: player });
    expect([call.path, response.status]).toEqual([call.path, 404]);
  }
  const { data } = (await practice.send('GET /other/config', { act: 'system' })).answer;
  expect(data).toMatchObject({ mode: 'demo', practice_of: MAIN, practice_url: null });
  const there = (await main.send('GET /other/config', { act: 'system' })).answer.data;
  expect(there).toMatchObject({ practice_of: null, practice_url: PRACTICE });
  const users = new pg.Client(practice.test.owner);
  await users.connect();
  const { rows } = await users.query('SELECT username FROM customers.customer');
  await users.end();
  expect(rows.filter(({ username }) => !username.startsWith('practice_'))).toEqual([]);
});

it('programs get keys without a second factor, and no key asks for a ticket', async () => {
  const player = await entered();
  const key = { name: 'grid', scopes: 'read,trade', paypass: '000000', days: '30' };
  expect((await ask(practice, 'POST /users/keys/add', key, player)).data.secret).toBeTruthy();
});
