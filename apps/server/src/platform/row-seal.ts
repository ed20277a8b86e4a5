import { createHmac, type KeyObject } from 'node:crypto';

/**
 * The first 16 bytes, in hex, of a keyed digest (HMAC-SHA-256) of what a row says. Whoever can only write into the
 * database cannot compute it for other words. A `KeyObject`, because importing the key each time costs five digests.
 */
export const rowSeal = (key: KeyObject, said: string): string =>
  createHmac('sha256', key).update(said).digest('hex').slice(0, 32);
