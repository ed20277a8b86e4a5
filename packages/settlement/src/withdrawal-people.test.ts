import { money } from '@sathorn/money';
import { expect, it } from 'vitest';
import { peopleNeededFor } from './withdrawal-people.ts';

const thresholds = {
  one_person_from: money('USDT', 1_000_000_000n),
  two_people_from: money('USDT', 10_000_000_000n),
};

it.each([
  [0n, 0],
  [999_999_999n, 0],
  [1_000_000_000n, 1],
  [9_999_999_999n, 1],
  [10_000_000_000n, 2],
  [10n ** 15n, 2],
])('a day’s sum of %s units needs %s people', (units, people) => {
  expect(peopleNeededFor(money('USDT', units), thresholds)).toBe(people);
});
