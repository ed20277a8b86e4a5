/** A new payee cannot be paid for this long, so that an owner who did not add it can notice. */
const PAYEE_WAIT_MS = 24 * 60 * 60 * 1_000;

/** Returns the time from which a payee may be paid. The database computes the same from its row. */
export const payeeUsableFrom = (addedAt: Date): Date => new Date(addedAt.getTime() + PAYEE_WAIT_MS);

/** The known facts about a wallet address to which a customer wants to be paid. */
export interface PayeeAddress {
  readonly customer: bigint;
  /** The customer whose deposit address this is on this chain; null if it is nobody's. */
  readonly owner: bigint | null;
  /** The address has, or had, a role on our side on any chain: wallet, treasury, token. */
  readonly isHouse: boolean;
  /** There is code at the address. */
  readonly isContract: boolean;
}

export type PayeeRefusal = 'address_of_house' | 'address_own_deposit' | 'address_contract';

/**
 * Returns the reason why an address cannot be a payee, or null. It is checked when the address is saved, when a
 * withdrawal is requested, and when a return names it. The database and the signer also refuse the house's addresses.
 */
export function payeeRefusal({ customer, owner, isHouse, isContract }: PayeeAddress): PayeeRefusal | null {
  // The books would show the payout as gone while the house's wallet still had the money.
  if (isHouse) return 'address_of_house';
  if (owner === customer) return 'address_own_deposit';
  return isContract ? 'address_contract' : null;
}
