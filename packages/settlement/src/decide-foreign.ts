import { accept, type Decision, refuse } from './decision.ts';

/** USDT that left the house's wallet without the signer, as it was read from the chain. */
export interface ForeignOutput {
  readonly output: number;
  /** In lower case. */
  readonly receiver: string;
  /** Units of USDT. */
  readonly units: bigint;
  /** The receiver is another address where the house keeps money. */
  readonly isHouse: boolean;
}

/** `house`: it only moved between the house's own addresses. `payout`: it paid a withdrawal that the signer had not. */
export type ForeignPurpose = 'expense' | 'house' | 'payout';

export interface NamedWithdrawal {
  /** Approved and not signed: nothing else has paid it. */
  readonly isOpen: boolean;
  readonly chain: string | null;
  readonly address: string | null;
  /** Units of USDT that its payee gets. */
  readonly units: bigint;
}

export interface ForeignCase {
  readonly chain: string;
  /**
   * Its nonce among the wallet's: `next` after all that are accounted for, `passed` if the signer needs no word about
   * it. `none` if a contract moved the wallet's USDT, with an allowance for example.
   */
  readonly nonce: 'none' | 'passed' | 'next' | 'later';
  /** Those that nothing explains yet. */
  readonly outputs: readonly ForeignOutput[];
  /** The withdrawal that it paid, as a person says; null if it paid none. */
  readonly withdrawal: NamedWithdrawal | null;
}

export type ForeignRefusal = 'hash_not_of_wallet' | 'hash_not_next' | 'withdrawal_decided' | 'hash_not_of_withdrawal';

/**
 * What each transfer of a transaction was that somebody sent by hand. An address of the house is known, so no person
 * says it; all else is an expense but for the one transfer that paid the named withdrawal, to the unit.
 */
export function decideForeign({
  chain,
  nonce,
  outputs,
  withdrawal,
}: ForeignCase): Decision<readonly (ForeignOutput & { readonly purpose: ForeignPurpose })[], ForeignRefusal> {
  if (nonce === 'none' && outputs.length === 0) return refuse('hash_not_of_wallet');
  // One after the other: the signer goes on only when none is left out.
  if (nonce === 'later' || (nonce === 'passed' && outputs.length === 0)) return refuse('hash_not_next');
  if (withdrawal !== null && !withdrawal.isOpen) return refuse('withdrawal_decided');
  const paid =
    withdrawal?.chain === chain
      ? outputs.find(
          ({ receiver, units, isHouse }) => !isHouse && receiver === withdrawal.address && units === withdrawal.units,
        )
      : undefined;
  if (withdrawal !== null && paid === undefined) return refuse('hash_not_of_withdrawal');
  return accept(
    outputs.map((one) => ({ ...one, purpose: one === paid ? 'payout' : one.isHouse ? 'house' : 'expense' })),
  );
}
