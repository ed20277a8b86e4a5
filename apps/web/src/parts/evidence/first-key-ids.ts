import { parseKnownKeys } from '../receipt/known-keys.ts';

/** Ids of the first keys that this device saw, as stored by versions that did not store the keys themselves. */
export function readFirstKeyIds(): ReadonlySet<string> {
  try {
    const known = Object.entries(parseKnownKeys(localStorage.getItem('known-keys')));
    const first = Math.min(...known.map(([, at]) => at));
    return new Set(known.filter(([, at]) => at === first).map(([id]) => id));
  } catch {
    return new Set();
  }
}
