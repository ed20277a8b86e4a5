import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { bytesToSign, keyIdOf, type SignedText, sha256, toHex } from '@sathorn/proof';

/** Signs canonical texts with a key that only this process holds. */
export interface Signer {
  /** The key's id as it appears in texts. Derived from the public key, so that it cannot name another one. */
  readonly keyId: string;
  /** 32 bytes, hex. */
  readonly publicKeyHex: string;
  /**
   * Deterministic: the same body always gets the same signature. Throws if the body is not canonical or has no type.
   */
  sign(body: string): SignedText;
}

// The PKCS #8 header that precedes the 32 bytes of an Ed25519 key.
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A signer from a 32-byte seed, as stored in the secrets file. */
export function ed25519Signer(seed: Buffer): Signer {
  if (seed.length !== 32) throw new RangeError('the seed of an Ed25519 key is 32 bytes');
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKeyHex = createPublicKey(privateKey)
    .export({ format: 'der', type: 'spki' })
    .subarray(-32)
    .toString('hex');
  const keyId = keyIdOf(publicKeyHex);
  return {
    keyId,
    publicKeyHex,
    sign(body) {
      const bytes = bytesToSign(body);
      if (bytes === undefined) throw new TypeError('only a canonical body with a type is signed');
      return { body, hash: toHex(sha256(bytes)), signature: sign(null, bytes, privateKey).toString('hex'), key: keyId };
    },
  };
}
