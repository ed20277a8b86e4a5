import type { Money } from '@sathorn/money';

/** The sums from which one person, or two people, must approve. */
export interface PeopleThresholds {
  readonly one_person_from: Money<'USDT'>;
  readonly two_people_from: Money<'USDT'>;
}

/**
 * Returns how many operators must approve when a customer's withdrawals of a day reach this sum. The sum is per day, so
 * nobody stays below a threshold by splitting. The database's `withdrawals.people_for` computes the same.
 */
export const peopleNeededFor = (
  sum: Money<'USDT'>,
  { one_person_from, two_people_from }: PeopleThresholds,
): 0 | 1 | 2 => (sum.units >= two_people_from.units ? 2 : sum.units >= one_person_from.units ? 1 : 0);
