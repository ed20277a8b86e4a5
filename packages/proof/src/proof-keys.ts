/**
 * Decides which public keys a reader may trust. The reader trusts the first keys that it sees (pins them). Any other
 * key must be announced by a record signed by its predecessor and by itself, link by link from a pinned one. So if an
 * attacker publishes their own keys, every reader who has seen the old ones rejects them.
 */
import { canonicalText, parseCanonical } from './canonical.ts';
import { hashOfBody, keyIdOf, type SignatureFault, verifySignedText } from './signature.ts';

const KEY_USES = ['index', 'receipt', 'ledger'] as const;
export type KeyUse = (typeof KEY_USES)[number];

/** A key that the reader trusts, and the time range in which its signatures count. */
export interface ProofKey {
  readonly use: KeyUse;
  readonly id: string;
  /** 32 bytes, hex. */
  readonly public_key: string;
  /** In ms since 1970, from the record that announced it; absent for a first key. */
  readonly from_ms?: number;
  /** When its successor took over, in ms since 1970; absent for the current key. */
  readonly until_ms?: number;
}

/** The announcement of a new key: one text, signed by the previous key and by itself. */
export interface KeyRecord {
  /** Canonical `key/1`. */
  readonly body: string;
  /** The new key's signature, hex. */
  readonly signature: string;
  /** The predecessor's signature, hex. */
  readonly previous_signature: string;
}

/** A key as published by `/proof/keys`. */
export interface PublishedKey {
  readonly use: KeyUse;
  readonly id: string;
  readonly public_key: string;
  readonly record?: KeyRecord | null | undefined;
}

interface KeyAnnouncement {
  readonly use: KeyUse;
  readonly publicKey: string;
  readonly fromMs: number;
  /** Id of the predecessor. */
  readonly previous: string;
}

export function writeKeyRecord({ use, publicKey, fromMs, previous }: KeyAnnouncement): string {
  return canonicalText({
    v: 'key/1',
    use,
    id: keyIdOf(publicKey),
    public_key: publicKey,
    from: String(fromMs),
    prev: previous,
  });
}

/** Undefined unless the text is exactly what `writeKeyRecord` writes. */
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

type KeyFault =
  | SignatureFault
  | 'id_differs'
  | 'record_malformed'
  | 'record_differs'
  /** The key is neither pinned nor reachable from a pinned key. */
  | 'not_announced'
  /** Two keys claim the same predecessor. */
  | 'forked';

const RECORD_MEMBERS = 3;

/** Returns what is wrong with a key's record, given its predecessor; null if both have signed it. */
export async function faultOfKeyRecord(key: PublishedKey, previous: ProofKey | PublishedKey): Promise<KeyFault | null> {
  const { record } = key;
  const read = record ? readKeyRecord(record.body) : undefined;
  if (!record || read === undefined || Object.keys(record).length !== RECORD_MEMBERS) return 'record_malformed';
  // A key that names itself would announce itself.
  if (read.previous === key.id) return 'record_differs';
  if (read.use !== key.use || read.publicKey !== key.public_key || read.previous !== keyIdOf(previous.public_key))
    return 'record_differs';
  if (previous.use !== key.use) return 'record_differs';
  const hash = hashOfBody(record.body);
  const own = { body: record.body, hash, signature: record.signature, key: keyIdOf(key.public_key) };
  const before = { ...own, signature: record.previous_signature, key: keyIdOf(previous.public_key) };
  return (await verifySignedText(own, key.public_key)) ?? (await verifySignedText(before, previous.public_key));
}

export interface TrustedKeys {
  readonly trusted: readonly ProofKey[];
  readonly refused: readonly { readonly key: PublishedKey; readonly fault: KeyFault }[];
  /** Keys that are pinned but no longer published. The reader still trusts what they signed. */
  readonly withdrawn: readonly ProofKey[];
}

const isSound = ({ id, public_key }: PublishedKey): boolean =>
  /^[0-9a-f]{64}$/.test(public_key) && keyIdOf(public_key) === id;

