import { parseKnownKeys } from '../receipt/known-keys.ts';

/** The ids of the first keys that this device saw. Older versions stored only these and not the keys themselves. */
export function readFirstKeyIds(): ReadonlySet<string> {
  try {
    const known = Object.entries(parseKnownKeys(localStorage.getItem('known-keys')));
    const first = Math.min(...known.map(([, at]) => at));
    return new Set(known.filter(([, at]) => at === first).map(([id]) => id));
  } catch {
    return new Set();
  }
}
