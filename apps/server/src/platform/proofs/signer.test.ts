import { canonicalText, type PublishedKey, signText, trustKeys, verifySignedText } from '@sathorn/proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../database/index.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing.ts';
import { announceKey, enrolKey, readKeys } from './key-store.ts';
import { keyRecordOf, rotateKey } from './rotate-key.ts';
import { ed25519Signer, type Signer } from './signer.ts';

const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
const body = canonicalText({ v: 'tick/1', px: '1' });

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

describe('keys', () => {
  const [first, second, third] = [1, 2, 3].map((n) => ed25519Signer(Buffer.alloc(32, n))) as [Signer, Signer, Signer];
  let keysTest: TestDatabase;
  let owner: Database;
  beforeAll(async () => {
    keysTest = await openTestDatabase();
    owner = openDatabase(keysTest.owner, { connections: 2 });
  });
  afterAll(async () => {
    await owner.close();
    await keysTest.close();
  });
  const published = async (): Promise<PublishedKey[]> =>
    (await readKeys(keysTest.database)).map(({ use, id, publicKeyHex, record }) => ({
      use,
      id,
      public_key: publicKeyHex,
      record,
    }));

  test('stay published, each once a use, and the app can not withdraw one', async () => {
    const { database } = keysTest;
    for (const use of ['index', 'receipt', 'index'] as const) await announceKey(owner, use, first);
    const keys = await readKeys(database);
    expect(keys.map(({ use, id }) => [use, id])).toEqual([
      ['index', first.keyId],
      ['receipt', first.keyId],
    ]);
    expect(keys[0]?.publicKeyHex).toBe(first.publicKeyHex);
    await expect(announceKey(database, 'ledger', second)).rejects.toThrow(/permission denied/);
    for (const text of ['UPDATE proofs.key SET at = now()', 'DELETE FROM proofs.key', 'TRUNCATE proofs.key']) {
      await expect(database.query({ name: text, text })).rejects.toThrow(/permission denied/);
    }
  });

  test('are not published by a start with another secret, without an announcement', async () => {
    await expect(announceKey(owner, 'receipt', second)).rejects.toThrow('was never published');
    expect(await published()).toHaveLength(2);
  });

  test('follow one another by records that readers accept, once each', async () => {
    const pinned = (await trustKeys(await published(), [])).trusted;
    await rotateKey(owner, 'receipt', first, second);
    await rotateKey(owner, 'receipt', first, second);
    await announceKey(owner, 'receipt', second);
    await expect(announceKey(owner, 'receipt', first)).rejects.toThrow('has a successor');
    await expect(rotateKey(owner, 'receipt', first, third)).rejects.toThrow('has a successor');
    await rotateKey(owner, 'receipt', second, third);

    const { trusted, refused } = await trustKeys(await published(), pinned);
    expect(refused).toEqual([]);
    expect(
      trusted
        .filter(({ use }) => use === 'receipt')
        .map(({ id }) => id)
        .sort(),
    ).toEqual([first, second, third].map(({ keyId }) => keyId).sort());
    const [, from] = (await readKeys(owner)).filter(({ use }) => use === 'receipt');
    expect(Math.abs((from?.from.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  test('have at most one successor each, whose record names exactly that key', async () => {
    const rival = keyRecordOf('receipt', first, ed25519Signer(Buffer.alloc(32, 9)), 1_000);
    await expect(enrolKey(owner, 'receipt', ed25519Signer(Buffer.alloc(32, 9)), rival)).rejects.toThrow(
      /key_successor/,
    );
    const others = keyRecordOf('index', first, second, 1_000);
    await expect(enrolKey(owner, 'index', third, others)).rejects.toThrow(/record_of_key/);
  });
});
