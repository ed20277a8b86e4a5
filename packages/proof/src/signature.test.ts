import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { canonicalText } from './canonical.ts';
import { fromHex, sha256, toHex, utf8Bytes } from './hash.ts';
import { bytesToSign, hashOfBody, keyIdOf, type SignedText, signText, verifySignedText } from './signature.ts';
import { signedTextVectors } from './testing-vectors-more.ts';

// RFC 8032, 7.1, test 1.
const seed = fromHex('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 32) as Uint8Array;
const publicKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const otherKey = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c';
const signed = signText(canonicalText({ v: 'tick/1', px: '23144780000', seq: '7' }), seed);

// All engines must agree even on keys and signatures that only a malicious key holder would make.
const oddTexts = await signedTextVectors();

afterEach(() => vi.unstubAllGlobals());

const engines = [
  ['WebCrypto', () => {}],
  ['plain JavaScript', () => vi.stubGlobal('crypto', {})],
  [
    'a WebCrypto without Ed25519',
    () => vi.stubGlobal('crypto', { subtle: { importKey: () => Promise.reject(new Error('unsupported')) } }),
  ],
] as const;

describe.each(engines)('with %s', (_, prepare) => {
  test('a signed text verifies', async () => {
    prepare();
    expect(await verifySignedText(signed, publicKey)).toBeNull();
  });

  test('a text with any one changed bit does not verify', async () => {
    prepare();
    const body = [...utf8Bytes(signed.body).keys()];
    for (const at of body) {
      const bytes = utf8Bytes(signed.body);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      const changed = new TextDecoder().decode(bytes);
      expect(await verifySignedText({ ...signed, body: changed }, publicKey)).toMatch(/body_malformed|hash_differs/);
    }
    const flip = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1);
    expect(await verifySignedText({ ...signed, hash: flip(signed.hash) }, publicKey)).toBe('hash_differs');
    expect(await verifySignedText({ ...signed, signature: flip(signed.signature) }, publicKey)).toBe('signature_wrong');
    expect(await verifySignedText({ ...signed, signature: signed.signature.toUpperCase() }, publicKey)).toBe(
      'signature_wrong',
    );
    expect(await verifySignedText(signed, otherKey)).toBe('key_differs');
    expect(await verifySignedText({ ...signed, key: keyIdOf(otherKey) }, otherKey)).toBe('signature_wrong');
  });

  test.each(oddTexts)('$name: $ok', async ({ text, public_key, ok }) => {
    prepare();
    expect((await verifySignedText(text, public_key)) === null).toBe(ok);
  });

  test('a body changed together with its hash does not verify', async () => {
    prepare();
    const body = signed.body.replace('23144', '23145');
    const forged: SignedText = { ...signed, body, hash: hashOfBody(body) };
    expect(await verifySignedText(forged, publicKey)).toBe('signature_wrong');
  });
});

test('the key id follows from the key, and the hash from type and body', () => {
  expect(signed.key).toBe(toHex(sha256(fromHex(publicKey, 32) as Uint8Array)).slice(0, 16));
  expect(signed.hash).toBe(toHex(sha256(utf8Bytes(`tick/1\n${signed.body}`))));
});

test.each([['"text"'], ['{"a":"b"}'], ['{"v":"Tick"}'], ['{"v":["tick/1"]}'], ['{"v": "tick/1"}']])(
  '%s cannot be signed',
  (body) => {
    expect(bytesToSign(body)).toBeUndefined();
    expect(() => signText(body, seed)).toThrow(TypeError);
  },
);

test('hex has one spelling and converts back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      expect(fromHex(toHex(bytes), bytes.length)).toEqual(bytes);
    }),
  );
  for (const text of ['AB', '0g', '0', ' 1', '0x']) expect(fromHex(text, 1)).toBeUndefined();
});
