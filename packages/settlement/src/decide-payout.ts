/** What a payout waits for before the signer signs it, in the order in which it is looked at. */
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

/** What stops all payouts of a chain, and not one alone. */
export type PayoutStop = Extract<PayoutWait, 'restoration' | 'foreign_transaction' | 'gas'>;

/** Units of USDT that may leave without two people's votes. */
export interface PayoutLimits {
  readonly hour: bigint;
  readonly day: bigint;
  /** Without any vote, in the first day of an address that was never paid before. */
  readonly newAddress: bigint;
}
export const PAYOUT_LIMITS: PayoutLimits = {
  hour: 20_000_000_000n,
  day: 100_000_000_000n,
  newAddress: 2_000_000_000n,
};

/** The sums paid without two people's votes, without this payout. */
export interface PayoutsBefore {
  readonly hour: bigint;
  readonly day: bigint;
  /** Paid to this address; null once it has been known for a day. */
  readonly newAddress: bigint | null;
}

export interface PayoutCase {
  readonly units: bigint;
  /** False from a restoration until two people have reconciled the books with the chain: it may be paid already. */
  readonly isReconciled: boolean;
  /** How many people the withdrawal itself demands. */
  readonly people: number;
  /** The ledger's sequence at which its hold was taken. */
  readonly taken: bigint;
  /** Its address has, or had, a role on our side. */
  readonly isHouse: boolean;
  /** `from_before`: it has none, because it was requested before there were any. */
  readonly authorisation: 'valid' | 'from_before' | 'wrong';
  /** Different operators whose votes count. */
  readonly votes: number;
  /** Up to where the checker has walked, and whether it found nothing; null without a word for a minute. */
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
 * What a payout waits for; null if it may be signed. Two people's votes stand in for an authorisation from before there
 * were any, and for the budget. Nothing stands in for the checker.
 */
export function payoutWaitsFor(payout: PayoutCase): PayoutWait | null {
  const { authorisation, votes, people, taken, word } = payout;
  const isReleased = votes >= RELEASED_BY;
  // Whoever voted: a restored book does not know what was paid after its copy.
  if (!payout.isReconciled) return 'restoration';
  if (authorisation === 'wrong' || (authorisation === 'from_before' && !isReleased)) return 'authorisation';
  // Whoever voted: the payout would be booked as gone while the wallet still holds it.
  if (payout.isHouse) return 'house_address';
  if (word !== null && !word.isClear) return 'finding';
  if (word === null || word.sequence < taken) return 'checker';
  if (votes < people) return 'votes';
  return !isReleased && exceeds(payout) ? 'budget' : null;
}

/** What the chain says of a payout that nothing else holds back. */
export interface PayoutOnChain {
  readonly units: bigint;
  /** The wallet has sent a transaction that nobody has accounted for, so it is unknown what was paid. */
  readonly hasForeign: boolean;
  /** Gas is affordable, and the wallet has the coins for it. */
  readonly hasGas: boolean;
  /** Units of the token that the wallet can spend now. */
  readonly left: bigint;
  /** The token rejects the transfer, for instance because it has blocked the receiver. */
  readonly isRefused: boolean;
}

/**
 * What a payout waits for on the chain; null if it may be signed. A foreign transaction and gas stop all payouts. The
 * others concern this payout alone, which steps aside for those behind it.
 */
export function chainWaitsFor({ units, hasForeign, hasGas, left, isRefused }: PayoutOnChain): PayoutWait | null {
  if (hasForeign) return 'foreign_transaction';
  if (units > left) return 'wallet_short';
  if (isRefused) return 'token_refuses';
  return hasGas ? null : 'gas';
}

/** True if it counts against the budget. */
export const countsAsSpent = ({ votes }: Pick<PayoutCase, 'votes'>): boolean => votes < RELEASED_BY;
