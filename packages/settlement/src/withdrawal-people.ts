/** From which sums on one person, or two, must approve. */
export interface PeopleThresholds {
  readonly one_person_from: bigint;
  readonly two_people_from: bigint;
}

/**
 * How many operators must approve once a customer's withdrawals of a day reach this amount. Counted per day, so that
 * nobody stays below a threshold by splitting. The database's `withdrawals.people_for` says the same.
 */
export const peopleFor = (units: bigint, { one_person_from, two_people_from }: PeopleThresholds): 0 | 1 | 2 =>
  units >= two_people_from ? 2 : units >= one_person_from ? 1 : 0;
