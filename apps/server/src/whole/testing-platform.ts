import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Call } from '@sathorn/api';
import { findViolations } from '../checker/checker/index.ts';
import { connectionUrlOf } from '../platform/database/index.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing.ts';
import { judgeAnswer } from '../platform/edge/testing-document.ts';
import { readConfig } from '../process/config.ts';
import { type Platform, startPlatform } from '../process/start-platform.ts';

/** Faults that a busy machine causes by delaying ticks. The benchmark measures the delay. */
const LATE = /from the database's clock|the index published \d+ s late/;

export type TestForm = Readonly<Record<string, string>>;

export interface Envelope {
  readonly ret: number;
  readonly msg: string;
  // The answer's data; only tests access it without a schema.
  readonly data: Record<string, unknown> & { code?: string; fields?: Record<string, string> };
}

export interface TestPlatform {
  readonly url: string;
  readonly test: TestDatabase;
  readonly dataDir: string;
  /** The reported faults, except those about late ticks. */
  readonly faults: unknown[];
  /** Makes a call, given as an entry of the table or as `POST /users/login`, with a form or a raw body. */
  send(
    call: Pick<Call, 'method' | 'path'> | string,
    fields?: TestForm | FormData | string,
    headers?: TestForm,
  ): Promise<{ status: number; answer: Envelope }>;
  /** Signs in from a device with that name and returns the token. */
  signIn(person: { readonly username: string; readonly password: string }, device?: string): Promise<string>;
  /** Throws if the checker finds a violation. */
  close(): Promise<void>;
}

/**
 * Opens the whole server over HTTP, once its index has a price: on its own database, or as another process beside an
 * open one.
 */
export async function openTestPlatform(env: TestForm, beside?: TestPlatform): Promise<TestPlatform> {
  const test = beside?.test ?? (await openTestDatabase());
  const dataDir = beside?.dataDir ?? env.DATA_DIR ?? mkdtempSync(path.join(tmpdir(), 'sathorn-platform-'));
  const faults: unknown[] = [];
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: connectionUrlOf(test.owner),
    RATE_LIMIT: '1000000',
    // Runs everything in one process, whose reported faults the test can read.
    PROCESSES: '1',
    // Tests that need a node and a signer enable it.
    CHAIN: 'off',
    PUBLIC_LOG: '0',
    ...env,
  });
  const platform: Platform = await startPlatform(config, {
    print: () => undefined,
    report: (error) => void (LATE.test(String(error)) || faults.push(error)),
  });
  // Waits until the index has published.
  while ((await fetch(`${platform.url}/api/health`)).status !== 200) await setTimeout(10);

  const send: TestPlatform['send'] = async (call, fields = {}, headers = {}) => {
    const route = typeof call === 'string' ? call : `${call.method} ${call.path}`;
    const [method = '', at = ''] = route.split(' ');
    const isFile = fields instanceof FormData;
    const form = isFile ? '' : typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
    const base = `${platform.url}${at.startsWith('/demo/') ? '' : '/api'}${at}`;
    const response = await fetch(method === 'GET' && form ? `${base}?${form}` : base, {
      method,
      headers: {
        lang: 'en',
        'x-requested-with': 'XMLHttpRequest',
        ...(method === 'POST' && !isFile && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(method === 'POST' && { body: isFile ? fields : form }),
    });
    const answer = (await response.json()) as Envelope;
    const fault = response.status === 200 ? judgeAnswer(route, answer) : null;
    if (fault !== null) throw new Error(`${route} answers what its description does not allow: ${fault}`);
    return { status: response.status, answer };
  };

  return {
    url: platform.url,
    test,
    dataDir,
    faults,
    send,
    async signIn({ username, password }, device = 'a test') {
      const { answer } = await send('POST /users/login', { username, password }, { 'user-agent': device });
      if (answer.ret !== 1) throw new Error(`sign-in was refused: ${answer.msg}`);
      return String(answer.data.token);
    },
    async close() {
      await platform.stop();
      if (beside !== undefined) return;
      const violations = await findViolations(test.checker);
      await test.close();
      rmSync(dataDir, { recursive: true, force: true });
      if (violations.length > 0) throw new Error(`violations: ${JSON.stringify(violations)}`);
    },
  };
}

/** Does what a test backdates while this process's checkers stand still, which would otherwise find it. */
export async function unseenByChecker<Result>(work: () => Promise<Result>): Promise<Result> {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  const checkers = processes.flatMap((line) => {
    const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === process.pid && /checker\/checker\/main\.ts/.test(args) ? [Number(pid)] : [];
  });
  if (checkers.length === 0) throw new Error('this process has no checker');
  for (const pid of checkers) process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    for (const pid of checkers) process.kill(pid, 'SIGCONT');
  }
}