/**
 * Judges published keys by those that this reader has pinned. For a use without a pin, all keys are accepted as they
 * are, because the reader sees them for the first time; it should then pin `trusted`.
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
      // If two entries have the same id, only the first counts.
      if (isSound(key) && !keys.some(({ id }) => id === key.id)) keys.push(key);
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
  const byId = new Map<string, PublishedKey>(keys.map((key) => [key.id, key]));
  for (const { use, id, public_key } of pins) byId.set(id, { ...byId.get(id), use, id, public_key });
  const { links, faults } = await readLinks(keys, byId);
  for (const id of rivalsAmong(links, pins)) {
    links.delete(id);
    faults.set(id, 'forked');
  }

  const known = new Map<string, PublishedKey>();
  const first = pins.length > 0 ? pins : keys.filter(({ record }) => !record);
  // If the server left out a list's first keys, the first listed key names a missing predecessor. The reader then
  // trusts that key as the first one.
  for (const { use, id, public_key } of first.length > 0 ? first : keys.slice(0, 1))
    if (faults.get(id) !== 'forked') known.set(id, { use, id, public_key });
  // Each pass may reach one more key; a pass that reaches none ends the loop.
  for (let before = -1; before !== known.size; ) {
    before = known.size;
    for (const [id, { previous }] of links) {
      const [key, predecessor] = [byId.get(id), byId.get(previous)];
      if (key === undefined || predecessor === undefined) continue;
      if (known.has(previous)) known.set(id, key);
      // A trusted key vouches for its predecessor, so that the predecessor's signatures can still be verified.
      else if (known.has(id) && faults.get(previous) !== 'forked') known.set(previous, predecessor);
    }
  }

  const successors = new Map<string, number>();
  for (const [id, { fromMs, previous }] of links)
    if (known.has(id)) successors.set(previous, Math.min(fromMs, successors.get(previous) ?? fromMs));
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
    return [{ key, fault: faults.get(key.id) ?? ('not_announced' as const) }];
  });
  return { trusted, refused };
}

/** Compares each record with the key that it names, if that key is published or pinned. */
async function readLinks(keys: readonly PublishedKey[], byId: ReadonlyMap<string, PublishedKey>) {
  const links = new Map<string, { readonly fromMs: number; readonly previous: string }>();
  const faults = new Map<string, KeyFault>();
  for (const key of keys) {
    // An id is only half a hash, so it must not admit another key under a known key's id.
    if (!key.record || byId.get(key.id)?.public_key !== key.public_key) continue;
    const record = readKeyRecord(key.record.body);
    const previous = record && byId.get(record.previous);
    if (record !== undefined && previous === undefined) continue;
    const fault = previous === undefined ? 'record_malformed' : await faultOfKeyRecord(key, previous);
    if (fault !== null) faults.set(key.id, fault);
    else if (record !== undefined) links.set(key.id, record);
  }
  return { links, faults };
}

/**
 * A key has one successor. If two are published, only one that was already pinned can be recognised as the real one.
 */
function rivalsAmong(links: ReadonlyMap<string, { readonly previous: string }>, pins: readonly ProofKey[]): string[] {
  const isPinned = new Set(pins.map(({ id }) => id));
  return [...links].flatMap(([id, { previous }]) => {
    const isAlone = [...links].every(([other, link]) => other === id || link.previous !== previous);
    return isAlone || isPinned.has(id) ? [] : [id];
  });
}

/** The allowed difference between the clocks of the machine that rotates keys and of the machines that sign. */
export const KEY_OVERLAP_MS = 10_000;

/** True if the key was valid at that moment, so that its signature counts. */
export function isKeyInTime({ from_ms, until_ms }: ProofKey, atMs: number): boolean {
  if (from_ms !== undefined && atMs < from_ms - KEY_OVERLAP_MS) return false;
  return until_ms === undefined || atMs < until_ms + KEY_OVERLAP_MS;
}
