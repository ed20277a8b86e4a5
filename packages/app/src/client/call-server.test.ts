import { buyOption, CALLS, readUser } from '@sathorn/api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginSession, endSession, useSession } from '../session/session.ts';
import { failureText } from './answer.ts';
import { callServer, KEPT, readAnswer } from './call-server.ts';

const user = { id: '1' } as never;
beforeEach(() => beginSession('token-1', user));
afterEach(() => {
  endSession();
  vi.unstubAllGlobals();
});

function answerWith(status: number, body: unknown) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response(JSON.stringify(body), { status }));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

const order = { code: 'BTC', direction: 'up', quantity: '100', duration: '60' } as const;

test('sends a form with the headers of the specification and the idempotency key', async () => {
  const fetch = answerWith(200, { ret: 0, msg: 'no', data: { code: 'exceeds_balance' } });
  const answer = await callServer(buyOption, order, { idempotencyKey: 'intent-1' });
  const [url, init] = fetch.mock.calls[0] ?? [];
  expect(url).toBe('/api/coin/order/add');
  expect(init?.body).toBe('code=BTC&direction=up&quantity=100&duration=60');
  expect(init?.headers).toMatchObject({
    token: 'token-1',
    lang: 'th',
    presentation: expect.stringMatching(/^digits=latin;calendar=buddhist;zone=./),
    'X-Requested-With': 'XMLHttpRequest',
    'Idempotency-Key': 'intent-1',
  });
  expect(answer).toMatchObject({ ok: false, code: 'exceeds_balance', message: 'no', isAnswered: true });
});

test('answers that are kept for a device without a connection are of calls that everybody may make', () => {
  const open = Object.values(CALLS).flatMap(({ who, path }) => (who === 'anyone' ? path : []));
  expect([...KEPT].filter((path) => !open.includes(path))).toEqual([]);
});

test('reports each faulty field', async () => {
  answerWith(200, { ret: 0, msg: 'bad', data: { code: 'malformed_request', fields: { quantity: 'not an amount' } } });
  expect(await callServer(buyOption, order)).toMatchObject({ fields: { quantity: 'not an amount' } });
});

test('S4.4 ret −1 clears the token and keeps the sentence', async () => {
  answerWith(200, { ret: -1, msg: 'sign in again', data: { code: 'session_required' } });
  expect(await callServer(readUser, {})).toMatchObject({ code: 'session_required' });
  expect(useSession.getState()).toMatchObject({ token: null, endedBy: 'sign in again' });
});

test('an answer to an old session does not end a newer one', () => {
  readAnswer(readUser, 200, '{"ret":-1,"msg":"old","data":{"code":"session_required"}}', 'token-0');
  expect(useSession.getState().token).toBe('token-1');
});

test.each([404, 500, 503])('HTTP %i is a fault with its own text', async (status) => {
  answerWith(status, { ret: 0, msg: 'internal details', data: {} });
  const answer = await callServer(readUser, {});
  expect(answer).toMatchObject({ ok: false, code: 'http', status, message: null });
  if (answer.ok) return;
  const has = (key: string): key is never => key === `http.${status}`;
  expect(failureText(answer, { t: (key) => key, has })).toBe(`http.${status}`);
});

test('reports a server that cannot be reached, and one with another protocol', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  expect(await callServer(readUser, {})).toMatchObject({ code: 'REQUEST_ERROR', isAnswered: false });
  expect(readAnswer(readUser, 200, '<html>')).toMatchObject({ code: 'UNKNOWN_ERROR' });
});

test('a result that does not match its schema is a fault, not an empty value', () => {
  const silence = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(readAnswer(readUser, 200, '{"ret":1,"msg":"","data":{"balance":"abc"}}')).toMatchObject({
    ok: false,
    code: 'UNKNOWN_ERROR',
  });
  silence.mockRestore();
});
