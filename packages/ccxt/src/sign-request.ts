import * as ed25519 from '@noble/ed25519';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 as sha256Hash } from '@noble/hashes/sha2.js';
import { sha256, toHex, utf8Bytes } from '@sathorn/proof';
import { writeSignedRequest } from '@sathorn/proof/signed-request';

export interface RequestToSign {
  readonly apiKey: string;
  /** The secret of an HMAC key, or an Ed25519 private key as PEM (PKCS 8). */
  readonly secret: string;
  readonly method: string;
  /** Path and query as they are sent. */
  readonly target: string;
  readonly body: string;
  /** The Idempotency-Key; empty if none is sent. */
  readonly intent: string;
  readonly timeMs: number;
  readonly nonce: string;
}

const PEM = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/;
/** An Ed25519 key in PKCS 8: this header, and the 32 bytes of the key. */
const PKCS8_HEADER = '302e020100300506032b657004220420';

/** The 32 bytes of an Ed25519 private key in PEM; undefined for another key or text. */
function seedOf(secret: string): Uint8Array | undefined {
  const body = PEM.exec(secret)?.[1];
  if (body === undefined) return undefined;
  const bytes = Uint8Array.from(atob(body.replaceAll(/\s/g, '')), (sign) => sign.charCodeAt(0));
  const header = toHex(bytes.slice(0, 16));
  return bytes.length === 48 && header === PKCS8_HEADER ? bytes.slice(16) : undefined;
}

function signText(text: string, secret: string): string {
  const seed = seedOf(secret);
  if (seed !== undefined) return toHex(ed25519.sign(utf8Bytes(text), seed));
  return toHex(hmac(sha256Hash, utf8Bytes(secret), utf8Bytes(text)));
}

/** The headers with which an API key signs one request (docs/keys.md). */
export function signRequest(request: RequestToSign): Record<string, string> {
  const { apiKey, secret, method, target, body, intent, timeMs, nonce } = request;
  const time = String(timeMs);
  const bodyHash = toHex(sha256(utf8Bytes(body)));
  const text = writeSignedRequest({ key: apiKey, timeMs: time, nonce, method, target, intent, bodyHash });
  return {
    'Api-Key': apiKey,
    'Api-Time': time,
    'Api-Nonce': nonce,
    'Api-Signature': signText(text, secret),
    ...(intent !== '' && { 'Idempotency-Key': intent }),
  };
}
