import { fromHex } from './hash.ts';
import { bytesOfOrdered, readOrdered } from './ordered.ts';
import { hasSigned, voterIdOf } from './vote.ts';

/** A text `ordered/1` with its ECDSA signature: r and s, 32 bytes each, in hex. */
export interface SignedOrdered {
  readonly body: string;
  readonly signature: string;
}

/** Returns why this key did not sign the text; null if it did. `publicKeyHex` is an uncompressed point of P-256. */
export async function verifyOrdered(
  { body, signature }: SignedOrdered,
  publicKeyHex: string,
): Promise<'text_malformed' | 'key_differs' | 'signature_wrong' | null> {
  const ordered = readOrdered(body);
  if (ordered === undefined) return 'text_malformed';
  if (!/^04[0-9a-f]{128}$/.test(publicKeyHex) || voterIdOf(publicKeyHex) !== ordered.key) return 'key_differs';
  const bytes = fromHex(signature, 64);
  const isSigned = bytes !== undefined && (await hasSigned(publicKeyHex, bytes, bytesOfOrdered(body)));
  return isSigned ? null : 'signature_wrong';
}
