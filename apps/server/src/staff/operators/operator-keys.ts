import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The keys with which this module hashes and encrypts. They are derived from a secret outside the database. */
export interface OperatorKeys {
  /** HMAC-SHA256 of the parts. The encoding is unambiguous: purpose and parts cannot run into each other. */
  hash(purpose: string, ...parts: readonly string[]): Buffer;
  /** AES-256-GCM bound to its owner: a sealed key that is copied into another operator's row cannot be opened. */
  seal(plain: Buffer, owner: string): Buffer;
  open(sealed: Buffer, owner: string): Buffer;
}

export function operatorKeysOf(secret: Buffer): OperatorKeys {
  const derive = (use: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `sathorn operators ${use}`, KEY_BYTES));
  const hashing = createSecretKey(derive('hash'));
  const sealing = createSecretKey(derive('seal'));
  return {
    hash: (purpose, ...parts) =>
      createHmac('sha256', hashing)
        .update(JSON.stringify([purpose, ...parts]))
        .digest(),
    seal(plain, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(owner));
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, owner) {
      const decipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(owner))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    },
  };
}
