import { CALLS, type Call } from '@sathorn/api';
import * as v from 'valibot';
import { afterEach, expect, it, vi } from 'vitest';
import { ARCHIVE_PARTS } from './archive-parts.ts';
import { readPart } from './export-archive.ts';

const routeOf = ({ method, path }: Pick<Call, 'method' | 'path'>): string => `${method} ${path}`;

/** Calls of a customer that tell nothing of their own, or what another part has already. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'GET /coin/order/bid': 'a price',
  'GET /coin/order/info': 'options',
  'GET /coin/order/total': 'options',
  'GET /coin/trans/info': 'contract_orders',
  'GET /coin/wait/info': 'waiting_orders',
  'GET /coin/recur/info': 'regular_purchases',
  // Its orders are among the contract orders, and name it.
  'GET /coin/recur/runs': 'regular_purchases',
  'GET /yuebao/standing/info': 'standing_orders',
  // The archive has its subscriptions among the lock-ups and movements, and each names its instruction.
  'GET /yuebao/standing/runs': 'standing_orders',
  'POST /coin/user/amount': 'balances',
  'GET /pay/lists': 'of the platform',
  'GET /users/account/entries': 'records, and the chain file of the account details',
  'GET /users/bank/del': 'a price',
  'GET /users/extract/rate': 'of the platform',
  'GET /users/message/unread': 'notices',
  'GET /users/ordered/marks': 'ordered',
  'GET /users/phishing': 'left out',
  'GET /users/picture': 'left out',
  'GET /users/ranks': 'of the platform',
  'GET /yuebao/income': 'liquidity_interest',
  'GET /yuebao/transfer/in': 'a price',
  'GET /yuebao/transfer/out': 'a price',
};
/** Lists that are asked for with POST. */
const POSTED = /\/(?:lists|fills|message|amount)$/;

it('has a part for every call that tells a customer’s own data', () => {
  const telling = Object.values(CALLS).filter(
    ({ who, method, path }) => who === 'customer' && (method === 'GET' || POSTED.test(path)),
  );
  const taken = new Set(ARCHIVE_PARTS.map(({ route }) => route));
  expect(telling.map(routeOf).filter((route) => !taken.has(route) && ELSEWHERE[route] === undefined)).toEqual([]);
  expect(Object.keys(ELSEWHERE).filter((route) => taken.has(route))).toEqual([]);
  for (const { name, route, request, isPaged } of ARCHIVE_PARTS) {
    const call = telling.find((each) => routeOf(each) === route);
    const entries = call && 'entries' in call.request ? (call.request.entries as object) : {};
    expect([name, call !== undefined, isPaged]).toEqual([name, true, 'page' in entries]);
    expect(v.safeParse(call?.request ?? v.never(), request).success, name).toBe(true);
  }
  expect(new Set(ARCHIVE_PARTS.map(({ name }) => name)).size).toBe(ARCHIVE_PARTS.length);
});

afterEach(() => vi.unstubAllGlobals());

it('reads a part to its last page', async () => {
  const pages: Record<string, unknown> = { '': { items: [], next: 'two' }, two: { items: [], next: null } };
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
    const page = new URLSearchParams(String(body)).get('page') ?? '';
    asked.push(page);
    return new Response(JSON.stringify({ ret: 1, msg: '', data: pages[page] }));
  });
  const fills = ARCHIVE_PARTS.find(({ name }) => name === 'fills');
  if (fills === undefined) throw new Error('fills are a part');
  expect(await readPart(fills)).toEqual({ ok: true, data: { items: [] }, count: 0 });
  expect(asked).toEqual(['', 'two']);
});

it('is not saved where a part cannot be read', async () => {
  vi.stubGlobal('fetch', async () => new Response('{"ret":0,"msg":"","data":{"code":"too_busy"}}'));
  const [account] = ARCHIVE_PARTS;
  expect(account && (await readPart(account))).toMatchObject({ ok: false, code: 'too_busy' });
});
