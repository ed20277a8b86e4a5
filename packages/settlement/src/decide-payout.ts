/** What a payout waits for before the signer signs it, in the order in which it is looked at. */
export const PAYOUT_WAITS = ['authorisation', 'house_address', 'finding', 'checker', 'votes', 'budget'] as const;
export type PayoutWait = (typeof PAYOUT_WAITS)[number];

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

/** What left without two people's votes, this payout excluded. */
export interface PayoutsBefore {
  readonly hour: bigint;
  readonly day: bigint;
  /** Paid to this address; null once it has been known for a day. */
  readonly newAddress: bigint | null;
}

export interface PayoutCase {
  readonly units: bigint;
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
  if (authorisation === 'wrong' || (authorisation === 'from_before' && !isReleased)) return 'authorisation';
  // Whoever voted: the payout would be booked as gone while the wallet still holds it.
  if (payout.isHouse) return 'house_address';
  if (word !== null && !word.isClear) return 'finding';
  if (word === null || word.sequence < taken) return 'checker';
  if (votes < people) return 'votes';
  return !isReleased && exceeds(payout) ? 'budget' : null;
}

/** True if it counts against the budget. */
export const countsAsSpent = ({ votes }: Pick<PayoutCase, 'votes'>): boolean => votes < RELEASED_BY;
