import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Call,
  fundDemo,
  type RefusedEnvelope,
  type RequestOf,
  type ResultOf,
  registerCustomer,
  sendSmsCode,
} from '@sathorn/api';
import { brand } from '@sathorn/brand/sathorn';
import pg from 'pg';
import { fundDemoHouse, openDemo } from '../../demo/demo/index.ts';
import { type Ledger, openLedger } from '../../ledger/index.ts';
import { Bus } from '../../platform/bus/index.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import type { Handler } from '../../platform/edge/handle.ts';
import { openTestEdge, TestClock } from '../../platform/edge/testing.ts';
import { type Files, openFiles } from '../../platform/files/index.ts';
import { type Messages, openMessages } from '../messages/index.ts';
import type { CustomersModule } from './customers.ts';
import {
  type Customers,
  type CustomersDependencies,
  openAccountRecords,
  openCustomers,
  openDemoOutbox,
  type ReadDailyCloses,
} from './index.ts';
import type { DemoOutbox } from './outbox/demo-outbox.ts';

/** A cheap cost, for tests that are not about password hashing. */
const QUICK_PASSWORD_COST = { memoryKiB: 64, passes: 1 };
export const ANDROID_USER_AGENT =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Mobile Safari/537.36';
export const IPHONE_USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

export interface TestCaller {
  readonly token?: string;
  readonly address?: string;
  readonly userAgent?: string;
  readonly lang?: string;
}

/** `data` if accepted; `refusal` and the whole answer if refused. */
export interface TestAnswer<Data> {
  readonly ret: number;
  readonly msg: string;
  readonly data: Data;
  readonly refusal: string | null;
  readonly fields: readonly string[];
  readonly params: Readonly<Record<string, string>>;
}

export interface SignedUpCustomer {
  readonly id: bigint;
  readonly token: string;
  readonly username: string;
  readonly phone: string;
  readonly password: string;
  readonly paypass: string;
}

export interface TestCustomers {
  readonly clock: TestClock;
  readonly bus: Bus;
  readonly customers: Customers;
  /** The module's state, as its handlers use it. */
  readonly room: CustomersModule;
  readonly ledger: Ledger;
  readonly messages: Messages;
  readonly files: Files;
  readonly test: TestDatabase;
  readonly faults: unknown[];
  readonly alarms: string[];
  readonly url: string;
  call<C extends Call>(
    call: C,
    fields: Partial<RequestOf<C>> | Record<string, string>,
    caller?: TestCaller,
  ): Promise<TestAnswer<ResultOf<C>>>;
  /** The newest code in the outbox of this contact. */
  codeFor(contact: string): Promise<string>;
  signUp(change?: Record<string, string>, caller?: TestCaller): Promise<SignedUpCustomer>;
  /** Runs SQL as the owner of the database. */
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Opens another process on the same database. */
  openAnother(change?: Partial<CustomersDependencies>): Customers & { readonly room: CustomersModule };
  close(): Promise<void>;
}

let people = 0;

/** The dependencies of modules that are opened beside the customers module. */
export interface SharedDependencies {
  readonly clock: TestClock;
  readonly database: TestDatabase['database'];
  readonly customers: Customers;
  readonly messages: Messages;
  readonly files: Files;
  readonly onFault: (error: unknown) => void;
}

const SECRETS = { pepper: Buffer.alloc(32, 1), sessionKey: Buffer.alloc(32, 2), identityKey: Buffer.alloc(32, 3) };

