import type { Money } from '@sathorn/money';

/** From which sums on one person, or two, must approve. */
export interface PeopleThresholds {
  readonly one_person_from: Money<'USDT'>;
  readonly two_people_from: Money<'USDT'>;
}

/**
 * How many operators must approve once a customer's withdrawals of a day reach this amount. Counted per day, so that
 * nobody stays below a threshold by splitting. The database's `withdrawals.people_for` says the same.
 */
export const peopleFor = (sum: Money<'USDT'>, { one_person_from, two_people_from }: PeopleThresholds): 0 | 1 | 2 =>
  sum.units >= two_people_from.units ? 2 : sum.units >= one_person_from.units ? 1 : 0;
