import { describe, expect, it, test } from 'vitest';
import { canonicalText } from './canonical.ts';
import { toHex } from './hash.ts';
import {
  bytesOfOrdered,
  bytesToCommit,
  type Ordered,
  type OrderedRefusal,
  type ReceivedOrder,
  readOrdered,
  refuseOrdered,
  writeOrdered,
} from './ordered.ts';
import { verifyOrdered } from './verify-ordered.ts';
import { voterIdOf } from './vote.ts';

const FIELDS = { code: 'BTC', direction: 'up', duration: '60', quantity: '10' };
const ORDER: Ordered = {
  key: 'ab'.repeat(16),
  call: 'POST /coin/order/add',
  intent: '0d1f5b3f-3a5e-4a41-9d7e-7c9f8ab02a10',
  fields: FIELDS,
  atMs: 1_764_000_000_000,
};
const RECEIVED: ReceivedOrder = {
  customer: '1234567890',
  keyOwner: '1234567890',
  call: ORDER.call,
  intent: ORDER.intent,
  fields: FIELDS,
};

test('the text has its members in order, and is read back', () => {
  const body = writeOrdered(ORDER);
  expect(body).toBe(
    `{"at":"1764000000000","call":"POST /coin/order/add","fields":{"code":"BTC","direction":"up","duration":"60","quantity":"10"},"intent":"0d1f5b3f-3a5e-4a41-9d7e-7c9f8ab02a10","key":"${'ab'.repeat(16)}","v":"ordered/1"}`,
  );
  expect(readOrdered(body)).toEqual(ORDER);
});

test.each<[string, string]>([
  ['no JSON', 'yes'],
  ['another type', writeOrdered(ORDER).replace('ordered/1', 'ordered/2')],
  ['one more member', writeOrdered(ORDER).replace('{', '{"a":"",')],
  ['a blank', writeOrdered(ORDER).replace(':', ': ')],
  ['a list of fields', writeOrdered({ ...ORDER, fields: [] as never })],
  ['a field that is no text', writeOrdered({ ...ORDER, fields: { code: true } as never })],
  ['a short commitment', writeOrdered({ ...ORDER, fields: 'ab' })],
  ['another key', writeOrdered({ ...ORDER, key: 'AB'.repeat(16) })],
  ['a call that only reads', writeOrdered({ ...ORDER, call: 'GET /coin/order/add' })],
  ['an intent with a dot', writeOrdered({ ...ORDER, intent: 'derived.abc' })],
  ['no time', writeOrdered({ ...ORDER, atMs: 0 })],
])('a text with %s is not read', (_what, body) => {
  expect(readOrdered(body)).toBeUndefined();
});

const refusals: readonly [OrderedRefusal | null, Ordered | undefined, Partial<ReceivedOrder>, boolean][] = [
  ['text_malformed', undefined, {}, true],
  ['key_unknown', ORDER, { keyOwner: null }, true],
  ['key_of_another', ORDER, { keyOwner: '1234567891' }, true],
  ['call_differs', ORDER, { call: 'POST /coin/trans/add' }, true],
  ['intent_differs', ORDER, { intent: '0d1f5b3f-3a5e-4a41-9d7e-7c9f8ab02a11' }, true],
  ['fields_differ', ORDER, { fields: { ...FIELDS, quantity: '1000' } }, true],
  ['fields_differ', ORDER, { fields: { ...FIELDS, nonce: 'x' } }, true],
  ['fields_differ', { ...ORDER, fields: 'ab'.repeat(32) }, {}, true],
  ['signature_wrong', ORDER, {}, false],
  [null, ORDER, {}, true],
  [null, { ...ORDER, fields: 'ab'.repeat(32) }, { fields: 'ab'.repeat(32) }, true],
];
test.each(refusals)('refuses in this order: %s', (refusal, ordered, received, isSigned) => {
  expect(refuseOrdered(ordered, { ...RECEIVED, ...received }, () => isSigned)).toBe(refusal);
});

test('a commitment depends on its salt and on every field', () => {
  const bytes = (salt: string, fields: Record<string, string>) => toHex(bytesToCommit(salt, fields));
  const one = bytes('00', { number: '1', bank: 'SCB' });
  expect(bytes('00', { bank: 'SCB', number: '1' })).toBe(one);
  expect(bytes('01', { number: '1', bank: 'SCB' })).not.toBe(one);
  expect(bytes('00', { number: '2', bank: 'SCB' })).not.toBe(one);
});

describe('a signature', () => {
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  async function device() {
    const { privateKey, publicKey } = await crypto.subtle.generateKey(curve, false, ['sign', 'verify']);
    const key = toHex(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
    const sign = async (body: string) => {
      const signed = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytesOfOrdered(body));
      return { body, signature: toHex(new Uint8Array(signed)) };
    };
    return {
      key,
      sign,
      order: (over: Partial<Ordered> = {}) => writeOrdered({ ...ORDER, key: voterIdOf(key), ...over }),
    };
  }

  it('is verified with the key that the text names, and with no other', async () => {
    const [phone, laptop] = [await device(), await device()];
    const signed = await phone.sign(phone.order());
    expect(await verifyOrdered(signed, phone.key)).toBeNull();
    expect(await verifyOrdered(signed, laptop.key)).toBe('key_differs');
    expect(await verifyOrdered(await laptop.sign(signed.body), phone.key)).toBe('signature_wrong');
    const changed = { ...signed, body: phone.order({ intent: 'another-intent' }) };
    expect(await verifyOrdered(changed, phone.key)).toBe('signature_wrong');
    expect(await verifyOrdered({ ...signed, body: canonicalText({ v: 'ordered/1' }) }, phone.key)).toBe(
      'text_malformed',
    );
    expect(await verifyOrdered({ ...signed, signature: '0'.repeat(128) }, phone.key)).toBe('signature_wrong');
    expect(await verifyOrdered({ ...signed, signature: '' }, phone.key)).toBe('signature_wrong');
  });
});