export async function openTestCustomers(
  change: Partial<CustomersDependencies> = {},
  openBeside: (beside: SharedDependencies) => Handler[] = () => [],
  dailyCloses: ReadDailyCloses = async () => [],
): Promise<TestCustomers> {
  const test = await openTestDatabase({ connections: 12 });
  const { database } = test;
  // Years after the database's clock, because the database's triggers date changes of factors by it.
  const clock = new TestClock('2036-11-21T08:00:00.000Z');
  const bus = new Bus();
  const faults: unknown[] = [];
  const alarms: string[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  const ledger = openLedger({ eligibility: null, database, clock, bus }).api;
  const messages = openMessages({
    database,
    bus,
    clock,
    audienceOf: async () => ({ level: 0, joinedAt: new Date(0) }),
    wording: { brandTitle: 'Sathorn', timeZone: 'Asia/Bangkok' },
    onFault,
  }).api;
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-customers-'));
  const files = openFiles({ database, dataDir, secrets: { filesKey: Buffer.alloc(32, 5) } }).api;
  const outbox: DemoOutbox = openDemoOutbox({ database, areas: ['66'] });
  const open = (own: Partial<CustomersDependencies>) =>
    openCustomers({
      database,
      clock,
      bus,
      messages,
      files,
      outbox,
      ledger,
      mode: 'demo',
      secrets: SECRETS,
      origins: ['http://localhost'],
      brand,
      passwordCost: QUICK_PASSWORD_COST,
      onFault,
      onAlarm: (alarm) => alarms.push(alarm.alarm),
      ...change,
      ...own,
    });
  const { api: customers, handlers, module: room } = open({});
  const edge = await openTestEdge({
    handlers: [
      ...handlers,
      ...openAccountRecords({ ledger, secrets: SECRETS, movements: null, dailyCloses }).handlers,
      ...openDemo({ ledger, outbox }).handlers,
      ...openBeside({ clock, database, customers, messages, files, onFault }),
    ],
    sessions: customers.sessions,
    apiKeys: customers.apiKeys,
    clock,
    bus,
    proxyHops: 1,
    limits: { requestsPerAddress: 1e9, requestsPerSession: 1e9, signInsPerAddress: 1e9 },
    report: (error) => faults.push(error),
  });

  const call: TestCustomers['call'] = async (entry, fields, caller = {}) => {
    const form = new URLSearchParams(fields as Record<string, string>);
    const isGet = entry.method === 'GET';
    const base = entry.path.startsWith('/demo/') ? edge.url : `${edge.url}/api`;
    const response = await fetch(`${base}${entry.path}${isGet ? `?${form.toString()}` : ''}`, {
      method: entry.method,
      headers: {
        lang: caller.lang ?? 'en',
        'x-requested-with': 'XMLHttpRequest',
        'user-agent': caller.userAgent ?? ANDROID_USER_AGENT,
        'x-forwarded-for': caller.address ?? '203.0.113.7',
        ...(caller.token === undefined ? {} : { token: caller.token }),
      },
      ...(isGet ? {} : { body: form }),
    });
    if (response.status !== 200) throw new Error(`${entry.path} answered ${response.status}: ${await response.text()}`);
    const body = (await response.json()) as { ret: number; msg: string; data: unknown };
    if (body.ret === undefined) return { ret: 1, msg: '', data: body as never, refusal: null, fields: [], params: {} };
    const refused = body.ret === 1 ? null : (body.data as RefusedEnvelope);
    return {
      ret: body.ret,
      msg: body.msg,
      data: body.data as never,
      refusal: refused?.code ?? null,
      fields: Object.keys(refused?.fields ?? {}),
      params: refused?.params ?? {},
    };
  };

  const codeFor = async (contact: string): Promise<string> => {
    const code = (await outbox.read(contact)).find((row) => row.code !== null)?.code;
    if (!code) throw new Error(`no code was sent to ${contact}`);
    return code;
  };

  const signUp: TestCustomers['signUp'] = async (fields = {}, caller = {}) => {
    people += 1;
    const phone = `08${String(10_000_000 + people * 7_919).slice(-8)}`;
    const wanted = { phone, username: `Kx${people}qzpt`, password: 'k7Wm2xPq', paypass: '739152', ...fields };
    await call(sendSmsCode, { userphone: wanted.phone, must: 'register' }, caller);
    const code = await codeFor(wanted.phone);
    const request = { mode: 'phone', currency: 'BAHT', invite_code: 'WELCOME', agree: 'true', code, ...wanted };
    const { refusal, data } = await call(registerCustomer, request, caller);
    if (refusal !== null) throw new Error(`sign-up was refused: ${refusal}`);
    return { ...wanted, id: BigInt(data.user.id), token: data.token };
  };

  const owner = new pg.Pool({ ...test.owner, max: 2 });
  // The database is dropped while connections are open, which is not an error here.
  owner.on('connect', (client) => client.on('error', () => undefined));
  const others: Customers[] = [];
  return {
    clock,
    bus,
    customers,
    room,
    ledger,
    messages,
    files,
    test,
    faults,
    alarms,
    url: edge.url,
    call,
    codeFor,
    signUp,
    sql: async (text, values) => (await owner.query(text, values)).rows,
    openAnother: (own = {}) => {
      const opened = open({ bus: new Bus(), ...own });
      const other = { ...opened.api, room: opened.module };
      others.push(other);
      return other;
    },
    close: async () => {
      await edge.close();
      await Promise.all([customers, ...others].map((room) => room.close()));
      await owner.end();
      await test.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Gives test money through the demo's own call, from the funded house. */
export async function giveMoney(room: TestCustomers, token: string, asset: string, amount: string): Promise<void> {
  await fundDemoHouse(room.ledger);
  const { refusal } = await room.call(fundDemo, { asset, amount }, { token, userAgent: randomUUID() });
  if (refusal !== null) throw new Error(`funding was refused: ${refusal}`);
}
