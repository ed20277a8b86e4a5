import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { perSecond } from './figure.ts';
import { acceptedPerSecond, type LoadPost, type PostLoad, runPostLoad } from './post-load.ts';
import { cpuUseOf } from './process-use.ts';

export const BENCH_COINS = ['BTC', 'ETH', 'BNB', 'SOL', 'XRP', 'DOGE', 'ADA', 'TRX'];
const PORT = 3950;
const PEER_PORTS = { 'bare-server.ts': 3951, 'plain-exchange.ts': 3952 };
const BASE = `http://127.0.0.1:${PORT}`;

/** Any unused key works. A counter is cheap and leaves the CPU to the measured code. */
let keys = 0;
export function nextIdempotencyKey(): string {
  keys += 1;
  return `bench-${String(keys).padStart(10, '0')}`;
}

export async function sendPost(
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
  await sendPost('/api/users/sms', { userphone: phone, must: 'register' });
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
  const { ret, data } = await sendPost('/api/users/register', form);
  if (ret !== 1 || !data.token) throw new Error(`sign-up failed: ${JSON.stringify(data)}`);
  for (const [asset, amount] of Object.entries(funds)) await sendPost('/demo/fund', { asset, amount }, data.token);
  return data.token;
}

/** Like `runPostLoad`, against a running server. */
export type RunLoad = (connections: number, seconds: number, next: () => LoadPost, rate?: number) => Promise<PostLoad>;

export interface BenchPlatform {
  /** Session tokens of customers with money. */
  readonly tokens: readonly string[];
  readonly port: number;
  readonly load: RunLoad;
  /** Reads a call that needs no session and returns its data. */
  read<Data>(at: string): Promise<Data>;
}

interface StartedPlatform {
  readonly port: number;
  readonly pid: number;
  /** The time from the start of the process, with an empty data folder, until it reports that it is ready. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/** The whole platform as in a deployment, including its database. */
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
      DEMO_PEOPLE: '0',
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

const BARE_POST: LoadPost = { path: '/', token: 'bench', key: 'bench', form: 'code=BTC&quantity=1' };

/**
 * Runs `work` with form posts to a bare server, the comparison for every figure over HTTP. The goals were set on a
 * machine where the bare server reached 40,000/s.
 */
export function withBarePosts<Result>(
  work: (barePosts: (seconds: number) => Promise<PostLoad>) => Promise<Result>,
): Promise<Result> {
  return withServer('bare-server.ts', async (load) => {
    const barePosts = (seconds: number): Promise<PostLoad> => load(256, seconds, () => BARE_POST);
    await barePosts(1);
    return work(barePosts);
  });
}

/** Runs a server of this folder whose answers alone are needed. */
export async function withServer<Result>(
  file: keyof typeof PEER_PORTS,
  work: (load: RunLoad) => Promise<Result>,
): Promise<Result> {
  const port = PEER_PORTS[file];
  const server = fork(path.join(import.meta.dirname, file), [String(port)]);
  const ended = once(server, 'exit');
  try {
    await once(server, 'message');
    return await work((...load) => runPostLoad(port, ...load));
  } finally {
    server.kill();
    await ended;
  }
}

/** Runs a platform with customers. This process makes the load on the same two cores. */
export async function withPlatform<Result>(
  customers: { readonly count: number; readonly funds: Readonly<Record<string, string>> },
  work: (platform: BenchPlatform) => Promise<Result>,
): Promise<Result> {
  const { port, pid, stop } = await startPlatform();
  const load: RunLoad = async (...how) => {
    const before = cpuUseOf(pid);
    const ours = process.cpuUsage();
    const result = await runPostLoad(port, ...how);
    const { user, system } = process.cpuUsage(ours);
    const after = cpuUseOf(pid);
    const database = after.database - before.database;
    return {
      ...result,
      cpuMs: { server: after.all - before.all - database, database, load: (user + system) / 1_000 },
    };
  };
  try {
    const tokens: string[] = [];
    for (let n = 0; n < customers.count; n++) tokens.push(await signUp(n, customers.funds));
    const read = async <Data>(at: string): Promise<Data> =>
      ((await (await fetch(`${BASE}${at}`)).json()) as { data: Data }).data;
    return await work({ tokens, port, load, read });
  } finally {
    await stop();
  }
}

export const ratioToBare = (load: PostLoad, bare: PostLoad): string =>
  `${(acceptedPerSecond(load) / acceptedPerSecond(bare)).toFixed(2)}× a bare form post (${perSecond(acceptedPerSecond(bare))})`;

/** Compares orders with durable answers on both sides. The plain side has no auditable ledger. */
export const ratioToPlain = (load: PostLoad, plain: PostLoad): string =>
  `${(acceptedPerSecond(load) / acceptedPerSecond(plain)).toFixed(2)}× an exchange of plain rows (${perSecond(acceptedPerSecond(plain))})`;
