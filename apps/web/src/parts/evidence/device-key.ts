import { openEvidenceDatabase } from './evidence-store.ts';

/** A key that signs what one customer orders on this device. Its private half can't be read, only used. */
export interface DeviceKey {
  /** The first 32 hex digits of the SHA-256 of the public half. */
  readonly id: string;
  /** An uncompressed point of P-256, in hex. */
  readonly publicKey: string;
  readonly privateKey: CryptoKey;
  /** Since when the platform takes it (ISO); null while the customer has yet to confirm it. */
  readonly since: string | null;
}

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const PREFIX = 'device-key:';

/** False over plain http. A private window may refuse later, when the key is stored. */
export const canKeepKeys = (): boolean => typeof indexedDB !== 'undefined' && isSecureContext;

export const toHex = (bytes: ArrayBuffer | Uint8Array): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Keys in use, so that a tap needs no storage. */
const known = new Map<string, Promise<DeviceKey | null>>();

export function readDeviceKey(customer: string): Promise<DeviceKey | null> {
  const reading = known.get(customer) ?? read(customer);
  known.set(customer, reading);
  return reading;
}

async function read(customer: string): Promise<DeviceKey | null> {
  if (!canKeepKeys()) return null;
  const kept = await openEvidenceDatabase()
    .read(PREFIX + customer)
    .catch(() => null);
  return typeof kept === 'object' && kept !== null && 'privateKey' in kept ? (kept as DeviceKey) : null;
}

/** Stores a key, or forgets it. Rejects where this browser can't keep one. */
export async function keepDeviceKey(customer: string, key: DeviceKey | null): Promise<void> {
  await openEvidenceDatabase().write(PREFIX + customer, key);
  known.set(customer, Promise.resolve(key));
}

/** Makes a key and stores it before anybody relies on it. */
export async function makeDeviceKey(customer: string): Promise<DeviceKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(CURVE, false, ['sign', 'verify']);
  const point = await crypto.subtle.exportKey('raw', publicKey);
  const id = toHex(await crypto.subtle.digest('SHA-256', point)).slice(0, 32);
  const key = { id, publicKey: toHex(point), privateKey, since: null };
  await keepDeviceKey(customer, key);
  return key;
}

export const signWithKey = async ({ privateKey }: DeviceKey, bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  toHex(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytes));
