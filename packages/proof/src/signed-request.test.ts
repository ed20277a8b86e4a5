import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { toHex } from './hash.ts';
import { publicKeyOf, signBytes } from './signature.ts';
import { readSignedRequest, type SignedRequest, verifySignedRequest, writeSignedRequest } from './signed-request.ts';

const REQUEST: SignedRequest = {
  key: 'A'.repeat(22),
  timeMs: '1764000000000',
  nonce: 'n-000001',
  method: 'POST',
  target: '/api/coin/order/add',
  intent: 'order-0001',
  bodyHash: 'ab'.repeat(32),
};

it('is eight lines, and reads back', () => {
  const text = writeSignedRequest(REQUEST);
  expect(text).toBe(
    `request/1\n${REQUEST.key}\n1764000000000\nn-000001\nPOST\n/api/coin/order/add\norder-0001\n${REQUEST.bodyHash}`,
  );
  expect(readSignedRequest(text)).toEqual(REQUEST);
  expect(readSignedRequest(writeSignedRequest({ ...REQUEST, intent: '' }))).toEqual({ ...REQUEST, intent: '' });
});

it.each<[string, Partial<SignedRequest>]>([
  ['a nonce that brings lines of its own', { nonce: 'n-000001\nPOST' }],
  ['a short nonce', { nonce: 'n' }],
  ['a time in seconds', { timeMs: '1764000000' }],
  ['a time that is no number', { timeMs: '1764000000000.5' }],
  ['a target with a line feed', { target: '/api\n/coin' }],
  ['a target of another host', { target: 'https://other.example/api' }],
  ['another method', { method: 'PUT' }],
  ['a malformed idempotency key', { intent: 'a b c d e f' }],
  ['a hash in capitals', { bodyHash: 'AB'.repeat(32) }],
])('does not read a text with %s', (_what, change) => {
  expect(readSignedRequest(writeSignedRequest({ ...REQUEST, ...change }))).toBeUndefined();
});

it('does not read a text with a line more or less, or of another type', () => {
  const text = writeSignedRequest(REQUEST);
  for (const other of [`${text}\n`, text.slice(0, text.lastIndexOf('\n')), text.replace('request/1', 'request/2')])
    expect(readSignedRequest(other)).toBeUndefined();
});

const SEED = new Uint8Array(32).fill(7);
const PUBLIC_KEY = toHex(publicKeyOf(SEED));
const FORM = 'code=BTC&direction=up&quantity=10&duration=300';
const hashOf = (form: string) => createHash('sha256').update(form).digest('hex');
const REQUEST_TEXT = writeSignedRequest({ ...REQUEST, bodyHash: hashOf(FORM) });
const signed = (request: string) => toHex(signBytes(new TextEncoder().encode(request), SEED));
const KEPT = { request: REQUEST_TEXT, form: FORM, signature: signed(REQUEST_TEXT) };

it.each([
  ['as it was sent', KEPT, null],
  ['with another form', { ...KEPT, form: FORM.replace('up', 'down') }, 'form_differs'],
  ['with another text', { ...KEPT, request: REQUEST_TEXT.replace('0001', '0002') }, 'signature_wrong'],
  ['with another signature', { ...KEPT, signature: signed('another') }, 'signature_wrong'],
  ['with a signature that is too short', { ...KEPT, signature: KEPT.signature.slice(2) }, 'signature_wrong'],
  ['with a text that is none', { ...KEPT, request: 'request/1' }, 'text_malformed'],
])('verifies a request %s', async (_what, kept, fault) => {
  expect(await verifySignedRequest(kept, PUBLIC_KEY)).toBe(fault);
});

it('takes no other key', async () => {
  expect(await verifySignedRequest(KEPT, toHex(publicKeyOf(new Uint8Array(32).fill(8))))).toBe('signature_wrong');
});

it('is signed as docs/keys.md shows', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/keys.md'), 'utf8');
  const mac = createHmac('sha256', '07'.repeat(32)).update(REQUEST_TEXT).digest('hex');
  for (const shown of [REQUEST_TEXT, PUBLIC_KEY, KEPT.signature, mac]) expect(page).toContain(shown);
});
