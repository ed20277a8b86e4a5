import { sha256 as hashBytes } from '@noble/hashes/sha2.js';

/** Bytes with their own buffer, which WebCrypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

export function utf8Bytes(text: string): Bytes {
  return encoder.encode(text);
}

/**
 * SHA-256 in JavaScript. WebCrypto is missing on a page served without TLS, and its promises are too slow for a tree
 * with many leaves.
 */
export function portableSha256(parts: readonly Uint8Array[]): Uint8Array {
  const hash = hashBytes.create();
  for (const part of parts) hash.update(part);
  return hash.digest();
}

let implementation = portableSha256;

/**
 * Sets a platform's own SHA-256, which is several times faster. It must compute the same function of the joined parts.
 */
export function setSha256(faster: (parts: readonly Uint8Array[]) => Uint8Array): void {
  implementation = faster;
}

/** SHA-256 of the joined parts. */
export function sha256(...parts: readonly Uint8Array[]): Bytes {
  return new Uint8Array(implementation(parts));
}

const BLOCK = 64;
const padded = (key: Uint8Array, mask: number): Bytes => {
  const block = new Uint8Array(BLOCK).fill(mask);
  for (const [n, byte] of key.entries()) block[n] = byte ^ mask;
  return block;
};

/** HMAC-SHA256 (RFC 2104), for keys of at most 64 bytes. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Bytes {
  if (key.length > BLOCK) throw new RangeError('a key of more than a block');
  return sha256(padded(key, 0x5c), sha256(padded(key, 0x36), message));
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower case, two digits per byte. */
export function toHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += HEX[byte] ?? '';
  return hex;
}

/** Returns undefined unless the text is lower-case hex of exactly `length` bytes: a hash has one spelling. */
export function fromHex(hex: string, length: number): Bytes | undefined {
  if (hex.length !== length * 2 || !/^[0-9a-f]*$/.test(hex)) return undefined;
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i += 1) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}
