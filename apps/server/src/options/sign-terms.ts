import { hash } from 'node:crypto';
import { accountSeal, OPTION_TERMS_TYPE, type SignedText, writeOptionTerms, writeTreeHead } from '@sathorn/proof';
import type { Signer } from '../proofs/index.ts';
import type { BoughtOption, TermsTreeRow } from './option-store.ts';

/** A receipt is read by hashing its whole tree again, so trees stay small; one signature for 64 orders costs next to nothing. */
const TREE_MAX = 64;

export interface TermsSigning {
  readonly signer: Signer;
  /** Keeps accounts apart and unnamed in published terms. */
  readonly accountSalt: Buffer;
  /** SHA-256 of the rules text in force, hex. */
  readonly rulesHash: () => string;
}

/**
 * Another salt for each order: two orders of one customer can't be told to be so. A plain hash of secret and id will do (an HMAC
 * costs seventeen times as much): ids are all of one length, so no salt is the beginning of another's input.
 */
export function saltOf(order: string, accountSalt: Buffer): string {
  return hash('sha256', `${accountSalt.toString('hex')}:${order}`, 'hex');
}

function termsOf(order: BoughtOption, { accountSalt, rulesHash }: TermsSigning): string {
  return writeOptionTerms({
    order: order.id,
    account: accountSeal(saltOf(order.id, accountSalt), order.customer_id.toString()),
    coin: order.coin,
    direction: order.direction,
    stake: order.stake,
    payoutBasisPoints: BigInt(order.payout_bps),
    feeBasisPoints: BigInt(order.fee_bps),
    acceptedMs: Number(order.accepted_ms),
    durationMs: order.duration_ms,
    rules: rulesHash(),
    environment: order.origin,
  });
}

/** The signed trees of what was accepted together, in order: the order at n is leaf n % 64 of tree n / 64. */
export function signTerms(orders: readonly BoughtOption[], signing: TermsSigning): TermsTreeRow[] {
  const trees: TermsTreeRow[] = [];
  for (let start = 0; start < orders.length; start += TREE_MAX) {
    const members = orders.slice(start, start + TREE_MAX);
    const bodies = members.map((order) => termsOf(order, signing));
    const head: SignedText = signing.signer.sign(writeTreeHead(OPTION_TERMS_TYPE, bodies));
    const [first] = members;
    if (first !== undefined) trees.push({ id: first.id, bodies, head });
  }
  return trees;
}

export function placeInTrees(trees: readonly TermsTreeRow[], n: number): { terms_tree: string; terms_index: number } {
  const tree = trees[Math.floor(n / TREE_MAX)];
  if (tree === undefined) throw new RangeError('an order outside the signed trees');
  return { terms_tree: tree.id, terms_index: n % TREE_MAX };
}
