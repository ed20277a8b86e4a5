import { hash } from 'node:crypto';
import {
  accountSeal,
  buildTextTree,
  OPTION_TERMS_TYPE,
  type TextTree,
  type TreeSignedText,
  typeOfTerms,
  writeOptionTerms,
} from '@sathorn/proof';
import type { Signer } from '../../platform/proofs/index.ts';
import { saleTermsOf } from './option-order.ts';
import type { BoughtOption, HeldOption, TermsTreeRow } from './option-store.ts';

/**
 * Reading a receipt hashes its whole tree again, so trees are small; one signature per 64 orders costs almost nothing.
 */
const TREE_MAX = 64;

export interface TermsSigning {
  readonly signer: Signer;
  /** A secret that hides customers in published terms and makes their orders unlinkable. */
  readonly accountSalt: Buffer;
  /** SHA-256 of the current rules text, in hex. */
  readonly rulesHash: () => string;
}

/**
 * The salt of an order's commitment. It differs per order, so that nobody can link two orders of one customer. A plain
 * hash of secret and id suffices, and an HMAC would cost seventeen times as much: all ids have the same length, so no
 * input is a prefix of another.
 */
export function orderSaltOf(order: string, accountSalt: Buffer): string {
  return hash('sha256', `${accountSalt.toString('hex')}:${order}`, 'hex');
}

/** An order that is being bought, with its arrival. */
export interface PurchasedOption extends BoughtOption {
  /** When the request reached the server, in ms. */
  readonly arrived_ms: number;
  readonly nonce: string;
  /** The latest acceptance that the customer allowed, in ms; null if any. */
  readonly latest_ms: number | null;
}

/** The signed tree with the hashes from which the proofs in answers are built. */
interface SignedTree extends TermsTreeRow {
  readonly tree: Pick<TextTree, 'prove'>;
}

/** The position of an order's terms in their tree. */
export interface TermsPosition {
  readonly signed: SignedTree;
  readonly index: number;
}

export function proveTerms({ signed, index }: TermsPosition): TreeSignedText {
  return signed.tree.prove(index, signed.head);
}

function termsOf(order: PurchasedOption & HeldOption, { accountSalt, rulesHash }: TermsSigning): string {
  return writeOptionTerms({
    order: order.id,
    account: accountSeal(orderSaltOf(order.id, accountSalt), order.customer_id.toString()),
    coin: order.coin,
    direction: order.direction,
    stake: order.stake.units,
    payoutBasisPoints: BigInt(order.payout_bps),
    feeBasisPoints: BigInt(order.fee_bps),
    acceptedMs: Number(order.accepted_ms),
    durationMs: order.duration_ms,
    rules: rulesHash(),
    environment: order.origin,
    arrival: { atMs: order.arrived_ms, nonce: order.nonce },
    hold: order.stake_hold,
    latestMs: order.latest_ms,
    sale: saleTermsOf(order),
  });
}

/** Signs orders that were accepted together as trees, in order: order n is leaf n % 64 of tree n / 64. */
export function signTerms(orders: readonly (PurchasedOption & HeldOption)[], signing: TermsSigning): SignedTree[] {
  const trees: SignedTree[] = [];
  for (let start = 0; start < orders.length; start += TREE_MAX) {
    const members = orders.slice(start, start + TREE_MAX);
    const bodies = members.map((order) => termsOf(order, signing));
    const tree = buildTextTree(OPTION_TERMS_TYPE, bodies);
    const [first] = members;
    if (first !== undefined) trees.push({ id: first.id, bodies, head: signing.signer.sign(tree.head), tree });
  }
  return trees;
}

export function termsPlaceOf(trees: readonly SignedTree[], n: number): TermsPosition {
  const signed = trees[Math.floor(n / TREE_MAX)];
  if (signed === undefined) throw new RangeError('an order outside the signed trees');
  return { signed, index: n % TREE_MAX };
}

/** Rebuilds a stored tree, whose terms all have the same type. */
export function rebuildSignedTree(row: TermsTreeRow): SignedTree {
  return { ...row, tree: buildTextTree(typeOfTerms(row.bodies[0] ?? ''), row.bodies) };
}
