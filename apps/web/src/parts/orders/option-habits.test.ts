import { expect, test } from 'vitest';
import { mayBuyAtOnce, parseOptionHabits } from './option-habits.ts';

test('a purchase of exactly a fifth of the balance needs no confirmation, and one unit more does', () => {
  expect(mayBuyAtOnce('200', '1000')).toBe(true);
  expect(mayBuyAtOnce('200.000001', '1000')).toBe(false);
  expect(mayBuyAtOnce('1', '0')).toBe(false);
  expect(mayBuyAtOnce('', '1000')).toBe(false);
});

test('stored habits of another shape count as absent, so a confirmation is needed', () => {
  const first = { seconds: 60, purchases: 0, atOnceFor: null };
  for (const stored of [null, 'no JSON', 'null', '{"seconds":-30,"purchases":"3","atOnceFor":true}'])
    expect(parseOptionHabits(stored)).toEqual(first);
  expect(parseOptionHabits('{"seconds":30}')).toEqual({ ...first, seconds: 30 });
  expect(parseOptionHabits('{"seconds":30,"purchases":3,"atOnceFor":"u1"}')).toEqual({
    seconds: 30,
    purchases: 3,
    atOnceFor: 'u1',
  });
});
