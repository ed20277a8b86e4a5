import { hash } from 'node:crypto';
import { setSha256 } from '@sathorn/proof';

export function nativeSha256(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return hash('sha256', parts.length === 1 && only !== undefined ? only : Buffer.concat(parts), 'buffer');
}

/** The server hashes with OpenSSL; browsers do it in JavaScript. */
setSha256(nativeSha256);
