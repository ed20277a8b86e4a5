import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { type Figure, perSecond } from './figure.ts';

const CUSTOMERS = 32;
const COINS = ['BTC', 'ETH', 'BNB', 'SOL', 'XRP', 'DOGE', 'ADA', 'TRX'];
const PORT = 3950;
const BASE = `http://127.0.0.1:${PORT}`;

/** Any key that was not used yet does; a counter leaves the cores to what is measured. */
let keys = 0;
function nextKey(): string {
  keys += 1;
  return `bench-${String(keys).padStart(10, '0')}`;
}

async function send(
  at: string,
  form: Record<string, string>,
  token = '',
): Promise<{ ret: number; data: Record<string, string> }> {
  const isRead = at.startsWith('/api/users/sms');
  const body = new URLSearchParams(form).toString();
  const response = await fetch(`${BASE}${at}${isRead ? `?${body}` : ''}`, {
    method: isRead ? 'GET' : 'POST',
    headers: { token, 'content-type': 'application/x-www-form-urlencoded' },
    ...(!isRead && { body }),
  });
  return (await response.json()) as { ret: number; data: Record<string, string> };
}

async function signUp(n: number): Promise<string> {
  const phone = `08${String(10_000_000 + n * 1237)}`;
  await send('/api/users/sms', { userphone: phone, must: 'register' });
  const [sent] = (await (await fetch(`${BASE}/demo/outbox?to=${phone}`)).json()) as { code: string }[];
  const form = {
    mode: 'phone',
    phone,
    code: sent?.code ?? '',
    password: 'Mekong77',
    paypass: '830274',
    username: `bench${n}`,
    currency: 'BAHT',
    invite_code: 'WELCOME',
    agree: 'true',
  };
  const { ret, data } = await send('/api/users/register', form);
  if (ret !== 1 || !data.token) throw new Error(`sign-up failed: ${JSON.stringify(data)}`);
  await send('/demo/fund', { asset: 'USDT', amount: '100000' }, data.token);
  return data.token;
}

function load(
  url: string,
  connections: number,
  seconds: number,
  requests: autocannon.Request[],
): Promise<autocannon.Result> {
  return autocannon({
    url,
    connections,
    duration: seconds,
    requests,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}

/** The whole platform as it is started, with the load from this process on the same two cores. */
export async function benchHttpOptions(): Promise<Figure[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-bench-'));
  chmodSync(dataDir, 0o755);
  const server = spawn(process.execPath, ['apps/server/src/main.ts'], {
    env: {
      ...process.env,
      PORT: String(PORT),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      RATE_LIMIT: '100000000',
      SIM_SEED: 'bench',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    while (
      (await fetch(`${BASE}/api/health`).then(
        (response) => response.status,
        () => 0,
      )) !== 200
    )
      await new Promise((resolve) => setTimeout(resolve, 100));
    const tokens: string[] = [];
    for (let n = 0; n < CUSTOMERS; n++) tokens.push(await signUp(n));
    const purchases = tokens.flatMap((token, n) =>
      [0, 1].map(
        (side): autocannon.Request => ({
          method: 'POST',
          path: '/api/coin/order/add',
          setupRequest: (request) => ({
            ...request,
            headers: { ...request.headers, token, 'idempotency-key': nextKey() },
            body: `code=${COINS[n % COINS.length]}&direction=${side ? 'up' : 'down'}&quantity=1&duration=300`,
          }),
        }),
      ),
    );
    const first = tokens[0] ?? '';
    const reads: autocannon.Request[] = [
      { method: 'POST', path: '/api/users/message/reader', headers: { token: first }, body: 'ids=' },
    ];
    await load(BASE, 64, 2, purchases);
    // The peer of the same run: the edge's own work for a form post that is refused before any room is asked.
    const empty = await load(BASE, 256, 5, reads);
    const at256 = await load(BASE, 256, 8, purchases);
    const at64 = await load(BASE, 64, 8, purchases);
    const rate = (result: autocannon.Result): number => result['2xx'] / result.duration;
    const ratio = (result: autocannon.Result): string =>
      `${(rate(result) / rate(empty)).toFixed(2)}× a form post that no room is asked about (${perSecond(rate(empty))})`;
    const latency = ({ latency: { p50, p99 } }: autocannon.Result): string => `p50 ${p50} ms, p99 ${p99} ms`;
    return [
      {
        name: 'option purchases over HTTP, durable, 256 connections',
        value: `${perSecond(rate(at256))}, ${latency(at256)}`,
        ratio: ratio(at256),
        goal: '≥ 10,000/s',
      },
      {
        name: 'the same at 64 connections',
        value: `${perSecond(rate(at64))}, ${latency(at64)}`,
        ratio: ratio(at64),
        goal: '–',
      },
    ];
  } finally {
    server.kill('SIGINT');
    await new Promise((resolve) => server.once('exit', resolve));
    rmSync(dataDir, { recursive: true, force: true });
  }
}
