/** An address's balance at a block, and the known movements up to that block, in the smallest units. */
export interface AddressCount {
  /** The balances that the nodes report; they must agree. */
  readonly held: readonly bigint[];
  /** All seen deposits minus all departures. */
  readonly seen: bigint;
  /** One of our transactions to or from the address is not final, so the departures are unknown. */
  readonly isMoving: boolean;
  /** A smaller difference opens no case, because strangers can send dust at almost no cost. */
  readonly least: bigint;
}

/** Returns the exact units that arrived at an address unseen; null if none did or if it cannot be known now. */
export function unseenArrivalOf({ held: [first, ...others], seen, isMoving, least }: AddressCount): bigint | null {
  if (isMoving || first === undefined || others.some((one) => one !== first)) return null;
  const unseen = first - seen;
  return unseen > 0n && unseen >= least ? unseen : null;
}
