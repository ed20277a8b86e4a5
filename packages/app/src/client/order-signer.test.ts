import { addPayee, buyOption, quoteWithdrawal, requestWithdrawal } from '@sathorn/api';
import { afterEach, expect, test, vi } from 'vitest';
import { callServer } from './call-server.ts';
import { encodeForm } from './encode-form.ts';
import { type OrderToSign, signOrdersWith } from './order-signer.ts';

const ORDER = { code: 'BTC', direction: 'up', quantity: '100', duration: '60' } as const;
const WITHDRAWAL = { channel: 'bank', target: 'payee', amount: '20', paypass: '493027', otp: '123456' };

const fetch = vi.fn(
  async (_url: string, _init: RequestInit) => new Response('{"ret":0,"msg":"","data":{"code":"no"}}'),
);
vi.stubGlobal('fetch', fetch);
const headerOfLast = () => (fetch.mock.calls.at(-1)?.[1].headers as Record<string, string> | undefined)?.Ordered;
const answered = vi.fn();
const signed: OrderToSign[] = [];
const sign = async (order: OrderToSign) => {
  signed.push(order);
  return `signed ${order.intent}`;
};
afterEach(() => {
  signed.length = 0;
  answered.mockReset();
  vi.useRealTimers();
});

test('an order carries the signature over what is sent', async () => {
  signOrdersWith(async () => ({ sign, answered }));
  await callServer(requestWithdrawal, WITHDRAWAL, { idempotencyKey: 'intent-1' });
  expect(headerOfLast()).toBe('signed intent-1');
  expect(signed).toEqual([
    { call: 'POST /users/extract', intent: 'intent-1', form: encodeForm(WITHDRAWAL), isHidden: false },
  ]);
  await vi.waitFor(() => expect(answered).toHaveBeenCalledWith(signed[0], expect.objectContaining({ code: 'no' })));
  await callServer(addPayee, { type: 'card', number: '1', paypass: '493027' }, { idempotencyKey: 'intent-2' });
  expect(signed[1]).toMatchObject({ call: 'POST /users/bank/add', isHidden: true });
});

test('other calls are not signed, and an order without a key of its own neither', async () => {
  signOrdersWith(async () => ({ sign, answered }));
  await callServer(quoteWithdrawal, { channel: 'bank', target: 'payee', amount: '20' }, { idempotencyKey: 'intent-3' });
  await callServer(buyOption, ORDER);
  expect(headerOfLast()).toBeUndefined();
  expect(signed).toEqual([]);
});

test.each([
  ['this device has no key', async () => null],
  ['the signature fails', async () => Promise.reject(new Error('no key'))],
])('the order goes out unsigned if %s', async (_why, failing) => {
  signOrdersWith(async () => ({ sign: failing, answered }));
  expect(await callServer(buyOption, ORDER, { idempotencyKey: 'intent-4' })).toMatchObject({ code: 'no' });
  expect(headerOfLast()).toBeUndefined();
});

test('an order does not wait for a storage that hangs', async () => {
  vi.useFakeTimers();
  signOrdersWith(() => new Promise(() => undefined));
  const calls = fetch.mock.calls.length;
  const sending = callServer(buyOption, ORDER, { idempotencyKey: 'intent-5' });
  await vi.advanceTimersByTimeAsync(1_000);
  await sending;
  expect(fetch.mock.calls).toHaveLength(calls + 1);
  expect(headerOfLast()).toBeUndefined();
});
