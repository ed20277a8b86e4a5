import {
  type LiabilityFault,
  type LiabilityLeaf,
  type LiabilityProof,
  readLiabilities,
  type verifyLiability,
} from '@sathorn/proof';
import type { OwnChainDoor, WalkedAccount } from './follow-own-chain.ts';

export interface LiabilityFinding {
  readonly kind: 'liability';
  /** The hash of the signed text. */
  readonly id: string;
  /**
   * `smaller`: the leaf lacks an account, or has another balance than the customer's own chain at that moment.
   * `rewritten`: this device has kept another text of the same number, or a later one.
   */
  readonly fault: 'smaller' | 'rewritten' | LiabilityFault;
  /** The asset and account that differ; empty for other faults. */
  readonly about: string;
  readonly proof: LiabilityProof;
  readonly kept: LiabilityProof['signed'] | null;
  readonly foundAt: number;
}

export interface LiabilityDoor {
  verify(proof: LiabilityProof): ReturnType<typeof verifyLiability>;
  readonly readEntries: OwnChainDoor['readEntries'];
  nowMs(): number;
}

/** `holds` if the customer's own balances are in the signed sums; null while that can't be said. */
export interface JudgedLiability {
  readonly holds: { readonly atMs: number; readonly customers: number } | null;
  readonly finding: LiabilityFinding | null;
}

/**
 * Compares the leaf that the server shows with the customer's own chain, which this device has walked. What moved since
 * is looked up in the chain's entries.
 */
export async function judgeLiability(
  proof: LiabilityProof,
  walked: readonly WalkedAccount[],
  kept: LiabilityProof['signed'] | null,
  door: LiabilityDoor,
): Promise<JudgedLiability> {
  const found = (fault: LiabilityFinding['fault'], about = ''): JudgedLiability => ({
    holds: null,
    finding: { kind: 'liability', id: proof.signed.hash, fault, about, proof, kept, foundAt: door.nowMs() },
  });
  const verified = await door.verify(proof);
  if (!verified.ok) return found(verified.fault);
  const { tree, leaf } = verified;
  const before = kept === null ? undefined : readLiabilities(kept.body);
  if (kept !== null && before !== undefined) {
    const isSame = before.sequence === tree.sequence && kept.body !== proof.signed.body;
    const isOther = before.sequence + 1n === tree.sequence && tree.previous !== kept.hash;
    if (isSame || isOther || tree.sequence < before.sequence) return found('rewritten');
  }
  for (const account of accountsOf(leaf, walked)) {
    const is = await isAsWalked(account, tree.ledger, door);
    if (is === null) return { holds: null, finding: null };
    if (!is) return found('smaller', `${account.asset} ${account.name}`);
  }
  return { holds: { atMs: tree.atMs, customers: tree.size }, finding: null };
}

interface Compared {
  readonly name: string;
  readonly asset: string;
  /** In the leaf: the number of entries and the total; 0 for an account that the leaf does not have. */
  readonly n: bigint;
  readonly total: bigint;
  readonly walked: WalkedAccount | undefined;
}

function accountsOf({ accounts }: LiabilityLeaf, walked: readonly WalkedAccount[]): Compared[] {
  const isSame = (one: { name: string; asset: string }) => (other: { name: string; asset: string }) =>
    one.name === other.name && one.asset === other.asset;
  return [
    ...accounts.map((account) => ({ ...account, walked: walked.find(isSame(account)) })),
    ...walked
      .filter((own) => !accounts.some(isSame(own)))
      .map((own) => ({ name: own.name, asset: own.asset, n: 0n, total: 0n, walked: own })),
  ];
}

/** Null if the own chain does not say it: it ends before that moment, or too much has moved since. */
async function isAsWalked(
  { name, asset, n, total, walked }: Compared,
  ledger: bigint,
  door: LiabilityDoor,
): Promise<boolean | null> {
  if (walked === undefined || BigInt(walked.n) < n) return null;
  const hasMoved = BigInt(walked.seq) > ledger;
  if (!hasMoved) return BigInt(walked.total) === total && (n === 0n || BigInt(walked.n) === n);
  // Without an entry to begin at, an account that moved afterwards is known only to have been unused, or not.
  const from = n === 0n ? 1n : n;
  const page = await door.readEntries({ name, asset }, from, 2);
  const [at, next] = page?.items ?? [];
  if (at === undefined) return null;
  if (n === 0n) return BigInt(at.seq) > ledger ? true : null;
  return (
    at.n === String(n) &&
    BigInt(at.seq) <= ledger &&
    BigInt(at.total) === total &&
    (next === undefined || BigInt(next.seq) > ledger)
  );
}
