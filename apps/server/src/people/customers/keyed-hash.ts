import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';

/**
 * HMAC-SHA256 of the parts, with a key that is not in the database. The encoding is unambiguous: purpose and parts
 * cannot run into each other.
 */
export type KeyedHash = (purpose: string, ...parts: readonly string[]) => Buffer;

export function keyedHashOf(secret: Buffer): KeyedHash {
  // A KeyObject, because Node is ten times slower with a buffer.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'sathorn customers', 32)));
  return (purpose, ...parts) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, ...parts]))
      .digest();
}
