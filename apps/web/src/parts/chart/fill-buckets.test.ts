import { expect, test } from 'vitest';
import { emptyBucketsBetween, fillBuckets } from './fill-buckets.ts';

const MINUTE = 60_000;
const bar = (minute: number, close: number) => ({
  timestamp: minute * MINUTE,
  open: close - 1,
  high: close + 1,
  low: close - 2,
  close,
  volume: 3,
});
const flat = (minute: number, price: number) => ({
  timestamp: minute * MINUTE,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: 0,
});

test('a bucket without trades has the previous close', () => {
  expect(fillBuckets([bar(1, 10), bar(4, 12), bar(5, 11)], MINUTE)).toEqual([
    bar(1, 10),
    flat(2, 10),
    flat(3, 10),
    bar(4, 12),
    bar(5, 11),
  ]);
});

test('a newer state of the same bucket fills nothing, and a gap of weeks stays a gap', () => {
  expect(emptyBucketsBetween(bar(5, 10), 5 * MINUTE, MINUTE)).toEqual([]);
  expect(emptyBucketsBetween(bar(5, 10), 6 * MINUTE, MINUTE)).toEqual([]);
  expect(emptyBucketsBetween(bar(0, 10), 20_000 * MINUTE, MINUTE)).toEqual([]);
  expect(fillBuckets([], MINUTE)).toEqual([]);
});
