import * as ed25519 from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { parseCanonical } from './canonical.ts';
import { type Bytes, fromHex, sha256, toHex, utf8Bytes } from './hash.ts';

// Needed in browsers without Ed25519 in WebCrypto, and on pages without TLS.
ed25519.hashes.sha512 = sha512;

/** A signed text with exactly the bytes that were hashed, so that a verifier need not rebuild them. */
export interface SignedText {
  /** Canonical JSON of an object with a type `v`, such as `tick/1`. */
  readonly body: string;
  /** SHA-256 of the signed bytes, hex. */
  readonly hash: string;
  /** Ed25519 over the signed bytes, hex. */
  readonly signature: string;
  /** The key's id: the first 16 hex digits of the public key's SHA-256. */
  readonly key: string;
}

export type SignatureFault = 'body_malformed' | 'hash_differs' | 'key_differs' | 'signature_wrong';

/**
 * `v + "
 * " + body`: the type comes first, so that a text signed for one purpose can never be read as another. Undefined if the
 * body is not canonical or has no type.
 */
export function bytesToSign(body: string): Bytes | undefined {
  const value = parseCanonical(body);
  if (typeof value !== 'object' || value === null || !('v' in value)) return undefined;
  const type = value.v;
  return typeof type === 'string' && /^[a-z]+\/[0-9]+$/.test(type) ? utf8Bytes(`${type}\n${body}`) : undefined;
}

/** A public key's id (hex), so that a text can only name the key that signed it. */
export function keyIdOf(publicKeyHex: string): string {
  const key = fromHex(publicKeyHex, 32);
  if (key === undefined) throw new TypeError('a public key is 32 bytes in hex');
  return toHex(sha256(key)).slice(0, 16);
}

/** The hash by which a body is linked and logged, in hex. */
export function hashOfBody(body: string): string {
  const bytes = bytesToSign(body);
  if (bytes === undefined) throw new TypeError('only a canonical body with a type has a hash');
  return toHex(sha256(bytes));
}

/**
 * Signs with a 32-byte seed, deterministically (RFC 8032). The server uses a faster library that gives the same bytes.
 */
export function signText(body: string, seed: Uint8Array): SignedText {
  const bytes = bytesToSign(body);
  if (bytes === undefined) throw new TypeError('only a canonical body with a type is signed');
  return {
    body,
    hash: toHex(sha256(bytes)),
    signature: toHex(ed25519.sign(bytes, seed)),
    key: keyIdOf(toHex(ed25519.getPublicKey(seed))),
  };
}

/** Signs bytes as they are, for formats that are not ours; their own first line must keep purposes apart. */
export function signBytes(bytes: Uint8Array, seed: Uint8Array): Bytes {
  return new Uint8Array(ed25519.sign(bytes, seed));
}

export function publicKeyOf(seed: Uint8Array): Bytes {
  return new Uint8Array(ed25519.getPublicKey(seed));
}

/** Returns the first fault of a signed text; null if the key's holder signed it. */
export async function verifySignedText(text: SignedText, publicKeyHex: string): Promise<SignatureFault | null> {
  const bytes = bytesToSign(text.body);
  if (bytes === undefined) return 'body_malformed';
  if (toHex(sha256(bytes)) !== text.hash) return 'hash_differs';
  const key = fromHex(publicKeyHex, 32);
  if (key === undefined || keyIdOf(publicKeyHex) !== text.key) return 'key_differs';
  const signature = fromHex(text.signature, 64);
  if (signature === undefined || !(await verifyEd25519(key, signature, bytes))) return 'signature_wrong';
  return null;
}

const groups = new Map<string, boolean>();

/**
 * True for the canonical encoding of a point of the prime-order group, other than its identity. Anybody can sign for a
 * key of small order, and verifiers disagree about signatures of a key with a small-order part.
 */
function isKeyOfGroup(key: Bytes): boolean {
  const hex = toHex(key);
  let isOfGroup = groups.get(hex);
  if (isOfGroup === undefined) {
    const point = readPoint(key);
    isOfGroup = point !== undefined && !point.isSmallOrder() && point.isTorsionFree();
    // Keys come from a server, so this cache must stay small.
    if (groups.size >= GROUPS_MAX) groups.clear();
    groups.set(hex, isOfGroup);
  }
  return isOfGroup;
}
const GROUPS_MAX = 256;

/** True for a public key in hex with which only its holder can sign. */
export function isPublicKey(publicKeyHex: string): boolean {
  const key = fromHex(publicKeyHex, 32);
  return key !== undefined && isKeyOfGroup(key);
}

function readPoint(bytes: Bytes): ed25519.Point | undefined {
  try {
    return ed25519.Point.fromBytes(bytes, false);
  } catch {
    return undefined;
  }
}

/** Verifies strictly: cofactorless, and only for keys of the prime-order group. */
export async function verifyEd25519(key: Bytes, signature: Bytes, bytes: Bytes): Promise<boolean> {
  if (!isKeyOfGroup(key)) return false;
  // `subtle` is undefined on a page without TLS, although its type says otherwise.
  const subtle: typeof globalThis.crypto.subtle | undefined = globalThis.crypto?.subtle;
  if (subtle !== undefined) {
    const imported = await subtle.importKey('raw', key, 'Ed25519', false, ['verify']).catch(() => null);
    if (imported !== null) return subtle.verify('Ed25519', imported, signature, bytes);
  }
  // The library multiplies by eight before it compares, which hides a small-order part of R; WebCrypto rejects it.
  const point = readPoint(signature.slice(0, 32));
  return point?.isTorsionFree() === true && ed25519.verify(signature, bytes, key, { zip215: false });
}
