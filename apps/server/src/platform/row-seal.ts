import { createHmac } from 'node:crypto';

/**
 * The first 16 bytes, in hex, of a keyed digest (HMAC-SHA-256) over what a row says, as the texts that the database
 * makes of it. Whoever can only write into the database cannot compute it for other words.
 */
export const rowSeal = (key: Buffer, said: readonly (string | null)[]): string =>
  createHmac('sha256', key).update(JSON.stringify(said)).digest('hex').slice(0, 32);
