import { hash } from 'node:crypto';
import { hashBy } from '@sathorn/proof';

export function nativeSha256(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return hash('sha256', parts.length === 1 && only !== undefined ? only : Buffer.concat(parts), 'buffer');
}

/** Everything that this process signs or proves is hashed by OpenSSL; the browser does it in JavaScript. */
hashBy(nativeSha256);
