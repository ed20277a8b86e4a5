import { createHmac, createPublicKey, hash, type KeyObject, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import type { ApiKey, KeyedOrder, KeyRefusal, KeyScope } from '@sathorn/api';
import { type IpRange, isInIpRange, readIpRange } from '@sathorn/identity';
import { readSignedRequest, writeSignedRequest } from '@sathorn/proof/signed-request';
import { decideKeyUse } from '@sathorn/settlement';
import type { Bus } from '../../../platform/bus/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { type ApiKeys, type KeyedRequest, sessionOfKey } from '../../../platform/edge/index.ts';
import { RecentMap } from '../../../platform/recent-map.ts';
import type { KeyedHash } from '../keyed-hash.ts';
import {
  type ApiKeyRow,
  type ApiOrderRow,
  addRefusals,
  findApiKey,
  keepApiOrder,
  listApiKeyRows,
  type RefusalRow,
  useApiKey,
} from './api-key-store.ts';

/** Keys per customer that may be in use at once. */
export const API_KEYS_MAX = 10;

const KEY = /^[A-Za-z0-9_-]{22}$/;
/** Longer than any form that a key may send. */
const FORM_BYTES_MAX = 4_000;
const SIGNATURES = { ed25519: /^[0-9a-f]{128}$/i, hmac: /^[0-9a-f]{64}$/i } as const;
/** The SPKI header that precedes the 32 bytes of an Ed25519 key. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A key that another process revoked is looked at again after this; the database refuses its requests at once. */
const TRUST_MS = 5_000;
const CACHED_MAX = 10_000;
const FLUSH_AFTER_MS = 1_000;
/** Rows of one key that wait for a flush. Further addresses are counted together. */
const WAITING_PER_KEY_MAX = 50;
/** The longest spelling of an IPv6 address. */
const ADDRESS_MAX = 45;

interface Dependencies {
  readonly database: Database;
  readonly keyedHash: KeyedHash;
  readonly onFault: (error: unknown) => void;
}

export const newApiKeyId = (): string => randomBytes(16).toString('base64url');

type Granted = Pick<ApiKeyRow, 'id' | 'customer' | 'name' | 'scopes' | 'addresses' | 'public_key' | 'ends_at'>;

/** Somebody who can write rows but lacks this digest's key can't make a key, nor widen or prolong one. */
export const apiKeyMac = (keyedHash: KeyedHash, key: Granted): Buffer =>
  keyedHash(
    'api_key',
    key.id,
    `${key.customer}`,
    key.name,
    key.scopes.join(','),
    key.addresses.join(','),
    key.public_key?.toString('hex') ?? '',
    `${key.ends_at.getTime()}`,
  );

export const isOwnApiKey = (keyedHash: KeyedHash, row: ApiKeyRow): boolean =>
  timingSafeEqual(row.mac, apiKeyMac(keyedHash, row));

/** The secret of a key without a public half, as its customer was shown it once. It is stored nowhere. */
export const apiKeySecret = (keyedHash: KeyedHash, { id, customer }: Pick<ApiKeyRow, 'id' | 'customer'>): string =>
  keyedHash('api_key.secret', id, `${customer}`).toString('hex');

export function viewApiKey(row: ApiKeyRow, now: Date): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scopes: [...row.scopes],
    addresses: [...row.addresses],
    signs: row.public_key === null ? 'hmac' : 'ed25519',
    created_at: row.created_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    state: row.revoked_by ?? (now >= row.ends_at ? 'ended' : 'active'),
    used_at: row.used_at?.toISOString() ?? null,
    used_address: row.used_address,
    uses: Number(row.uses),
  };
}

/** All keys that the customer ever made, newest first. */
export async function listOwnApiKeys(
  { database, keyedHash }: Omit<Dependencies, 'onFault'>,
  customer: bigint,
): Promise<ApiKeyRow[]> {
  return (await listApiKeyRows(database, customer)).filter((row) => isOwnApiKey(keyedHash, row));
}

/** The request of an order as an answer has it; null for a key that isn't one of these. */
export function keyedView(
  { key: id, request, form, signature }: ApiOrderRow,
  keys: readonly ApiKeyRow[],
): KeyedOrder | null {
  const key = keys.find((one) => one.id === id);
  if (key === undefined) return null;
  const publicKey = key.public_key?.toString('hex') ?? null;
  return { key: id, name: key.name, public_key: publicKey, request, form, signature: signature.toString('hex') };
}

/** A key as it is kept in memory. */
interface KnownKey {
  readonly row: ApiKeyRow;
  readonly ranges: readonly IpRange[];
  /** Returns true if the key signed the text. */
  readonly hasSigned: (text: string, signature: string) => boolean;
  readonly loadedAt: number;
}

function verifierOf(keyedHash: KeyedHash, row: ApiKeyRow): KnownKey['hasSigned'] {
  if (row.public_key === null) {
    const secret = apiKeySecret(keyedHash, row);
    return (text, signature) =>
      SIGNATURES.hmac.test(signature) &&
      timingSafeEqual(createHmac('sha256', secret).update(text).digest(), Buffer.from(signature, 'hex'));
  }
  const key: KeyObject = createPublicKey({
    key: Buffer.concat([SPKI_PREFIX, row.public_key]),
    format: 'der',
    type: 'spki',
  });
  return (text, signature) =>
    SIGNATURES.ed25519.test(signature) && verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex'));
}

