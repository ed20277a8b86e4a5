import { accept, type Decision, refuse } from './decision.ts';

/** A wish for test money. All amounts are units of one asset. */
export interface PlayMoney {
  readonly units: bigint;
  /** The most that one gift may be. */
  readonly giftMax: bigint;
  /** What the account has, held money included. */
  readonly owned: bigint;
  /** The most that an account may have after a gift; null for no limit, as in a demonstration. */
  readonly ownedMax: bigint | null;
  /** What the house has left for gifts. */
  readonly fund: bigint;
}

export type PlayMoneyRefusal =
  | 'amount_not_positive'
  | 'exceeds_demo_limit'
  | 'exceeds_practice_balance'
  | 'demo_fund_empty';

/**
 * Decides a gift of test money. With a limit on what one has, everybody refills at will, and a program that asks
 * without end doesn't empty the fund for the others.
 */
export function decidePlayMoney({
  units,
  giftMax,
  owned,
  ownedMax,
  fund,
}: PlayMoney): Decision<bigint, PlayMoneyRefusal> {
  if (units <= 0n) return refuse('amount_not_positive');
  if (units > giftMax) return refuse('exceeds_demo_limit');
  if (ownedMax !== null && owned + units > ownedMax) return refuse('exceeds_practice_balance');
  if (units > fund) return refuse('demo_fund_empty');
  return accept(units);
}
