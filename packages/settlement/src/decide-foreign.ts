import { accept, type Decision, refuse } from './decision.ts';

/** A customer who has saved an address as their wallet. */
export interface WalletOwner {
  readonly payee: string;
  readonly customer: bigint;
}

/** USDT that left the house's wallet without the signer, as read from the chain. */
export interface ForeignOutput {
  readonly output: number;
  /** In lower case. */
  readonly receiver: string;
  /** Units of USDT. */
  readonly units: bigint;
  /** The receiver is another address where the house keeps money. */
  readonly isHouse: boolean;
  /** Open withdrawals with exactly this receiver and amount. */
  readonly withdrawals: readonly string[];
  readonly owners: readonly WalletOwner[];
}

/**
 * `house`: the money only moved between the house's own addresses. `payout`: it paid an open withdrawal. `found`: it
 * paid a withdrawal that these books do not have. `expense`: the house bears it.
 */
export type ForeignPurpose = 'expense' | 'found' | 'house' | 'payout';

export interface ForeignCase {
  /**
   * `new` if one of the house's addresses sent the transaction and nobody has accounted for its nonce, else `known`.
   * `none` if a contract moved the wallet's USDT, for example with an allowance.
   */
  readonly nonce: 'none' | 'known' | 'new';
  /** The outputs that are not explained yet. */
  readonly outputs: readonly ForeignOutput[];
  /** The books were restored and are not reconciled: they lack withdrawals that the chain has paid. */
  readonly isRestored: boolean;
  /** The choice of a person where several withdrawals or customers are possible. */
  readonly withdrawal: string | null;
  readonly customer: bigint | null;
}

type ForeignRefusal =
  | 'hash_not_of_wallet'
  | 'hash_explained'
  | 'hash_ambiguous'
  | 'hash_not_of_withdrawal'
  | 'hash_not_of_customer';

interface AccountedOutput {
  readonly output: number;
  readonly receiver: string;
  readonly units: bigint;
  readonly purpose: ForeignPurpose;
  readonly withdrawal: string | null;
  readonly owner: WalletOwner | null;
}

/**
 * Decides the purpose of each transfer of a transaction that the signer has not signed, in this order: to an address of
 * the house; for an open withdrawal with its receiver and amount, which would otherwise be paid a second time; to the
 * owner of a saved wallet, if the books were restored or a person names the owner. Among several, a person chooses.
 */
export function decideForeign({
  nonce,
  outputs,
  isRestored,
  withdrawal,
  customer,
}: ForeignCase): Decision<readonly AccountedOutput[], ForeignRefusal> {
  if (outputs.length === 0 && nonce !== 'new')
    return refuse(nonce === 'none' ? 'hash_not_of_wallet' : 'hash_explained');
  const paid = new Set<string>();
  const accounted: AccountedOutput[] = [];
  for (const { output, receiver, units, isHouse, withdrawals, owners } of outputs) {
    const one = { output, receiver, units, withdrawal: null, owner: null };
    const open = withdrawals.filter((id) => !paid.has(id));
    const chosen = withdrawal !== null && open.includes(withdrawal) ? withdrawal : open[0];
    const named = owners.find((owner) => owner.customer === customer);
    const owner = named ?? (isRestored ? owners[0] : undefined);
    if (isHouse) accounted.push({ ...one, purpose: 'house' });
    else if (chosen !== undefined) {
      if (open.length > 1 && chosen !== withdrawal) return refuse('hash_ambiguous');
      paid.add(chosen);
      accounted.push({ ...one, purpose: 'payout', withdrawal: chosen });
    } else if (owner) {
      if (!named && owners.some((other) => other.customer !== owner.customer)) return refuse('hash_ambiguous');
      accounted.push({ ...one, purpose: 'found', owner });
    } else accounted.push({ ...one, purpose: 'expense' });
  }
  if (withdrawal !== null && !paid.has(withdrawal)) return refuse('hash_not_of_withdrawal');
  if (customer !== null && !accounted.some(({ owner }) => owner?.customer === customer))
    return refuse('hash_not_of_customer');
  return accept(accounted);
}

/** A found withdrawal takes `taken` from the balance. The house pays the rest and claims it back. */
export function splitFoundWithdrawal({ units, available }: { readonly units: bigint; readonly available: bigint }): {
  readonly taken: bigint;
  readonly shortfall: bigint;
} {
  const taken = available >= units ? units : available > 0n ? available : 0n;
  return { taken, shortfall: units - taken };
}
