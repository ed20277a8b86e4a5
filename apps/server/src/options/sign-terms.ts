import { createHmac } from 'node:crypto';
import { accountSeal, type SignedText, writeOptionTerms, writeTreeHead } from '@sathorn/proof';
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

/** Another salt for each order: two orders of one customer can't be told to be so. */
export function saltOf(order: string, accountSalt: Buffer): string {
  return createHmac('sha256', accountSalt).update(order).digest('hex');
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
    const head: SignedText = signing.signer.sign(writeTreeHead(bodies));
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
