/** How long a new payee cannot be paid, so that an owner who did not add it can notice. */
export const PAYEE_WAIT_MS = 24 * 60 * 60 * 1_000;

/** From when on a payee may be paid. The database computes the same from its row. */
export const payeeUsableFrom = (addedAt: Date): Date => new Date(addedAt.getTime() + PAYEE_WAIT_MS);

/** What is known of the address of a wallet that a customer wants to be paid at. */
export interface PayeeAddress {
  readonly customer: bigint;
  /** Whose deposit address on this chain it is; null if it is nobody's. */
  readonly owner: bigint | null;
  /** The address has, or had, a role on our side on any chain: wallet, treasury, token. */
  readonly isHouse: boolean;
  /** There is code at the address. */
  readonly isContract: boolean;
}

export type PayeeRefusal = 'address_of_house' | 'address_own_deposit' | 'address_contract';

/**
 * Why an address is no payee; null if it may be one. Asked when it is saved, when a withdrawal is requested, and when a
 * return names it. The database and the signer refuse the house's addresses again.
 */
export function payeeRefusal({ customer, owner, isHouse, isContract }: PayeeAddress): PayeeRefusal | null {
  // The payout would be booked as gone while the wallet still holds it.
  if (isHouse) return 'address_of_house';
  if (owner === customer) return 'address_own_deposit';
  return isContract ? 'address_contract' : null;
}
