import { randomUUID } from 'node:crypto';
import { CALLS, type Call, OPERATOR_ROLES, type OperatorRole } from '@sathorn/api';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { signInDemoOperator } from './testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from './testing-platform.ts';

const PERSON_OF: Readonly<Record<OperatorRole, string>> = {
  support: 'mai',
  compliance: 'ploy',
  finance: 'korn',
  content: 'bua',
  admin: 'arun',
};
const UUID = '00000000-0000-4000-8000-000000000000';
const NAMES = /^(?:id|.*_id|customer|freeze|session|approval|step_up|challenge)$/;
/** Values to try for each field until its schema accepts one. The customer's id is used if an id is needed. */
const samples = (customer: string): string[] => [
  customer,
  UUID,
  'ab'.repeat(32),
  `0x${'ab'.repeat(32)}`,
  'ab'.repeat(16),
  `04${'ab'.repeat(64)}`,
  '1',
  'yes',
  'email',
  'trading',
  'holding',
  'support',
  'certification',
  'customer_asked',
  'picture_blurry',
  'document_forged',
  'payee_name_differs',
  'not_arrived',
  'approval.approve',
  'primary',
  'front',
  'notice',
  'review',
  'USDT',
  'true',
  new Date(Date.now() + 3_600_000).toISOString(),
  'A'.repeat(43),
  'A'.repeat(16),
  'a text of somebody',
  'goodwill',
  'charged_twice',
  'journal',
  'lockup',
  'product',
  'option',
  'banner',
  'recomputed_same',
  'switch',
  'seen',
  'th',
  'notice',
  'credit',
  'prices',
  'tron',
  'add',
  '{}',
];

/** Fields whose values depend on each other. */
const TOGETHER: Readonly<Record<string, TestForm>> = { '/admin/pauses/start': { kind: 'coin', subject: 'BTC' } };

/** A request that the call's schema accepts, so that only the caller can be the reason of a refusal. */
function requestOf(call: Call, customer: string): TestForm {
  const entries =
    'entries' in call.request ? Object.entries(call.request.entries as Record<string, v.GenericSchema>) : [];
  const fields: Record<string, string> = {};
  for (const [name, schema] of entries) {
    if (v.safeParse(schema, undefined).success && !NAMES.test(name)) continue;
    const taken = samples(customer).find((sample) => v.safeParse(schema, sample).success);
    if (taken !== undefined) fields[name] = taken;
  }
  return { ...fields, ...TOGETHER[call.path] };
}

/** These calls would end or change the caller's own session, and with it the later calls. */
const OWN_SESSION = new Set(['logoutOperator']);
const OPERATOR_CALLS = Object.entries(CALLS).filter(([name, { who }]) => who === 'operator' && !OWN_SESSION.has(name));

describe('every call of operators, made by every kind of caller', () => {
  let platform: TestPlatform;
  let customerToken = '';
  let customer = '';
  const tokens = {} as Record<OperatorRole, string>;
  /** Values that a refused caller must neither see nor change. */
  let secrets: string[];

  const ask = (call: Call, token: string) =>
    platform.send(call, call.takesFile ? new FormData() : requestOf(call, customer), {
      ...(token && { token }),
      'idempotency-key': randomUUID(),
    });
  /** All rows of all tables except those that every request changes: sessions' last use, limits and the log. */
  const everything = async (): Promise<string> => {
    const tables = await platform.test.database.query<{ name: string }>({
      name: '',
      text: `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE c.relkind = 'r' AND n.nspname IN ('operators', 'customers', 'certifications', 'payees', 'withdrawals', 'deposits')
               AND c.relname NOT IN ('session', 'attempt', 'allowance', 'entry', 'note', 'log_head', 'challenge', 'scan', 'head', 'watcher', 'chain_head')
               AND has_table_privilege(c.oid, 'SELECT') ORDER BY 1`,
    });
    const texts = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await platform.test.database.query<{ digest: string }>({
          name: '',
          text: `SELECT coalesce(md5(string_agg(r::text, E'\\n' ORDER BY r::text)), '') AS digest FROM ${name} r`,
        });
        return `${name} ${rows[0]?.digest}`;
      }),
    );
    return texts.join('\n');
  };

  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index', CHAIN: 'off' });
    customerToken = await platform.signIn(DEMO_CUSTOMER);
    const { answer } = await platform.send('GET /users/info', {}, { token: customerToken });
    customer = String(answer.data.id);
    secrets = ['nicha@demo.example', customerToken, 'ณิชา'];
    for (const role of OPERATOR_ROLES) tokens[role] = (await signInDemoOperator(platform, PERSON_OF[role])).token;
  });
  afterAll(async () => {
    await platform.close();
  });

  it('has a request that its schema accepts, for each call', () => {
    for (const [name, call] of OPERATOR_CALLS) {
      const parsed = v.safeParse(call.request, requestOf(call, customer));
      expect(parsed.issues?.map(({ message, path }) => `${path?.[0]?.key}: ${message}`) ?? [], name).toEqual([]);
    }
  });

  it('is refused to a stranger and to a customer, with or without the right names', async () => {
    const before = await everything();
    for (const [name, call] of OPERATOR_CALLS)
      for (const token of ['', customerToken, `op_${'A'.repeat(43)}`]) {
        const { answer } = await ask(call, token);
        expect([name, answer.ret], name).toEqual([name, -1]);
        for (const secret of secrets) expect(JSON.stringify(answer), name).not.toContain(secret);
      }
    expect(await everything()).toBe(before);
  });

  it('is refused to every role that it does not name, with a line in the log, and nothing changes', async () => {
    const before = await everything();
    const refused: string[] = [];
    for (const [name, call] of OPERATOR_CALLS)
      for (const role of OPERATOR_ROLES) {
        if (call.roles.includes(role)) continue;
        const { answer } = await ask(call, tokens[role]);
        expect([name, role, answer.ret, answer.data.code]).toEqual([name, role, 0, 'role_missing']);
        for (const secret of secrets) expect(JSON.stringify(answer), name).not.toContain(secret);
        refused.push(`${call.method} ${call.path}`);
      }
    expect(await everything()).toBe(before);
    const logged = await platform.test.database.query<{ subject: string }>({
      name: '',
      text: `SELECT subject FROM operators.entry WHERE what = 'call.refused' ORDER BY n`,
    });
    expect(logged.map(({ subject }) => subject).slice(-refused.length)).toEqual(refused);
  });

  it('shows nobody an unmasked contact, and treats an unknown id as unknown for the roles that it names', async () => {
    for (const [name, call] of OPERATOR_CALLS) {
      for (const role of call.roles) {
        const { status, answer } = await ask(call, tokens[role]);
        expect([200, 501], `${name} ${role}`).toContain(status);
        expect(answer.ret, `${name} ${role}`).not.toBe(-1);
        if (name !== 'unmaskField')
          expect(JSON.stringify(answer), `${name} ${role}`).not.toContain('nicha@demo.example');
      }
    }
  });

  it('opens no call of a customer to any operator', async () => {
    for (const [name, call] of Object.entries(CALLS)) {
      if (call.who !== 'customer') continue;
      for (const role of OPERATOR_ROLES) {
        const { answer } = await platform.send(call, call.takesFile ? new FormData() : {}, { token: tokens[role] });
        expect([name, role, answer.ret]).toEqual([name, role, -1]);
      }
    }
  });
});
