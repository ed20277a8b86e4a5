/**
 * The few encodings of Ethereum's ABI that a treasury needs. All values are lower-case hexadecimal text without `0x`,
 * unless the name says otherwise.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { fromHex, toHex, utf8Bytes } from '@sathorn/proof';

/** Bytes as `0x` and lower-case hexadecimal digits. */
export type Hex = `0x${string}`;

const WORD = 64;

export const bytesOf = (hex: string): Uint8Array<ArrayBuffer> => {
  const bytes = fromHex(hex, hex.length / 2);
  if (bytes === undefined) throw new TypeError('not hexadecimal');
  return bytes;
};
export const bare = (hex: string): string => hex.slice(2).toLowerCase();
export const word = (value: bigint | number): string => value.toString(16).padStart(WORD, '0');
export const addressWord = (address: string): string => bare(address).padStart(WORD, '0');
export const keccak = (hex: string): string => toHex(keccak_256(bytesOf(hex)));
export const keccakOfText = (text: string): string => toHex(keccak_256(utf8Bytes(text)));
/** The first four bytes of a call. */
export const selectorOf = (signature: string): string => keccakOfText(signature).slice(0, 8);
/** Bytes of any length, behind their length and padded to whole words. */
export function sizedBytes(hex: string): string {
  return word(hex.length / 2) + hex.padEnd(Math.ceil(hex.length / WORD) * WORD, '0');
}
