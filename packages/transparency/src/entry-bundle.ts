import type { Bytes } from '@sathorn/proof';
import { TILE_WIDTH } from './tile-path.ts';

/** An entry's length is written in two bytes. */
export const ENTRY_BYTES_MAX = 0xffff;

/** Entries one after another, each behind its length in two bytes. */
export function writeEntryBundle(entries: readonly Uint8Array[]): Bytes {
  const bundle = new Uint8Array(entries.reduce((sum, entry) => sum + 2 + entry.length, 0));
  let at = 0;
  for (const entry of entries) {
    if (entry.length > ENTRY_BYTES_MAX) throw new RangeError('an entry of more than 65,535 bytes');
    bundle.set([entry.length >> 8, entry.length & 0xff], at);
    bundle.set(entry, at + 2);
    at += 2 + entry.length;
  }
  return bundle;
}

/** Undefined unless the bytes are 1 to 256 whole entries. */
export function readEntryBundle(bundle: Uint8Array): Bytes[] | undefined {
  const entries: Bytes[] = [];
  let at = 0;
  while (at < bundle.length) {
    const [high, low] = [bundle[at], bundle[at + 1]];
    if (high === undefined || low === undefined || entries.length === TILE_WIDTH) return undefined;
    const end = at + 2 + high * 256 + low;
    if (end > bundle.length) return undefined;
    entries.push(new Uint8Array(bundle.slice(at + 2, end)));
    at = end;
  }
  return entries.length === 0 ? undefined : entries;
}
