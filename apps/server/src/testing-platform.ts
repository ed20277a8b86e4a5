import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Call } from '@sathorn/api';
import { findViolations } from './checker/index.ts';
import { readConfig } from './config.ts';
import { urlOf } from './database/index.ts';
import { type TestDatabase, testDatabase } from './database/testing.ts';
import { type Platform, startPlatform } from './start-platform.ts';

export type Form = Readonly<Record<string, string>>;

export interface Envelope {
  readonly ret: number;
  readonly msg: string;
  // A wire answer, looked into by tests only.
  readonly data: Record<string, unknown> & { code?: string; fields?: Record<string, string> };
}

export interface TestPlatform {
  readonly url: string;
  readonly test: TestDatabase;
  readonly dataDir: string;
  /** What was reported. */
  readonly faults: unknown[];
  /** A call by its entry of the table, or as `POST /users/login`; a form, or the body as it is. */
  send(
    call: Pick<Call, 'method' | 'path'> | string,
    fields?: Form | FormData | string,
    headers?: Form,
  ): Promise<{ status: number; answer: Envelope }>;
  /** The token of a new session, from a device of that name. */
  signIn(person: { readonly username: string; readonly password: string }, device?: string): Promise<string>;
  /** Throws where the checker finds anything. */
  close(): Promise<void>;
}

/**
 * The whole program over HTTP, once its index has spoken: on a database of its own, or another process of what is open.
 */
export async function openTestPlatform(env: Form, beside?: TestPlatform): Promise<TestPlatform> {
  const test = beside?.test ?? (await testDatabase());
  const dataDir = beside?.dataDir ?? mkdtempSync(path.join(tmpdir(), 'sathorn-platform-'));
  const faults: unknown[] = [];
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: urlOf(test.owner),
    RATE_LIMIT: '1000000',
    // What is reported is the test's to see.
    PROCESSES: '1',
    // A node and a signer for those who use them.
    CHAIN: 'off',
    ...env,
  });
  const platform: Platform = await startPlatform(config, {
    print: () => undefined,
    report: (error) => faults.push(error),
  });
  // Ready when the index has published; polls without a pause.
  while ((await fetch(`${platform.url}/api/health`)).status !== 200) await new Promise(setImmediate);

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
    return { status: response.status, answer: (await response.json()) as Envelope };
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
