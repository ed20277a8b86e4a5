import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertSameMode, DEMO_CUSTOMER, fundDemoHouse } from '../demo/demo/index.ts';
import { openLedger } from '../ledger/index.ts';
import { Bus } from '../platform/bus/index.ts';
import { systemClock } from '../platform/clock.ts';
import { connectionUrlOf } from '../platform/database/index.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing.ts';
import { isSellingOptions, readConfig } from '../process/config.ts';
import { type Platform, startPlatform } from '../process/start-platform.ts';

interface Envelope<Data> {
  readonly ret: number;
  readonly msg: string;
  readonly data: Data;
}
interface Coin {
  readonly options: boolean;
  readonly price: string | null;
  readonly spark: readonly string[];
}

/** The gateway delays messages to this number. */
const SLOW = '+66812345679';

/** An SMS gateway on this machine that keeps the newest text for each number. */
async function openGateway(): Promise<{ server: Server; url: string; texts: Map<string, string> }> {
  const texts = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { to, text } = JSON.parse(Buffer.concat(chunks).toString()) as { to: string; text: string };
    if (to === SLOW) await new Promise((resolve) => setTimeout(resolve, 500));
    texts.set(to, text);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, texts };
}

describe('a live deployment', () => {
  let test: TestDatabase;
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  const open: Platform[] = [];
  /** All servers of the test share one database. */
  let dataDir: string;

  /** Starts without the index, so that nothing requests prices from outside. */
  const start = async (licence: Record<string, string>): Promise<string> => {
    const config = readConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: connectionUrlOf(test.owner),
      SATHORN_MODE: 'live',
      CONSOLE_URL: 'https://staff.example',
      ROLES: 'edge',
      SMS_URL: gateway.url,
      SMTP_URL: 'smtp://127.0.0.1:1',
      INVITE_CODES: 'FIRST1',
      ...licence,
    });
    const platform = await startPlatform(config, { print: () => undefined, report: () => undefined });
    open.push(platform);
    return platform.url;
  };
  const ask = async <Data>(
    url: string,
    route: string,
    form: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Envelope<Data> & { status: number }> => {
    const [method = '', at = ''] = route.split(' ');
    const body = new URLSearchParams(form).toString();
    const response = await fetch(`${url}${at}${method === 'GET' && body ? `?${body}` : ''}`, {
      method,
      headers: {
        lang: 'en',
        ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(method === 'POST' && { body }),
    });
    return { status: response.status, ...((await response.json()) as Envelope<Data>) };
  };
  const signUp = async (url: string, phone: string, inviteCode: string) => {
    await ask(url, 'GET /api/users/sms', { userphone: phone, must: 'register' });
    for (let n = 0; n < 3_000 && !gateway.texts.has(phone); n++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const code = /[0-9]{6}/.exec(gateway.texts.get(phone) ?? '')?.[0] ?? '';
    const fields = { mode: 'phone', phone, code, password: 'Zq7rTy8mK', paypass: '493817', currency: 'BAHT' };
    return ask<{ code?: string; token: string }>(url, 'POST /api/users/register', {
      ...fields,
      username: `u${phone.slice(-8)}`,
      invite_code: inviteCode,
      agree: 'true',
    });
  };

  beforeAll(async () => {
    test = await openTestDatabase();
    gateway = await openGateway();
    dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-live-'));
  });
  afterAll(async () => {
    for (const platform of open) await platform.stop();
    rmSync(dataDir, { recursive: true, force: true });
    gateway.server.close();
    await test.close();
  });

  it('has nothing of a demonstration: no routes, people, public invitation code or invented figure', async () => {
    const url = await start({});
    expect((await ask(url, 'GET /demo/outbox')).status).toBe(404);
    expect((await ask(url, 'POST /demo/fund', { asset: 'USDT', amount: '1' })).status).toBe(404);
    expect(JSON.stringify(await (await fetch(`${url}/api/docs/json`)).json())).not.toContain('/demo/');
    const { username, password } = DEMO_CUSTOMER;
    expect((await ask(url, 'POST /api/users/login', { username, password })).data).toMatchObject({
      code: 'credentials_wrong',
    });
    expect((await signUp(url, '+66812345670', 'WELCOME')).data.code).toBe('invite_code_unknown');

    expect((await ask(url, 'GET /api/third/currency/rate')).data).toEqual([]);
    expect((await ask(url, 'GET /api/content/winnotice')).data).toEqual([]);
    expect(
      (await ask<{ items: unknown[] }>(url, 'POST /api/coin/data/lists', { code: 'BTC', interval: '1m' })).data.items,
    ).toEqual([]);
    const coins = (await ask<Coin[]>(url, 'GET /api/coin/lists')).data;
    expect(coins.every(({ price, spark }) => price === null && spark.length === 0)).toBe(true);
    expect(JSON.stringify((await ask(url, 'GET /api/content/slide', { position: 'home' })).data)).not.toContain(
      'practice',
    );
  });

  it('offers no option without the licence, says why, and takes no money', async () => {
    const url = await start({ LICENCE_OPTIONS: '  ' });
    expect((await ask(url, 'GET /api/other/config', { act: 'system' })).data).toMatchObject({
      mode: 'live',
      prices: 'live',
      products: { options: 'no_licence' },
    });
    const coins = (await ask<Coin[]>(url, 'GET /api/coin/lists')).data;
    expect(coins.length).toBeGreaterThan(0);
    expect(coins.some(({ options }) => options)).toBe(false);
    expect((await ask(url, 'GET /api/coin/data/rate', { code: 'BTC' })).data).toMatchObject({ durations: [] });

    const { token } = (await signUp(url, '+66812345671', 'FIRST1')).data;
    const order = { code: 'BTC', direction: 'up', quantity: '1', duration: '30' };
    const refused = await ask(url, 'POST /api/coin/order/add', order, { token, lang: 'ar' });
    expect(refused).toMatchObject({ ret: 0, data: { code: 'coin_not_offered', fields: { code: refused.msg } } });
    expect(refused.msg).not.toMatch(/[A-Za-z]{3}/);
  });

  it('offers options under a licence, and sells none while the index is stale', async () => {
    const url = await start({ LICENCE_OPTIONS: 'No. 12/2569' });
    expect((await ask(url, 'GET /api/other/config', { act: 'system' })).data).toMatchObject({
      products: { options: 'open' },
    });
    const coins = (await ask<Coin[]>(url, 'GET /api/coin/lists')).data;
    expect(coins.every(({ options }) => options)).toBe(true);
    const { token } = (await signUp(url, '+66812345672', 'first1')).data;
    const order = { code: 'BTC', direction: 'up', quantity: '1', duration: '30' };
    const buy = async () => (await ask(url, 'POST /api/coin/order/add', order, { token })).data;
    expect(await buy()).toMatchObject({ code: 'consent_required' });
    const answers = { version: '2', knowledge: 'a', experience: 'c', need: 'a', share: 'a', agree: 'true' };
    await ask(url, 'POST /api/consents/give', { product: 'options', ...answers }, { token });
    expect(await buy()).toMatchObject({ code: 'index_stale' });
    // A code that is being sent still arrives although the server is stopping.
    await ask(url, 'GET /api/users/sms', { userphone: SLOW, must: 'register' });
    expect(gateway.texts.has(SLOW)).toBe(false);
    await open.at(-1)?.stop();
    expect(gateway.texts.has(SLOW)).toBe(true);
    // Simulates an owner who forgot to configure live mode.
    await expect(start({ SATHORN_MODE: 'demo' })).rejects.toThrow('belongs to a live deployment');
  });
});

describe('a database', () => {
  it('refuses to start on the database of a demonstration, and the other way round', async () => {
    const test = await openTestDatabase();
    const ledger = openLedger({ eligibility: null, database: test.database, clock: systemClock, bus: new Bus() }).api;
    await assertSameMode(ledger, 'live');
    await assertSameMode(ledger, 'demo');
    await fundDemoHouse(ledger);
    await assertSameMode(ledger, 'demo');
    await expect(assertSameMode(ledger, 'live')).rejects.toThrow('belongs to a demonstration');
    await test.close();
  });
});

describe('the products on sale', () => {
  it('are all in a demonstration, and only the licensed ones in a live deployment', () => {
    expect(isSellingOptions({ mode: 'demo', licenceOfOptions: null })).toBe(true);
    expect(isSellingOptions({ mode: 'live', licenceOfOptions: null })).toBe(false);
    expect(isSellingOptions({ mode: 'live', licenceOfOptions: '12/2569' })).toBe(true);
  });
});
