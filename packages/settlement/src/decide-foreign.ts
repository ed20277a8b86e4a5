import { accept, type Decision, refuse } from './decision.ts';

/** Somebody who has saved an address as their wallet. */
export interface WalletOwner {
  readonly payee: string;
  readonly customer: bigint;
}

/** USDT that left the house's wallet without the signer, as it was read from the chain. */
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
 * `house`: it only moved between the house's own addresses. `payout`: it paid an open withdrawal. `found`: it is a
 * withdrawal that these books do not have. `expense`: the house bears it.
 */
export type ForeignPurpose = 'expense' | 'found' | 'house' | 'payout';

export interface ForeignCase {
  /**
   * Its nonce among those of the house's addresses: `new` if nobody has accounted for it, else `known`. `none` if a
   * contract moved the wallet's USDT, with an allowance for example.
   */
  readonly nonce: 'none' | 'known' | 'new';
  /** Those that nothing explains yet. */
  readonly outputs: readonly ForeignOutput[];
  /** The books were restored and are not reconciled: they lack withdrawals that the chain has paid. */
  readonly isRestored: boolean;
  /** What people choose where there is more than one. */
  readonly withdrawal: string | null;
  readonly customer: bigint | null;
}

export type ForeignRefusal =
  | 'hash_not_of_wallet'
  | 'hash_explained'
  | 'hash_ambiguous'
  | 'hash_not_of_withdrawal'
  | 'hash_not_of_customer';

export interface AccountedOutput {
  readonly output: number;
  readonly receiver: string;
  readonly units: bigint;
  readonly purpose: ForeignPurpose;
  readonly withdrawal: string | null;
  readonly owner: WalletOwner | null;
}

/**
 * Decides what each transfer of a transaction was, if the signer has not signed it. An address of the house is known.
 * An open withdrawal with its receiver and amount comes next: anything else would leave it to be paid a second time.
 * Then the owner of the saved wallet, if the books were restored or a person names them. People choose among several.
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

/** A withdrawal that was found takes this from the balance. The house pays the rest, and claims it. */
export function takeFound({ units, available }: { readonly units: bigint; readonly available: bigint }): {
  readonly taken: bigint;
  readonly shortfall: bigint;
} {
  const taken = available >= units ? units : available > 0n ? available : 0n;
  return { taken, shortfall: units - taken };
}
