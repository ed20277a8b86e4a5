/**
 * Decides which public keys a reader may trust. The first keys that it sees are trusted as they are (pinned). Any other
 * key must be announced by a record signed by its predecessor and by itself, link by link from a pinned one. So if
 * somebody publishes keys of their own, every reader who has seen the old ones rejects them.
 */
import { canonical, parseCanonical } from './canonical.ts';
import { hashOf, keyIdOf, type SignatureFault, verifySignedText } from './signature.ts';

export const KEY_USES = ['index', 'receipt', 'ledger'] as const;
export type KeyUse = (typeof KEY_USES)[number];

/** A key that the reader trusts, and the time in which its signatures count. */
export interface ProofKey {
  readonly use: KeyUse;
  readonly id: string;
  /** 32 bytes, hex. */
  readonly public_key: string;
  /** ms since 1970, by the record that announced it; absent for a first key. */
  readonly from_ms?: number;
  /** When its successor began. */
  readonly until_ms?: number;
}

/** How a new key is announced: one text, signed by the key before it and by itself. */
export interface KeyRecord {
  /** Canonical `key/1`. */
  readonly body: string;
  /** The new key's signature, hex. */
  readonly signature: string;
  /** The predecessor's signature, hex. */
  readonly previous_signature: string;
}

/** A key as `/proof/keys` publishes it. */
export interface PublishedKey {
  readonly use: KeyUse;
  readonly id: string;
  readonly public_key: string;
  readonly record?: KeyRecord | null | undefined;
}

export interface KeyAnnouncement {
  readonly use: KeyUse;
  readonly publicKey: string;
  readonly fromMs: number;
  /** Id of the predecessor. */
  readonly previous: string;
}

export function writeKeyRecord({ use, publicKey, fromMs, previous }: KeyAnnouncement): string {
  return canonical({
    v: 'key/1',
    use,
    id: keyIdOf(publicKey),
    public_key: publicKey,
    from: String(fromMs),
    prev: previous,
  });
}

/** Undefined when the text is not exactly what `writeKeyRecord` writes. */
export function readKeyRecord(body: string): KeyAnnouncement | undefined {
  const value = parseCanonical(body);
  if (typeof value !== 'object' || value === null) return undefined;
  const field = (name: string): string => {
    const member: unknown = Reflect.get(value, name);
    return typeof member === 'string' ? member : '';
  };
  const [publicKey, from, previous] = [field('public_key'), field('from'), field('prev')];
  const use = KEY_USES.find((name) => name === field('use'));
  if (use === undefined || !/^[0-9a-f]{64}$/.test(publicKey) || !/^[1-9][0-9]{0,14}$/.test(from)) return undefined;
  if (!/^[0-9a-f]{16}$/.test(previous)) return undefined;
  const announcement = { use, publicKey, fromMs: Number(from), previous };
  return writeKeyRecord(announcement) === body ? announcement : undefined;
}

export type KeyFault =
  | SignatureFault
  | 'id_differs'
  | 'record_malformed'
  | 'record_differs'
  /** Neither pinned nor reachable from a pinned key. */
  | 'not_announced'
  /** Two keys claim the same predecessor. */
  | 'forked';

/** Returns what is wrong with a key's record, given its predecessor; null when both have signed it. */
export async function faultOfKeyRecord(key: PublishedKey, previous: ProofKey | PublishedKey): Promise<KeyFault | null> {
  const { record } = key;
  const read = record ? readKeyRecord(record.body) : undefined;
  if (!record || read === undefined) return 'record_malformed';
  if (read.use !== key.use || read.publicKey !== key.public_key || read.previous !== keyIdOf(previous.public_key))
    return 'record_differs';
  if (previous.use !== key.use) return 'record_differs';
  const hash = hashOf(record.body);
  const own = { body: record.body, hash, signature: record.signature, key: keyIdOf(key.public_key) };
  const before = { ...own, signature: record.previous_signature, key: keyIdOf(previous.public_key) };
  return (await verifySignedText(own, key.public_key)) ?? (await verifySignedText(before, previous.public_key));
}

export interface TrustedKeys {
  readonly trusted: readonly ProofKey[];
  readonly refused: readonly { readonly key: PublishedKey; readonly fault: KeyFault }[];
  /** Pinned but no longer published: still trusted for what they signed. */
  readonly withdrawn: readonly ProofKey[];
}

const isSound = ({ id, public_key }: PublishedKey): boolean =>
  /^[0-9a-f]{64}$/.test(public_key) && keyIdOf(public_key) === id;

/**
 * Judges published keys by those that this reader has pinned. For a use without a pin, all keys are accepted as they
 * are: the reader sees them for the first time, and `trusted` is what to pin.
 */
