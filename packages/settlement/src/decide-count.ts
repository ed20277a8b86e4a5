/** What an address holds at a block, and what is known of it up to that block, in the smallest units. */
export interface Count {
  /** The balances that the nodes report; they must agree. */
  readonly held: readonly bigint[];
  /** All that came in and was seen, less all that left. */
  readonly seen: bigint;
  /** A transaction of ours to or from the address is not final, so what left is not known. */
  readonly isMoving: boolean;
  /** Less than this makes no case: strangers send dust for next to nothing. */
  readonly least: bigint;
}

/** What has arrived at an address unseen, to the unit; null if nothing has, or if nobody can say so now. */
export function unseenOf({ held: [first, ...others], seen, isMoving, least }: Count): bigint | null {
  if (isMoving || first === undefined || others.some((one) => one !== first)) return null;
  const unseen = first - seen;
  return unseen > 0n && unseen >= least ? unseen : null;
}
