import { hash, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionUrlOf } from '../platform/database/index.ts';
import { endRoleSessions, openTestDatabase, type TestDatabase } from '../platform/database/testing.ts';
import { readSecrets } from '../platform/secrets.ts';
import type { Envelope, TestForm } from './testing-platform.ts';
import { type ServerProcess, startServerProcess } from './testing-server.ts';

/** Texts that cannot occur by chance, so finding one means that it has leaked. */
const [PHONE, WORDS, NEW_WORDS, PIN, NEW_PIN, EMAIL, WRONG] = [
  '0898811442',
  'Canary7wordA',
  'Canary8wordB',
  '582947',
  '618394',
  'canary.nobody@demo.example',
  'Canary9wrongC',
];
const OTHER_PHONE = '0898811443';
const NOT_SAID = 'CanaryInAPicture';

describe('G8 data that must not leak', () => {
  let test: TestDatabase;
  let owner: pg.Client;
  let dataDir: string;
  let server: ServerProcess;
  /** All answers, as they were sent. */
  const answered: { readonly to: string; readonly text: string }[] = [];
  const tokens: string[] = [];
  const codes: string[] = [];

  const ask = async (
    route: string,
    fields: TestForm | FormData | string = {},
    headers: TestForm = {},
  ): Promise<Envelope> => {
    const [method = '', at = ''] = route.split(' ');
    const isForm = !(fields instanceof FormData);
    const form = typeof fields === 'string' ? fields : isForm ? new URLSearchParams(fields as TestForm).toString() : '';
    const response = await fetch(`${server.url}${at}${method === 'GET' && form ? `?${form}` : ''}`, {
      method,
      headers: {
        lang: 'en',
        'idempotency-key': randomUUID(),
        ...(method === 'POST' && isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(method === 'POST' && { body: isForm ? form : (fields as FormData) }),
    });
    const text = await response.text();
    // Exempts two places: the demo's outbox, which shows codes, and a sign-in, which returns its token.
    const isItsPlace = at.startsWith('/demo/outbox');
    const shown = text.replace(/"token":"[^"]*"/, '');
    if (!isItsPlace) answered.push({ to: route, text: `${JSON.stringify([...response.headers])}${shown}` });
    try {
      const answer = JSON.parse(text) as Envelope;
      if (typeof answer.data?.token === 'string') tokens.push(answer.data.token);
      return answer;
    } catch {
      return { ret: 0, msg: text, data: {} };
    }
  };
  const codeTo = async (contact: string): Promise<string> => {
    const letters = (await ask('GET /demo/outbox', { to: contact })) as unknown as { code: string | null }[];
    const code = letters.find((letter) => letter.code !== null)?.code ?? '';
    expect(code).toMatch(/^[0-9]{6}$/);
    codes.push(code);
    return code;
  };

  beforeAll(async () => {
    test = await openTestDatabase();
    owner = new pg.Client(test.owner);
    await owner.connect();
    dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-canaries-'));
    server = await startServerProcess({
      DATA_DIR: dataDir,
      DATABASE_URL: connectionUrlOf(test.owner),
      SIM_SEED: 'canaries',
      LOG_LEVEL: 'trace',
      METRICS_TOKEN: 'canary-of-the-metrics',
    });
    server.start();
    await server.untilReady();
  });
  afterAll(async () => {
    await server.kill();
    await owner.end();
    await test.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('is in no log, answer, receipt, file or table', async () => {
    // Runs a customer's typical day, including errors.
    await ask('GET /api/users/sms', { userphone: PHONE, must: 'register' });
    const person = { mode: 'phone', phone: PHONE, password: WORDS, paypass: PIN, username: 'kanari' };
    const signUp = { ...person, code: await codeTo(PHONE), currency: 'BAHT', invite_code: 'WELCOME', agree: 'true' };
    await ask('POST /api/users/register', { ...signUp, code: '000000' });
    await ask('POST /api/users/register', { ...signUp, password: `${WORDS} x` });
    expect((await ask('POST /api/users/register', signUp)).ret).toBe(1);
    await ask('POST /api/users/login', { username: 'kanari', password: WRONG });
    await ask('POST /api/users/login', { username: PHONE, password: WORDS });
    const token = tokens[0] ?? '';
    const own = (route: string, fields: TestForm | FormData | string = {}) => ask(route, fields, { token });
    const done = async (route: string, fields: TestForm | FormData): Promise<Envelope['data']> => {
      const { ret, msg, data } = await own(route, fields);
      expect([route, ret, msg]).toEqual([route, 1, 'Success']);
      return data;
    };
    await own('POST /api/users/edit/userpass', { old: WRONG, password: NEW_WORDS, confirm: NEW_WORDS });
    await own('POST /api/users/edit/userpass', { old: WORDS, password: NEW_WORDS, confirm: `${NEW_WORDS}x` });
    await done('POST /api/users/edit/userpass', { old: WORDS, password: NEW_WORDS, confirm: NEW_WORDS });
    await done('POST /api/users/edit/paypass', { old: PIN, password: NEW_PIN, confirm: NEW_PIN });
    await own('GET /api/users/email/get', { email: EMAIL, must: 'edit' });
    await done('POST /api/users/edit', { email: EMAIL, code: await codeTo(EMAIL), paypass: NEW_PIN });
    const picture = new FormData();
    const jpeg = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#5d43e4' } })
      .withExif({ IFD0: { Copyright: NOT_SAID } })
      .jpeg()
      .toBuffer();
    picture.append('image', new Blob([new Uint8Array(jpeg)]), 'me.jpg');
    const { id: userimg } = await done('POST /api/users/upload', picture);
    await done('POST /api/users/edit/avatar', { userimg: String(userimg) });
    await done('POST /demo/fund', { asset: 'USDT', amount: '1000' });
    const bought = await done('POST /api/coin/order/add', {
      code: 'BTC',
      direction: 'up',
      quantity: '10',
      duration: '30',
    });
    expect((await done('GET /api/coin/order/info', { id: String(bought.id) })).receipt).toBeTruthy();
    const { price } = await done('GET /api/coin/data/rate', { code: 'BTC' });
    const low = String(Math.floor(Number(price) * 0.6));
    await own('POST /api/coin/trans/add', { code: 'BTC', side: 'buy', type: 'limit', price: low, quantity: '0.001' });
    for (const read of [
      'GET /api/users/info',
      'GET /api/users/sessions',
      'POST /api/users/message',
      'POST /api/coin/trans/lists',
    ])
      await own(read, read.startsWith('POST') ? { status: 'all' } : {});
    for (const open of [
      '/',
      '/metrics',
      '/api/docs/json',
      '/api/health',
      '/api/proof/keys',
      '/nothing',
      '/api/nothing',
      '/api/coin/lists',
    ])
      await ask(`GET ${open}`);

    // Makes malformed requests and database faults: each is logged in full and answered with only a code.
    await own('POST /api/users/login', `password=${NEW_WORDS}&password=${NEW_WORDS}&%`);
    await ask('POST /api/users/login', JSON.stringify({ password: NEW_WORDS }), { 'content-type': 'application/json' });
    await ask(`GET /api/users/info?token=${token}&password=${NEW_WORDS}`);
    await owner.query(`ALTER TABLE customers.customer ADD CONSTRAINT no_more CHECK (username <> 'kanari_2') NOT VALID`);
    await ask('GET /api/users/sms', { userphone: OTHER_PHONE, must: 'register' });
    const second = { ...signUp, username: 'kanari_2', phone: OTHER_PHONE, code: await codeTo(OTHER_PHONE) };
    expect((await ask('POST /api/users/register', second)).data.code).toBe('internal_error');
    await owner.query('REVOKE INSERT ON customers.session FROM sathorn_app');
    const refused = await ask('POST /api/users/login', { username: 'kanari', password: NEW_WORDS });
    expect(refused.data.code).toBe('internal_error');
    await endRoleSessions(owner, 'sathorn_app');
    await own('GET /api/users/info');

    const secrets = Object.values(readSecrets(dataDir));
    const keys = secrets.flatMap((key) => [key.toString('hex'), key.toString('base64url')]);
    expect(keys.length).toBeGreaterThan(10);
    const words = [WORDS, NEW_WORDS, WRONG, NOT_SAID, 'canary-of-the-metrics', connectionUrlOf(test.owner)];
    const hashes = tokens.map((token) => hash('sha256', token, 'hex'));
    /** Matches the digits on their own and not within an amount or an id. */
    const digits = (six: string): RegExp => new RegExp(`(?<![0-9a-f.-])${six}(?![0-9a-f.-])`);
    const pins = [digits(PIN), digits(NEW_PIN)];
    const found = (text: string, more: readonly (string | RegExp)[] = pins): (string | RegExp)[] =>
      [...keys, ...words, ...tokens, ...more].filter((secret) =>
        typeof secret === 'string' ? text.includes(secret) : secret.test(text),
      );

    for (const reported of ['no_more', 'insertSession']) expect(server.output()).toContain(reported);
    const contacts = [PHONE.slice(1), OTHER_PHONE.slice(1), EMAIL];
    expect(found(server.output(), [...pins, ...hashes, ...codes.map(digits), ...contacts])).toEqual([]);
    const inside = [
      dataDir,
      path.resolve(import.meta.dirname, '../../../..'),
      'node_modules',
      '    at ',
      'sathorn_app',
    ];
    for (const { to, text } of answered)
      expect(found(text, [...pins, ...hashes, ...codes.map(digits), ...inside]), to).toEqual([]);

    for (const file of readdirSync(dataDir, { recursive: true, withFileTypes: true }))
      if (file.isFile() && path.basename(file.parentPath) !== 'secrets')
        expect(found(readFileSync(path.join(file.parentPath, file.name), 'latin1')), file.name).toEqual([]);
    const { rows: tables } = await owner.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const { rows } = await owner.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
      // Skips the market's tables, in which any six digits may be part of prices and volumes.
      const more = name.startsWith('market.') ? [] : pins;
      expect(found(rows.map(({ text }) => text).join('\n'), more), name).toEqual([]);
    }
  });
});
