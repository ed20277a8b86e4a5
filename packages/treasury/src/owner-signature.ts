import { addressWord, bare, bytesOf, type Hex, sizedBytes, word } from './encoding.ts';

/** What an authenticator answered. The signature is the two numbers of ECDSA on P-256, 32 bytes each. */
export interface Assertion {
  readonly authenticatorData: Uint8Array;
  readonly clientData: Uint8Array;
  readonly signature: Uint8Array;
}

/** The challenge with which a passkey signs a Safe's transaction: its hash, in base64url. */
export function challengeOfSafe(hash: Hex): string {
  const text = btoa(String.fromCharCode(...bytesOf(bare(hash))));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * The assertion as the signer contract of a passkey reads it (`WebAuthn.Signature`). The contract writes the start of
 * the client data itself, from the hash, so only the fields behind the challenge are sent. Undefined if the assertion
 * is for another challenge, or has its fields in an order that the contract can't write.
 */
export function writeOwnerSignature(
  { authenticatorData, clientData, signature }: Assertion,
  hash: Hex,
): Hex | undefined {
  const text = new TextDecoder().decode(clientData);
  const head = `{"type":"webauthn.get","challenge":"${challengeOfSafe(hash)}",`;
  if (!text.startsWith(head) || !text.endsWith('}') || signature.length !== 64) return undefined;
  const fields = hexOf(new TextEncoder().encode(text.slice(head.length, -1)));
  const data = sizedBytes(hexOf(authenticatorData));
  const fixed = 4 * 32;
  return `0x${word(fixed)}${word(fixed + data.length / 2)}${hexOf(signature)}${data}${sizedBytes(fields)}`;
}

/** A signature by the contract of an owner. */
export interface OwnerSignature {
  /** The owner's address. */
  readonly owner: string;
  readonly signature: Hex;
}

/** Joins signatures as `execTransaction` expects them: in the order of the owners' addresses, each owner once. */
export function joinSignatures(signatures: readonly OwnerSignature[]): Hex {
  const sorted = signatures.toSorted((a, b) => (bare(a.owner) < bare(b.owner) ? -1 : 1));
  let [heads, tails] = ['', ''];
  for (const { owner, signature } of sorted) {
    const offset = sorted.length * 65 + tails.length / 2;
    // The last byte says that a contract signed.
    heads += `${addressWord(owner)}${word(offset)}00`;
    tails += word(bare(signature).length / 2) + bare(signature);
  }
  return `0x${heads}${tails}`;
}