/** Counts refused requests in memory and writes them once a second. */
class Refusals {
  readonly #database: Database;
  readonly #onFault: Dependencies['onFault'];
  #waiting = new Map<string, Map<string, RefusalRow>>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ database, onFault }: Omit<Dependencies, 'keyedHash'>) {
    this.#database = database;
    this.#onFault = onFault;
  }

  note(key: string, refusal: string, caller: string, now: Date): void {
    // A proxy may hand on what a client wrote.
    const address = caller.slice(0, ADDRESS_MAX);
    const ofKey = this.#waiting.get(key) ?? new Map<string, RefusalRow>();
    this.#waiting.set(key, ofKey);
    const isFull = ofKey.size >= WAITING_PER_KEY_MAX && !ofKey.has(`${refusal} ${address}`);
    const from = isFull ? '' : address;
    const before = ofKey.get(`${refusal} ${from}`);
    const count = (before?.count ?? 0n) + 1n;
    ofKey.set(`${refusal} ${from}`, {
      key,
      refusal,
      address: from,
      first_at: before?.first_at ?? now,
      last_at: now,
      count,
    });
    this.#timer ??= setTimeout(() => void this.flush().catch(this.#onFault), FLUSH_AFTER_MS).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#waiting.values()].flatMap((ofKey) => [...ofKey.values()]);
    this.#waiting = new Map();
    if (rows.length > 0) await addRefusals(this.#database, rows);
  }
}

export interface OpenApiKeys extends ApiKeys {
  /** Forgets a key here, so that its next request is judged by its row, and ends its live streams. */
  forget(id: string): void;
  /** Writes the refusals that are still in memory. */
  flush(): Promise<void>;
}

/** Judges requests that API keys sign. */
export function openApiKeys(dependencies: Dependencies, bus: Bus): OpenApiKeys {
  const { database, keyedHash } = dependencies;
  const known = new RecentMap<string, KnownKey>(CACHED_MAX);
  const refusals = new Refusals(dependencies);

  const load = async (id: string, now: Date): Promise<KnownKey | null> => {
    const cached = known.get(id);
    const age = now.getTime() - (cached?.loadedAt ?? 0);
    if (cached !== undefined && age >= 0 && age < TRUST_MS) return cached;
    const row = await findApiKey(database, id);
    if (row === null || !isOwnApiKey(keyedHash, row)) return null;
    const ranges = row.addresses.flatMap((text) => readIpRange(text) ?? []);
    const loaded = { row, ranges, hasSigned: verifierOf(keyedHash, row), loadedAt: now.getTime() };
    known.set(id, loaded);
    return loaded;
  };

  return {
    async judge(request, scope, now) {
      const { key: id, time, signature, address, body } = request;
      const key = KEY.test(id) ? await load(id, now) : null;
      const text = textOf(request);
      const isWhole = readSignedRequest(text) !== undefined && Buffer.byteLength(body) <= FORM_BYTES_MAX;
      const decided = decideKeyUse<KeyScope>({
        key: key && { revokedAt: key.row.revoked_at, endsAt: key.row.ends_at, scopes: key.row.scopes },
        now,
        scope,
        signedAtMs: isWhole ? Number(time) : null,
        isFromAllowedAddress:
          key === null || key.ranges.length === 0 || key.ranges.some((range) => isInIpRange(address, range)),
        isSigned: () => key?.hasSigned(text, signature) ?? false,
      });
      if (!decided.ok) {
        if (key !== null) refusals.note(id, decided.refusal, address, now);
        return decided;
      }
      if (key === null) throw new Error('a key that is unknown was judged to be known');
      return { ok: true, effect: { customerId: key.row.customer, key: id } };
    },
    async use({ key, nonce, address }, now) {
      const outcome = await useApiKey(database, { key, nonce, address }, now);
      if (outcome === 'used') return null;
      // Another process revoked it a moment ago.
      if (outcome === 'over') known.delete(key);
      const refusal: KeyRefusal = outcome === 'over' ? 'api_key_revoked' : 'api_key_replayed';
      refusals.note(key, refusal, address, now);
      return { ok: false, refusal };
    },
    async isGood(id, now) {
      const key = await load(id, now);
      return key !== null && key.row.revoked_at === null && now < key.row.ends_at && key.row.scopes.includes('read');
    },
    limited: ({ key, address }, now) => refusals.note(key, 'too_many_requests', address, now),
    keepOrder: (request, { customer, intent }, now) =>
      keepApiOrder(
        database,
        {
          intent: intent.id,
          digest: intent.digest,
          customer,
          key: request.key,
          request: textOf(request),
          form: request.body,
          signature: Buffer.from(request.signature, 'hex'),
        },
        now,
      ),
    forget(id) {
      known.delete(id);
      bus.emit('session_ended', { sessionId: sessionOfKey(id) });
    },
    flush: () => refusals.flush(),
  };
}

const textOf = ({ key, time, nonce, method, target, intent, body }: KeyedRequest): string =>
  writeSignedRequest({ key, timeMs: time, nonce, method, target, intent, bodyHash: hash('sha256', body, 'hex') });
