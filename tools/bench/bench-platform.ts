import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { perSecond } from './figure.ts';

export const BENCH_COINS = ['BTC', 'ETH', 'BNB', 'SOL', 'XRP', 'DOGE', 'ADA', 'TRX'];
const PORT = 3950;
const BASE = `http://127.0.0.1:${PORT}`;

/** Any key that was not used yet does; a counter leaves the cores to what is measured. */
let keys = 0;
export function nextKey(): string {
  keys += 1;
  return `bench-${String(keys).padStart(10, '0')}`;
}

export async function send(
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

async function signUp(n: number, funds: Readonly<Record<string, string>>): Promise<string> {
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
  for (const [asset, amount] of Object.entries(funds)) await send('/demo/fund', { asset, amount }, data.token);
  return data.token;
}

export interface BenchPlatform {
  /** Of customers with money. */
  readonly tokens: readonly string[];
  readonly port: number;
  readonly pid: number;
  /** `rate`: requests a second in all, instead of as many as can be. */
  load(connections: number, seconds: number, requests: autocannon.Request[], rate?: number): Promise<autocannon.Result>;
  /** The data of a call that needs no session. */
  read<Data>(at: string): Promise<Data>;
  /** The edge's own work for a form post that is refused before any room is asked: the peer of the same run. */
  emptyPosts(): Promise<number>;
}

export interface StartedPlatform {
  readonly port: number;
  readonly pid: number;
  /** From the start of the process, with an empty data folder, until it says that it is ready. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/** The whole platform as it is started, database and all. */
export async function startPlatform(): Promise<StartedPlatform> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-bench-'));
  chmodSync(dataDir, 0o755);
  const begin = performance.now();
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
  const stop = async (): Promise<void> => {
    const ended = server.exitCode === null && new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGINT');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  const isReady = async (): Promise<boolean> =>
    fetch(`${BASE}/api/health`).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isReady())) {
    if (server.exitCode !== null) throw new Error('the platform did not start');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { port: PORT, pid: server.pid ?? 0, readyMs: performance.now() - begin, stop };
}

/** With customers in it, and the load from this process on the same two cores. */
export async function withPlatform<Result>(
  customers: { readonly count: number; readonly funds: Readonly<Record<string, string>> },
  work: (platform: BenchPlatform) => Promise<Result>,
): Promise<Result> {
  const started = await startPlatform();
  const load: BenchPlatform['load'] = (connections, seconds, requests, rate) =>
    autocannon({
      url: BASE,
      connections,
      duration: seconds,
      requests,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      ...(rate !== undefined && { overallRate: Math.round(rate) }),
    });
  try {
    const tokens: string[] = [];
    for (let n = 0; n < customers.count; n++) tokens.push(await signUp(n, customers.funds));
    const post = {
      method: 'POST',
      path: '/api/users/message/reader',
      headers: { token: tokens[0] ?? '' },
      body: 'ids=',
    };
    const read = async <Data>(at: string): Promise<Data> =>
      ((await (await fetch(`${BASE}${at}`)).json()) as { data: Data }).data;
    const emptyPosts = async (): Promise<number> => rateOf(await load(256, 5, [post]));
    return await work({ tokens, port: started.port, pid: started.pid, load, read, emptyPosts });
  } finally {
    await started.stop();
  }
}

/** Accepted requests a second. */
export const rateOf = (result: autocannon.Result): number => result['2xx'] / result.duration;
export const latencyOf = ({ latency: { p50, p99 } }: autocannon.Result): string => `p50 ${p50} ms, p99 ${p99} ms`;
export const ratioTo = (empty: number, result: autocannon.Result): string =>
  `${(rateOf(result) / empty).toFixed(2)}× a form post that no room is asked about (${perSecond(empty)})`;
