import { addressWord, bare, type Hex, selectorOf, word } from './encoding.ts';
import type { SafeTransaction } from './safe-transaction.ts';

/**
 * A change of the Safe's owners. The Safe keeps its owners as a linked list: `previous` is the owner before the leaving
 * one, in the order of `getOwners`, or `SENTINEL` for the first.
 */
export type OwnerChange =
  | { readonly kind: 'add'; readonly owner: string; readonly threshold: number }
  | { readonly kind: 'remove'; readonly previous: string; readonly owner: string; readonly threshold: number }
  | { readonly kind: 'swap'; readonly previous: string; readonly owner: string; readonly next: string };

export const SENTINEL = `0x${'0'.repeat(39)}1`;

const ADD = selectorOf('addOwnerWithThreshold(address,uint256)');
const REMOVE = selectorOf('removeOwner(address,address,uint256)');
const SWAP = selectorOf('swapOwner(address,address,address)');

function callOf(change: OwnerChange): string {
  if (change.kind === 'add') return ADD + addressWord(change.owner) + word(change.threshold);
  const who = addressWord(change.previous) + addressWord(change.owner);
  return change.kind === 'swap' ? SWAP + who + addressWord(change.next) : REMOVE + who + word(change.threshold);
}

/** Writes the change as a transaction that the Safe sends to itself. */
export const writeOwnerChange = (change: OwnerChange, safe: string, nonce: bigint): SafeTransaction => ({
  to: safe,
  data: `0x${callOf(change)}`,
  operation: 'call',
  nonce,
});

/** Reads a change of owners; undefined for every other call. */
export function readOwnerChange(data: Hex): OwnerChange | undefined {
  const hex = bare(data);
  const words = (hex.slice(8).match(/.{64}/g) ?? []).map((text) => ({
    address: `0x${text.slice(24)}`,
    count: Number(BigInt(`0x${text}`)),
  }));
  const [first, second, third] = words;
  let change: OwnerChange | undefined;
  if (hex.startsWith(ADD) && first && second) change = { kind: 'add', owner: first.address, threshold: second.count };
  if (first && second && third) {
    const who = { previous: first.address, owner: second.address };
    if (hex.startsWith(REMOVE)) change = { kind: 'remove', ...who, threshold: third.count };
    if (hex.startsWith(SWAP)) change = { kind: 'swap', ...who, next: third.address };
  }
  // Anything behind the words, or above an address, makes another text.
  return change && callOf(change) === hex ? change : undefined;
}
