import { randomBytes } from 'node:crypto';
import type { Sealer } from './sealing.ts';

type Keyed = Pick<Sealer, 'digest'>;

/** UUID version 8 (RFC 9562): eight random bytes, and eight of a keyed digest of them and of what the row says. */
function idOf(sealer: Keyed, random: Buffer, said: readonly string[]): string {
  const first = Buffer.from(random);
  first[6] = ((first[6] as number) & 0x0f) | 0x80;
  const digest = sealer.digest('sealed id', first.toString('hex'), ...said).subarray(0, 8);
  digest[0] = ((digest[0] as number) & 0x3f) | 0x80;
  const hex = Buffer.concat([first, digest]).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A new id for a row that says this. Whoever can only write into the database finds no id for other words. */
export const sealedId = (sealer: Keyed, ...said: readonly string[]): string => idOf(sealer, randomBytes(8), said);

/** Whether the id was made for exactly these words. */
export const isSealedId = (sealer: Keyed, id: string, ...said: readonly string[]): boolean =>
  id === idOf(sealer, Buffer.from(id.replaceAll('-', '').slice(0, 16), 'hex'), said);