export async function trustKeys(published: readonly PublishedKey[], pinned: readonly ProofKey[]): Promise<TrustedKeys> {
  const trusted: ProofKey[] = [];
  const refused: { key: PublishedKey; fault: KeyFault }[] = [];
  const withdrawn: ProofKey[] = [];
  for (const use of KEY_USES) {
    const pins = pinned.filter((key) => key.use === use);
    const keys: PublishedKey[] = [];
    for (const key of published) {
      if (key.use !== use) continue;
      if (isSound(key)) keys.push(key);
      else refused.push({ key, fault: 'id_differs' });
    }
    const found = await judgeUse(keys, pins);
    trusted.push(...found.trusted);
    refused.push(...found.refused);
    withdrawn.push(...pins.filter((pin) => !keys.some(({ public_key }) => public_key === pin.public_key)));
  }
  return { trusted, refused, withdrawn };
}

async function judgeUse(
  keys: readonly PublishedKey[],
  pins: readonly ProofKey[],
): Promise<Pick<TrustedKeys, 'trusted' | 'refused'>> {
  const isFirstUse = pins.length === 0;
  const known = new Map<string, PublishedKey>();
  for (const { use, id, public_key } of pins) known.set(id, { use, id, public_key });
  if (isFirstUse) for (const key of keys) if (!key.record) known.set(key.id, key);
  // If the first key of a list was left out, the list begins with a key whose predecessor is missing.
  if (isFirstUse && known.size === 0) for (const key of keys.slice(0, 1)) known.set(key.id, key);

  const links = new Map<string, { readonly fromMs: number; readonly previous: string }>();
  const faults = new Map<string, KeyFault>();
  // Each pass may reach one key further; a pass that reaches none ends it.
  for (let isMoving = true; isMoving; ) {
    isMoving = false;
    for (const key of keys) {
      const record = key.record ? readKeyRecord(key.record.body) : undefined;
      if (record === undefined || links.has(key.id) || faults.has(key.id)) continue;
      // An id is only half a hash: it must not let another key in under a known one's name.
      if ((known.get(key.id)?.public_key ?? key.public_key) !== key.public_key) continue;
      const previous = known.get(record.previous) ?? predecessorOf(record.previous, keys, known.has(key.id));
      if (previous === undefined) continue;
      const fault = (await faultOfKeyRecord(key, previous)) ?? faultOfPlace(key, record.previous, keys, pins);
      isMoving = true;
      if (fault !== null) {
        faults.set(key.id, fault);
        continue;
      }
      links.set(key.id, record);
      known.set(key.id, key);
      known.set(previous.id, previous);
    }
  }

  const successors = new Map([...links.values()].map(({ fromMs, previous }) => [previous, fromMs]));
  const trusted = [...known.values()].map(({ use, id, public_key }): ProofKey => {
    const [fromMs, untilMs] = [links.get(id)?.fromMs, successors.get(id)];
    return {
      use,
      id,
      public_key,
      ...(fromMs !== undefined && { from_ms: fromMs }),
      ...(untilMs !== undefined && { until_ms: untilMs }),
    };
  });
  const refused = keys.flatMap((key) => {
    if (known.get(key.id)?.public_key === key.public_key) return [];
    const fault: KeyFault =
      faults.get(key.id) ?? (key.record && !readKeyRecord(key.record.body) ? 'record_malformed' : 'not_announced');
    return [{ key, fault }];
  });
  return { trusted, refused };
}

/** A trusted key vouches for the one that it names as its predecessor: what that one signed stays checkable. */
function predecessorOf(id: string, keys: readonly PublishedKey[], isVouchedFor: boolean): PublishedKey | undefined {
  return isVouchedFor ? keys.find((key) => key.id === id) : undefined;
}

/** A key has one successor. If two are published, only one that was pinned before can be recognised as the real one. */
function faultOfPlace(
  key: PublishedKey,
  previous: string,
  keys: readonly PublishedKey[],
  pins: readonly ProofKey[],
): KeyFault | null {
  if (pins.some(({ id }) => id === key.id)) return null;
  const rivals = keys.filter(
    (other) => other.id !== key.id && other.record && readKeyRecord(other.record.body)?.previous === previous,
  );
  return rivals.length > 0 ? 'forked' : null;
}

/** Clocks of the machine that rotates and of those that sign may differ by so much. */
export const KEY_OVERLAP_MS = 10_000;

/** True when the key was valid at that moment, so that its signature counts. */
export function isKeyInTime({ from_ms, until_ms }: ProofKey, atMs: number): boolean {
  if (from_ms !== undefined && atMs < from_ms - KEY_OVERLAP_MS) return false;
  return until_ms === undefined || atMs < until_ms + KEY_OVERLAP_MS;
}
