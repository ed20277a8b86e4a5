import { keccak_256 } from '@noble/hashes/sha3.js';
import { normaliseAddress } from './normalise-number.ts';

/** The faults of a wallet address. */
type AddressFault = 'address_malformed' | 'address_checksum' | 'address_reserved';

type ReadAddress =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly fault: AddressFault };

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** Precompiled contracts and common burn addresses. Nobody has a key for any of them. */
const LOWEST = 0xffffn;
const BURNED = new Set(['0x000000000000000000000000000000000000dead', '0xdead000000000000000042069420694206942069']);

/** The address in the checksum case of EIP-55. Expects 40 hexadecimal digits after `0x`. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = keccak_256(new TextEncoder().encode(digits));
  const letters = [...digits].map((digit, n) => {
    const byte = hash[n >> 1] ?? 0;
    const nibble = n % 2 === 0 ? byte >> 4 : byte & 15;
    return nibble >= 8 ? digit.toUpperCase() : digit;
  });
  return `0x${letters.join('')}`;
}

/**
 * Extracts the address from what wallets share and QR codes contain: `0x…`, or `ethereum:0x…` (EIP-681) with or without
 * a network. A request to transfer a token has the token's contract after the colon and the payee as a parameter.
 */
function pastedAddress(text: string): string {
  const pasted = normaliseAddress(text).replace(/^0X/, '0x');
  const [, target = '', call, query = ''] =
    /^ethereum:(?:pay-)?([^@/?]*)(?:@[0-9]{1,20})?(?:\/([^?]*))?(?:\?(.*))?$/i.exec(pasted) ?? [];
  if (call === undefined) return target || pasted;
  return call === 'transfer' ? (new URLSearchParams(query).get('address') ?? pasted) : pasted;
}

/**
 * Reads a pasted EVM address. Mixed case is a checksum (EIP-55) and must be correct. An address in one case has no
 * checksum, so the app shows it in checksum case for comparison.
 */
export function readEvmAddress(text: string): ReadAddress {
  const pasted = pastedAddress(text);
  if (!EVM_ADDRESS.test(pasted)) return { ok: false, fault: 'address_malformed' };
  const digits = pasted.slice(2);
  const address = checksumAddress(pasted);
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (hasChecksum && address !== pasted) return { ok: false, fault: 'address_checksum' };
  const plain = pasted.toLowerCase();
  if (BigInt(plain) <= LOWEST || BURNED.has(plain)) return { ok: false, fault: 'address_reserved' };
  return { ok: true, address };
}

/** People compare this many characters at each end, so attackers imitate these. */
const COMPARED = 4;

/** True if two different addresses have the same beginning and end, as an attacker would make them. */
export function looksLikeAddress(address: string, other: string): boolean {
  const [one, two] = [address.slice(2).toLowerCase(), other.slice(2).toLowerCase()];
  return (
    one !== two && one.slice(0, COMPARED) === two.slice(0, COMPARED) && one.slice(-COMPARED) === two.slice(-COMPARED)
  );
}
