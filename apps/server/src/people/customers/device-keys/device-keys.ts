import { createPublicKey, hash, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import type { SignedOrder } from '@sathorn/api';
import { bytesOfOrdered, bytesToCommit, type OrderedFields, readOrdered, refuseOrdered } from '@sathorn/proof';
import { refuse } from '@sathorn/settlement';
import type { TakeOrdered } from '../../../platform/edge/index.ts';
import { RecentMap } from '../../../platform/recent-map.ts';
import type { CustomersModule } from '../customers.ts';
import type { KeyedHash } from '../keyed-hash.ts';
import {
  type DeviceKeyRow,
  findDeviceKey,
  keepOrdered,
  listDeviceKeyRows,
  type SignedRow,
} from './device-key-store.ts';

/** Active keys per customer. */
export const DEVICE_KEYS_MAX = 20;
/** Keys never change, so they stay in memory; the database knows which are revoked. */
const CACHED_MAX = 10_000;

/** The SPKI header that precedes the 65 bytes of a point of P-256. */
const SPKI_PREFIX = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

/** Null for bytes that are no point of the curve. */
export function readPoint(point: Buffer): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, point]), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

/** Somebody who can write rows but lacks this digest's key can't register a key, nor give one to another customer. */
export const deviceKeyMac = (keyedHash: KeyedHash, customer: bigint, publicKey: Buffer): Buffer =>
  keyedHash('device.signs', `${customer}`, publicKey.toString('hex'));

export const deviceKeyIdOf = (publicKey: Buffer): string => hash('sha256', publicKey, 'hex').slice(0, 32);

type Keys = Pick<CustomersModule, 'database' | 'keyedHash'>;

const isOwn = (keyedHash: KeyedHash, { customer, public_key, mac }: DeviceKeyRow): boolean =>
  timingSafeEqual(mac, deviceKeyMac(keyedHash, customer, public_key));

/** All keys that the customer ever registered. */
export async function listOwnDeviceKeys({ database, keyedHash }: Keys, customer: bigint): Promise<DeviceKeyRow[]> {
  return (await listDeviceKeyRows(database, customer)).filter((row) => isOwn(keyedHash, row));
}

/** The signature of a record as an answer has it. `keys` are all of its customer. */
export function signedView({ key: id, body, signature }: SignedRow, keys: readonly DeviceKeyRow[]): SignedOrder {
  const key = keys.find((one) => one.id === id);
  if (key === undefined) throw new Error(`no device key ${id}`);
  return { key: id, public_key: key.public_key.toString('hex'), body, signature: signature.toString('hex') };
}

const HEADER = /^([A-Za-z0-9_-]{1,5000})\.([0-9a-f]{128})(?:\.([0-9a-f]{32}))?$/;

/** Verifies what a device signed, and stores it before the order is carried out. */
export function openOrderSignatures({ database, keyedHash }: Keys): TakeOrdered {
  const known = new RecentMap<string, { readonly owner: string; readonly key: KeyObject }>(CACHED_MAX);
  const keyOf = async (id: string) => {
    const cached = known.get(id);
    if (cached !== undefined) return cached;
    const row = await findDeviceKey(database, id);
    const key = row && isOwn(keyedHash, row) ? readPoint(row.public_key) : null;
    if (row === null || key === null) return null;
    const found = { owner: `${row.customer}`, key };
    known.set(id, found);
    return found;
  };

  return async (header, { customer, call, key: intentKey, intent, fields, isHidden }, now) => {
    const [, text = '', signature = '', salt = ''] = HEADER.exec(header) ?? [];
    const body = Buffer.from(text, 'base64url').toString();
    const ordered = readOrdered(body);
    const key = ordered === undefined ? null : await keyOf(ordered.key);
    const commitment = isHidden ? commitmentOf(salt, fields) : null;
    const refusal = refuseOrdered(
      ordered,
      {
        customer: `${customer}`,
        keyOwner: key?.owner ?? null,
        call,
        intent: intentKey ?? '',
        fields: commitment ?? fields,
      },
      () =>
        key !== null &&
        verify(
          'sha256',
          bytesOfOrdered(body),
          { key: key.key, dsaEncoding: 'ieee-p1363' },
          Buffer.from(signature, 'hex'),
        ),
    );
    if (refusal === 'key_unknown' || refusal === 'key_of_another') return refuse('device_key_unknown');
    if (refusal !== null || ordered === undefined) return refuse('order_signature_wrong');
    const row = {
      intent: intent.id,
      // A digest of private fields could be guessed.
      digest: commitment ?? intent.digest,
      customer,
      key: ordered.key,
      body,
      signature: Buffer.from(signature, 'hex'),
    };
    return (await keepOrdered(database, row, now)) ? null : refuse('device_key_unknown');
  };
}

const commitmentOf = (salt: string, fields: OrderedFields): string =>
  hash('sha256', bytesToCommit(salt, fields), 'hex');
