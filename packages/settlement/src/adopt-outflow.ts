import { accept, type Decision, refuse } from './decision.ts';

/** A transfer of our token that left the house's wallet. */
export interface Outflow {
  readonly receiver: string;
  /** Units of USDT. */
  readonly units: bigint;
}

export interface OutflowCase<Withdrawal, Payee> {
  /** All that one transaction took from the wallet. */
  readonly outflows: readonly Outflow[];
  /** Open withdrawals with exactly this receiver and amount. */
  readonly withdrawals: readonly Withdrawal[];
  /** Saved wallets with this address. */
  readonly payees: readonly Payee[];
  /** What people choose where there is more than one. */
  readonly withdrawal: string | null;
  readonly customer: bigint | null;
}

export type AdoptRefusal = 'withdrawal_unknown' | 'hash_ambiguous';

export interface Adopted<Withdrawal, Payee> {
  /** `payout`: of an open withdrawal. `found`: a withdrawal of the payee's owner. `foreign`: of nobody. */
  readonly what: 'payout' | 'found' | 'foreign';
  readonly withdrawal?: Withdrawal;
  readonly payee?: Payee;
}

/**
 * What a transaction was that the signer has not signed. An open withdrawal with its receiver and amount comes first:
 * anything else would leave it to be paid a second time. Then the owner of the wallet that it went to. People choose
 * among several; they never choose that it was nobody's.
 */
export function adoptAs<Withdrawal extends { readonly id: string }, Payee extends { readonly customer: bigint }>({
  outflows,
  withdrawals,
  payees,
  withdrawal,
  customer,
}: OutflowCase<Withdrawal, Payee>): Decision<Adopted<Withdrawal, Payee>, AdoptRefusal> {
  // One with several transfers is no payout of ours.
  const isPayout = outflows.length === 1;
  const open = isPayout ? withdrawals : [];
  if (withdrawal !== null) {
    const chosen = open.find(({ id }) => id === withdrawal);
    return chosen ? accept({ what: 'payout', withdrawal: chosen }) : refuse('withdrawal_unknown');
  }
  const [first] = open;
  if (first) return open.length === 1 ? accept({ what: 'payout', withdrawal: first }) : refuse('hash_ambiguous');
  const owners = isPayout ? payees.filter((payee) => customer === null || payee.customer === customer) : [];
  const [owner] = owners;
  if (customer !== null && owner === undefined) return refuse('withdrawal_unknown');
  if (owner === undefined) return accept({ what: 'foreign' });
  return owners.every((payee) => payee.customer === owner.customer)
    ? accept({ what: 'found', payee: owner })
    : refuse('hash_ambiguous');
}

/** What a withdrawal that was found takes from the balance; the house bears the rest, and claims it. */
export function takeFound({ units, available }: { readonly units: bigint; readonly available: bigint }): {
  readonly taken: bigint;
  readonly shortfall: bigint;
} {
  const taken = available >= units ? units : available > 0n ? available : 0n;
  return { taken, shortfall: units - taken };
}
