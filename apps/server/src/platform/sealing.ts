import assert from 'node:assert';
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** The first byte of the sealed format: AES-256-GCM with 12 bytes of nonce, the ciphertext and 16 bytes of tag. */
const FORM = 1;
const NONCE = 12;
const TAG = 16;

/** Encrypts personal data before the database sees it. The secret is kept outside the database. */
export interface Sealer {
  /**
   * Encrypts with a key of this customer. `bound` is authenticated but not stored: opening needs the same strings, so a
   * row that was changed or copied elsewhere cannot be opened.
   */
  seal(owner: bigint, bound: readonly string[], plain: Buffer): Buffer;
  /** Throws if the bytes, the owner or `bound` differ from those that were sealed. */
  open(owner: bigint, bound: readonly string[], sealed: Buffer): Buffer;
  /** A keyed hash, by which equal values are found without decrypting them. */
  digest(...parts: readonly string[]): Buffer;
}

/** Each module has its own keys, derived from one secret. */
export function openSealer(secret: Buffer, room: string): Sealer {
  assert(secret.length === 32, 'the secret of sealed values has 32 bytes');
  const derive = (what: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `sathorn ${room} ${what}`, 32));
  const hashKey = derive('digest');
  const keyOf = (owner: bigint): Buffer => derive(`customer ${owner}`);
  const aad = (owner: bigint, bound: readonly string[]): Buffer =>
    Buffer.from(JSON.stringify([String(owner), ...bound]));

  return {
    seal: (owner, bound, plain) => {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', keyOf(owner), nonce).setAAD(aad(owner, bound));
      return Buffer.concat([Buffer.from([FORM]), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open: (owner, bound, sealed) => {
      assert(sealed[0] === FORM && sealed.length > 1 + NONCE + TAG, 'a sealed value');
      const decipher = createDecipheriv('aes-256-gcm', keyOf(owner), sealed.subarray(1, 1 + NONCE)).setAAD(
        aad(owner, bound),
      );
      decipher.setAuthTag(sealed.subarray(-TAG));
      return Buffer.concat([decipher.update(sealed.subarray(1 + NONCE, -TAG)), decipher.final()]);
    },
    digest: (...parts) => createHmac('sha256', hashKey).update(JSON.stringify(parts)).digest(),
  };
}
