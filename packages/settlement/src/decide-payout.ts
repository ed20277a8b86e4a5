/** The reasons why a payout must wait before the signer signs it, in the order of the checks. */
export const PAYOUT_WAITS = [
  'restoration',
  'authorisation',
  'house_address',
  'finding',
  'checker',
  'votes',
  'budget',
  'foreign_transaction',
  'gas',
  'wallet_short',
  'token_refuses',
] as const;
export type PayoutWait = (typeof PAYOUT_WAITS)[number];

/** The reasons that stop all payouts of a chain, not only one. */
export type PayoutStop = Extract<PayoutWait, 'restoration' | 'foreign_transaction' | 'gas'>;

/** Units of USDT that may leave without two people's votes. */
export interface PayoutLimits {
  readonly hour: bigint;
  readonly day: bigint;
  /** The limit without any vote for an address during its first day. */
  readonly newAddress: bigint;
}
export const PAYOUT_LIMITS: PayoutLimits = {
  hour: 20_000_000_000n,
  day: 100_000_000_000n,
  newAddress: 2_000_000_000n,
};

/** The sums already paid without two people's votes, not counting this payout. */
export interface PayoutsBefore {
  readonly hour: bigint;
  readonly day: bigint;
  /** Paid to this address; null once it has been known for a day. */
  readonly newAddress: bigint | null;
}

export interface PayoutCase {
  readonly units: bigint;
  /** False after a restoration until two people have reconciled the books: the payout may be paid already. */
  readonly isReconciled: boolean;
  /** The number of people that the withdrawal itself requires. */
  readonly people: number;
  /** The ledger's sequence at which the withdrawal's money was held. */
  readonly taken: bigint;
  /** The withdrawal's address has, or had, a role on our side. */
  readonly isHouse: boolean;
  /** `from_before`: the withdrawal has no authorisation, because it was requested before these existed. */
  readonly authorisation: 'valid' | 'from_before' | 'wrong';
  /** The number of different operators whose votes count. */
  readonly votes: number;
  /** The checker's sequence, and whether it found nothing; null if it has not reported for a minute. */
  readonly word: { readonly sequence: bigint; readonly isClear: boolean } | null;
  readonly before: PayoutsBefore;
  readonly limits: PayoutLimits;
}

const RELEASED_BY = 2;

const exceeds = ({ units, before, limits, votes }: PayoutCase): boolean =>
  before.hour + units > limits.hour ||
  before.day + units > limits.day ||
  (votes === 0 && before.newAddress !== null && before.newAddress + units > limits.newAddress);

/**
 * Returns why a payout must wait, or null if it may be signed. Two people's votes replace an authorisation from before
 * these existed, and the budget. Nothing replaces the checker's report.
 */
export function payoutWaitsFor(payout: PayoutCase): PayoutWait | null {
  const { authorisation, votes, people, taken, word } = payout;
  const isReleased = votes >= RELEASED_BY;
  // No vote helps here: a restored book does not know which payouts were made after its copy.
  if (!payout.isReconciled) return 'restoration';
  if (authorisation === 'wrong' || (authorisation === 'from_before' && !isReleased)) return 'authorisation';
  // No vote helps here: the books would show the payout as gone while the house's wallet still had the money.
  if (payout.isHouse) return 'house_address';
  if (word !== null && !word.isClear) return 'finding';
  if (word === null || word.sequence < taken) return 'checker';
  if (votes < people) return 'votes';
  return !isReleased && exceeds(payout) ? 'budget' : null;
}

/** The chain's state for a payout that nothing else stops. */
export interface PayoutOnChain {
  readonly units: bigint;
  /** The wallet has sent a transaction that nobody has accounted for, so it is unknown which payouts it paid. */
  readonly hasForeign: boolean;
  /** Gas is affordable, and the wallet can pay for it. */
  readonly hasGas: boolean;
  /** Units of the token that the wallet can spend now. */
  readonly left: bigint;
  /** The token rejects the transfer, for instance because it has blocked the receiver. */
  readonly isRefused: boolean;
}

/**
 * Returns why a payout must wait for the chain, or null if it may be signed. A foreign transaction and missing gas stop
 * all payouts. The other reasons stop only this one, and the payouts behind it go first.
 */
export function chainWaitsFor({ units, hasForeign, hasGas, left, isRefused }: PayoutOnChain): PayoutWait | null {
  if (hasForeign) return 'foreign_transaction';
  if (units > left) return 'wallet_short';
  if (isRefused) return 'token_refuses';
  return hasGas ? null : 'gas';
}

/** True if the payout counts against the budget. */
export const countsAsSpent = ({ votes }: Pick<PayoutCase, 'votes'>): boolean => votes < RELEASED_BY;
