/** When this device first saw each published key: ms since 1970 by key id. */
export type KnownKeys = Readonly<Record<string, number>>;

/** Adds the published keys as first seen now; known keys keep their time. */
export function addKnownKeys(known: KnownKeys, ids: readonly string[], nowMs: number): KnownKeys {
  const fresh = ids.filter((id) => !Object.hasOwn(known, id));
  return fresh.length === 0 ? known : { ...known, ...Object.fromEntries(fresh.map((id) => [id, nowMs])) };
}

/**
 * Returns when a key appeared that was not among the first keys of this device. Returns null for those first keys,
 * which have no earlier ones to compare with, and for keys that the device has never seen.
 */
export function keyAppearedAtMs(known: KnownKeys, id: string): number | null {
  const seen = known[id];
  return seen === undefined || seen === Math.min(...Object.values(known)) ? null : seen;
}

const STORED_AS = 'known-keys';

/** Local storage may contain anything, so a value of another shape is ignored. */
export function parseKnownKeys(text: string | null): KnownKeys {
  if (!text) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return {};
    return Object.fromEntries(
      Object.entries(parsed).filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])),
    );
  } catch {
    return {};
  }
}

/** Stores the published keys on this device and returns all keys that it has seen. */
export function keepKnownKeys(ids: readonly string[], nowMs: number): KnownKeys {
  try {
    const known = parseKnownKeys(localStorage.getItem(STORED_AS));
    const kept = addKnownKeys(known, ids, nowMs);
    if (kept !== known) localStorage.setItem(STORED_AS, JSON.stringify(kept));
    return kept;
  } catch {
    // Without storage the device cannot recognise a key as new.
    return {};
  }
}
