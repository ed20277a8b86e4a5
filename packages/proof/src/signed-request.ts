/**
 * What an API key signs for each request. The text names everything that the request does, so it can't be used for
 * another one; its time and nonce keep it from being used again.
 */
import { fromHex, sha256, toHex, utf8Bytes } from './hash.ts';
import { verifyEd25519 } from './signature.ts';

export interface SignedRequest {
  /** The id of the key. */
  readonly key: string;
  /** In ms since 1970, by the caller's clock. */
  readonly timeMs: string;
  /** New for each request of the key. */
  readonly nonce: string;
  readonly method: string;
  /** Path and query exactly as they are sent, such as `/api/coin/order/info?id=…`. */
  readonly target: string;
  /** The Idempotency-Key; empty if none is sent. */
  readonly intent: string;
  /** SHA-256 of the body in hex; of no bytes if there is none. */
  readonly bodyHash: string;
}

const REQUEST_TYPE = 'request/1';

/** The text `request/1`, whose UTF-8 bytes the key signs. */
export const writeSignedRequest = ({ key, timeMs, nonce, method, target, intent, bodyHash }: SignedRequest): string =>
  [REQUEST_TYPE, key, timeMs, nonce, method, target, intent, bodyHash].join('\n');

const LINES = [
  /^request\/1$/,
  /^[A-Za-z0-9_-]{22}$/,
  /^[1-9][0-9]{12}$/,
  /^[A-Za-z0-9_-]{8,64}$/,
  /^(?:GET|POST)$/,
  /^\/[!-~]{0,2999}$/,
  /^(?:[A-Za-z0-9_-]{8,64})?$/,
  /^[0-9a-f]{64}$/,
];

/** Undefined unless the text is exactly what `writeSignedRequest` writes. */
export function readSignedRequest(text: string): SignedRequest | undefined {
  const lines = text.split('\n');
  if (lines.length !== LINES.length || !LINES.every((line, at) => line.test(lines[at] ?? ''))) return undefined;
  const [, key = '', timeMs = '', nonce = '', method = '', target = '', intent = '', bodyHash = ''] = lines;
  return { key, timeMs, nonce, method, target, intent, bodyHash };
}

/** A text `request/1` with the form whose hash it has, and its Ed25519 signature in hex. */
export interface KeptRequest {
  readonly request: string;
  readonly form: string;
  readonly signature: string;
}

/** Returns why this key did not sign the request; null if it did. */
export async function verifySignedRequest(
  { request, form, signature }: KeptRequest,
  publicKeyHex: string,
): Promise<'text_malformed' | 'form_differs' | 'signature_wrong' | null> {
  const read = readSignedRequest(request);
  if (read === undefined) return 'text_malformed';
  if (toHex(sha256(utf8Bytes(form))) !== read.bodyHash) return 'form_differs';
  const [key, bytes] = [fromHex(publicKeyHex, 32), fromHex(signature, 64)];
  const isSigned = key !== undefined && bytes !== undefined && (await verifyEd25519(key, bytes, utf8Bytes(request)));
  return isSigned ? null : 'signature_wrong';
}
