import { canonical, signText, verifySignedText } from '@sathorn/proof';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../database/index.ts';
import { testDatabase } from '../database/testing.ts';
import { announceKey, readKeys } from './key-store.ts';
import { ed25519Signer } from './signer.ts';

const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
const body = canonical({ v: 'tick/1', px: '1' });

describe('ed25519Signer', () => {
  const signer = ed25519Signer(seed);

  test('has the public key of RFC 8032 and signs as the pure implementation does', async () => {
    expect(signer.publicKeyHex).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
    expect(signer.sign(body)).toEqual(signText(body, seed));
    expect(signer.sign(body)).toEqual(signer.sign(body));
    expect(await verifySignedText(signer.sign(body), signer.publicKeyHex)).toBeNull();
  });

  test('refuses a short seed and a body that is not canonical', () => {
    expect(() => ed25519Signer(seed.subarray(1))).toThrow(RangeError);
    expect(() => signer.sign('{"v": "tick/1"}')).toThrow(TypeError);
    expect(() => signer.sign('{"px":"1"}')).toThrow(TypeError);
  });
});

test('keys stay published, each once a use, and the app can not withdraw one', async () => {
  const { database, ...test } = await testDatabase();
  const owner = openDatabase(test.owner, { connections: 1 });
  try {
    const [first, second] = [ed25519Signer(seed), ed25519Signer(Buffer.alloc(32, 1))];
    for (const signer of [first, second, first]) await announceKey(owner, 'index', signer);
    await announceKey(owner, 'receipt', first);
    const keys = await readKeys(database);
    expect(keys.map(({ use, id }) => [use, id])).toEqual([
      ['index', first.keyId],
      ['index', second.keyId],
      ['receipt', first.keyId],
    ]);
    expect(keys[0]?.publicKeyHex).toBe(first.publicKeyHex);
    await expect(announceKey(database, 'index', ed25519Signer(Buffer.alloc(32, 9)))).rejects.toThrow(
      /permission denied/,
    );
    for (const text of ['UPDATE proofs.key SET at = now()', 'DELETE FROM proofs.key', 'TRUNCATE proofs.key']) {
      await expect(database.query({ name: text, text })).rejects.toThrow(/permission denied/);
    }
  } finally {
    await owner.close();
    await test.close();
  }
});
