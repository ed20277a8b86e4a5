import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';

/**
 * HMAC-SHA256 of parts under a key that is not in the database. The purpose and the parts can't run into each other.
 */
export type KeyedHash = (purpose: string, ...parts: readonly string[]) => Buffer;

export function keyedHashOf(secret: Buffer): KeyedHash {
  // A KeyObject, because node takes ten times as long with a buffer.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'sathorn customers', 32)));
  return (purpose, ...parts) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, ...parts]))
      .digest();
}
