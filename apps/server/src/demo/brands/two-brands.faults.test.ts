import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runBrands } from './index.ts';

interface Answer {
  readonly ret: number;
  readonly data: Record<string, unknown>;
}

let dataDir: string;
let running: Awaited<ReturnType<typeof runBrands>>;
const lines: string[] = [];

/** Sends a request as a browser would: only the host name selects the brand. */
function ask(host: string, call: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const [method = '', at = ''] = call.split(' ');
  const { port } = new URL(running.url);
  return new Promise<{ status: number; answer: Answer; text: string }>((resolve, reject) => {
    const asked = request({
      host: 'localhost',
      port,
      method,
      path: at,
      headers: {
        host: `${host}:${port}`,
        lang: 'en',
        'x-requested-with': 'XMLHttpRequest',
        ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
    });
    asked.on('response', (response) => {
      let text = '';
      response.on('data', (part) => (text += part));
      response.on('end', () => {
        const answer = (text.startsWith('{') ? JSON.parse(text) : {}) as Answer;
        resolve({ status: response.statusCode ?? 0, answer, text });
      });
    });
    asked.on('error', reject);
    asked.end(method === 'POST' ? new URLSearchParams(form).toString() : undefined);
  });
}

const NICHA = { username: 'nicha', password: 'Chao9Phraya' };

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-brands-'));
  running = await runBrands(
    {
      ...process.env,
      BRANDS: 'sathorn=sathorn.localhost,meridian=meridian.localhost',
      DATA_DIR: dataDir,
      PORT: '0',
      CHAIN: 'off',
      DEMO_PEOPLE: '0',
      PROCESSES: '1',
      SATHORN_MODE: 'demo',
    },
    (line) => lines.push(line),
  );
  const until = performance.now() + 110_000;
  for (const host of ['sathorn.localhost', 'meridian.localhost'])
    while ((await ask(host, 'GET /api/health')).status !== 200) {
      if (performance.now() > until) throw new Error(lines.join('\n'));
      await new Promise((resolve) => {
        setTimeout(resolve, 250);
      });
    }
});
afterAll(async () => {
  await running.stop('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

it('each brand answers under its own host name, as itself', async () => {
  const config = async (host: string) => (await ask(host, 'GET /api/other/config?act=system')).answer.data;
  expect(await config('sathorn.localhost')).toMatchObject({
    brand: 'sathorn',
    currency: 'BAHT',
    invite_required: true,
  });
  expect(await config('meridian.localhost')).toMatchObject({
    brand: 'meridian',
    currency: 'USD',
    invite_required: false,
  });
  expect((await ask('other.localhost', 'GET /api/other/config?act=system')).status).toBe(421);
});

it('a customer of one is unknown to the other: they share neither sessions nor money nor keys', async () => {
  const signIn = async (host: string) => (await ask(host, 'POST /api/users/login', NICHA)).answer.data.token as string;
  const token = await signIn('sathorn.localhost');
  const user = (host: string, of: string) => ask(host, 'GET /api/users/info', {}, { token: of });
  expect((await user('sathorn.localhost', token)).answer).toMatchObject({ ret: 1, data: { currency: 'BAHT' } });
  expect((await user('meridian.localhost', token)).answer.ret).toBe(-1);
  const other = await signIn('meridian.localhost');
  expect((await user('meridian.localhost', other)).answer).toMatchObject({ ret: 1, data: { currency: 'USD' } });

  const gift = { asset: 'USDT', amount: '77' };
  await ask('sathorn.localhost', 'POST /demo/fund', gift, { token, 'idempotency-key': crypto.randomUUID() });
  const balance = async (host: string, of: string) => (await user(host, of)).answer.data.balance;
  expect(await balance('sathorn.localhost', token)).toBe('10077.000000');
  expect(await balance('meridian.localhost', other)).toBe('10000.000000');

  const keys = async (host: string) => (await ask(host, 'GET /api/proof/keys')).text;
  expect(await keys('sathorn.localhost')).not.toBe(await keys('meridian.localhost'));
});
