import { parseKnownKeys } from '../receipt/known-keys.ts';

/** Ids of the keys that this device saw first, as it remembered them before it kept the keys themselves. */
export function readFirstKeyIds(): ReadonlySet<string> {
  try {
    const known = Object.entries(parseKnownKeys(localStorage.getItem('known-keys')));
    const first = Math.min(...known.map(([, at]) => at));
    return new Set(known.filter(([, at]) => at === first).map(([id]) => id));
  } catch {
    return new Set();
  }
}
