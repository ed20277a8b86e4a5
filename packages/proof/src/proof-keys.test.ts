import { getPublicKey } from '@noble/ed25519';
import { describe, expect, it } from 'vitest';
import { toHex } from './hash.ts';
import {
  faultOfKeyRecord,
  isKeyInTime,
  KEY_OVERLAP_MS,
  type KeyUse,
  type PublishedKey,
  readKeyRecord,
  trustKeys,
  writeKeyRecord,
} from './proof-keys.ts';
import { keyIdOf, signText } from './signature.ts';

const seedOf = (n: number) => new Uint8Array(32).fill(n);
const FROM = 1_767_225_600_000;

function first(n: number, use: KeyUse = 'receipt'): PublishedKey {
  const publicKey = toHex(getPublicKey(seedOf(n)));
  return { use, id: keyIdOf(publicKey), public_key: publicKey };
}

/** Key `n` announced by key `before`, valid from the given second. The seeds in `signers` make the signatures. */
function announced(n: number, before: number, seconds: number, signers = { own: n, previous: before }): PublishedKey {
  const key = first(n);
  const body = writeKeyRecord({
    use: key.use,
    publicKey: key.public_key,
    fromMs: FROM + seconds * 1_000,
    previous: first(before).id,
  });
  return {
    ...key,
    record: {
      body,
      signature: signText(body, seedOf(signers.own)).signature,
      previous_signature: signText(body, seedOf(signers.previous)).signature,
    },
  };
}

const idsOf = (keys: readonly { id: string }[]) => keys.map(({ id }) => id).sort();
const faults = async (published: readonly PublishedKey[], pinned: readonly PublishedKey[]) => {
  const { refused } = await trustKeys(published, pinned);
  return refused.map(({ key, fault }) => [key.id, fault]);
};

describe('the record of a key', () => {
  it('is parsed, and no other text is', () => {
    const body = announced(2, 1, 0).record?.body ?? '';
    expect(readKeyRecord(body)).toMatchObject({ use: 'receipt', fromMs: FROM, previous: first(1).id });
    for (const other of [body.replace('"key/1"', '"key/2"'), body.replace('{', '{"a":"b",'), '{}', 'x'])
      expect(readKeyRecord(other)).toBeUndefined();
  });

  it('is valid only with both signatures', async () => {
    expect(await faultOfKeyRecord(announced(2, 1, 0), first(1))).toBeNull();
    expect(await faultOfKeyRecord(announced(2, 1, 0, { own: 3, previous: 1 }), first(1))).toBe('signature_wrong');
    expect(await faultOfKeyRecord(announced(2, 1, 0, { own: 2, previous: 3 }), first(1))).toBe('signature_wrong');
    expect(await faultOfKeyRecord(announced(2, 1, 0), first(3))).toBe('record_differs');
    expect(await faultOfKeyRecord(first(2), first(1))).toBe('record_malformed');
    expect(await faultOfKeyRecord({ ...announced(2, 1, 0), use: 'index' }, first(1, 'index'))).toBe('record_differs');
    expect(await faultOfKeyRecord({ ...first(3), record: announced(2, 1, 0).record }, first(1))).toBe('record_differs');
  });
});

describe('keys are trusted', () => {
  it('if they are the first seen, separately for each use', async () => {
    const { trusted, refused } = await trustKeys([first(1), first(1, 'index')], []);
    expect(trusted.map(({ use, id }) => [use, id])).toEqual([
      ['index', first(1).id],
      ['receipt', first(1).id],
    ]);
    expect(refused).toEqual([]);
  });

  it('along the chain from a pinned one, each for its own time', async () => {
    const published = [announced(3, 2, 60), first(1), announced(2, 1, 0)];
    const { trusted, refused, withdrawn } = await trustKeys(published, [first(1)]);
    expect([refused, withdrawn]).toEqual([[], []]);
    const times = new Map(trusted.map(({ id, from_ms, until_ms }) => [id, [from_ms, until_ms]]));
    expect(times).toEqual(
      new Map([
        [first(1).id, [undefined, FROM]],
        [first(2).id, [FROM, FROM + 60_000]],
        [first(3).id, [FROM + 60_000, undefined]],
      ]),
    );
  });

  it('also before the pinned one, which vouches for its predecessor', async () => {
    const { trusted } = await trustKeys([first(1), announced(2, 1, 0)], [first(2)]);
    expect(idsOf(trusted)).toEqual(idsOf([first(1), first(2)]));
  });

  it('and remain trusted after they are withdrawn', async () => {
    const { trusted, withdrawn } = await trustKeys([announced(2, 1, 0)], [first(1)]);
    expect(idsOf(trusted)).toEqual(idsOf([first(1), first(2)]));
    expect(idsOf(withdrawn)).toEqual([first(1).id]);
  });
});

describe('a key is refused', () => {
  it('that replaces the pinned one without a record, and one that is added beside it', async () => {
    expect(await faults([first(9)], [first(1)])).toEqual([[first(9).id, 'not_announced']]);
    expect(await faults([first(1), first(9)], [first(1)])).toEqual([[first(9).id, 'not_announced']]);
    expect(await faults([first(1), announced(9, 8, 0)], [first(1)])).toEqual([[first(9).id, 'not_announced']]);
  });

  it('if another key has signed its record, with all keys behind it', async () => {
    const stolen = announced(9, 1, 0, { own: 9, previous: 9 });
    expect(await faults([first(1), stolen, announced(8, 9, 1)], [first(1)])).toEqual([
      [first(9).id, 'signature_wrong'],
      [first(8).id, 'not_announced'],
    ]);
  });

  it('if two keys claim the same predecessor, unless one was pinned', async () => {
    const rivals = [first(1), announced(2, 1, 0), announced(3, 1, 5)];
    expect(await faults(rivals, [first(1)])).toEqual([
      [first(2).id, 'forked'],
      [first(3).id, 'forked'],
    ]);
    expect(await faults(rivals, [first(1), first(2)])).toEqual([[first(3).id, 'forked']]);
  });

  it('if it uses another key’s id', async () => {
    const disguised = { ...first(9), id: first(1).id };
    expect(await faults([disguised], [])).toEqual([[first(1).id, 'id_differs']]);
  });
});

it('a key is valid from its record until its successor’s, with tolerance for differing clocks', () => {
  const key = { ...first(1), from_ms: FROM, until_ms: FROM + 60_000 };
  expect(isKeyInTime(key, FROM - KEY_OVERLAP_MS)).toBe(true);
  expect(isKeyInTime(key, FROM - KEY_OVERLAP_MS - 1)).toBe(false);
  expect(isKeyInTime(key, FROM + 60_000 + KEY_OVERLAP_MS - 1)).toBe(true);
  expect(isKeyInTime(key, FROM + 60_000 + KEY_OVERLAP_MS)).toBe(false);
  expect(isKeyInTime(first(1), 0)).toBe(true);
});
