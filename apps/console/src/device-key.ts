import { sha256 } from './parts/sha256.ts';

// A key that signs this operator's votes and acts. The browser creates it and never exports its private half. So a
// stolen session, or an attacker who can write to the database, cannot vote.

const DATABASE = 'console.voting-keys';
const STORE = 'keys';
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;

interface Kept {
  readonly id: string;
  readonly key: CryptoKey;
}

const asked = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps no keys'));
  });

async function open(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'id' });
  return asked(opening);
}

async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  return (await open()).transaction(STORE, mode).objectStore(STORE);
}

const toHex = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Browsers keep keys only for pages over https and on localhost. */
export const canKeepDeviceKeys = (): boolean => isSecureContext;

/** Creates and stores a key. Returns its public half in hex. */
export async function createDeviceKey(): Promise<string> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(CURVE, false, ['sign', 'verify']);
  const point = await crypto.subtle.exportKey('raw', publicKey);
  const id = (await sha256(point)).slice(0, 32);
  await asked((await store('readwrite')).put({ id, key: privateKey } satisfies Kept));
  return toHex(point);
}

/** Returns the first of these keys that this browser has; null if it has none, as in a private window. */
async function findKey(ids: readonly string[]): Promise<Kept | null> {
  for (const id of ids) {
    const kept = (await asked((await store('readonly')).get(id)).catch(() => undefined)) as Kept | undefined;
    if (kept) return kept;
  }
  return null;
}

export const hasDeviceKey = async (ids: readonly string[]): Promise<boolean> =>
  ids.length > 0 && (await findKey(ids).catch(() => null)) !== null;

/** Signs the bytes of a vote or an act: its type, a line feed, the text. */
export async function signWithDevice(
  ids: readonly string[],
  vote: string,
): Promise<{ readonly key: string; readonly signature: string } | null> {
  const kept = await findKey(ids).catch(() => null);
  if (!kept) return null;
  const bytes = new TextEncoder().encode(`${(JSON.parse(vote) as { v: string }).v}\n${vote}`);
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, kept.key, bytes);
  return { key: kept.id, signature: toHex(signature) };
}
