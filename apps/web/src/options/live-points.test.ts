import { expect, test } from 'vitest';
import { firstMissingSequence, LIVE_POINTS_MAX, type LivePoint, livePointOf, mergePoints } from './live-points.ts';

const tick = (sequence: number): LivePoint =>
  livePointOf({ sequence: String(sequence), at: sequence * 1000, price: '91366.06' });
const ticks = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => tick(from + index));

test('adds each tick once, and a late one in its place', () => {
  const points = mergePoints(ticks(1, 3), [tick(5)]);
  expect(mergePoints(points, [tick(3)])).toBe(points);
  expect(mergePoints(points, [tick(4)]).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
});

test('keeps only as many ticks as the line shows, however long it runs', () => {
  let points: readonly LivePoint[] = [];
  for (let sequence = 1; sequence <= 3_600; sequence += 1) points = mergePoints(points, [tick(sequence)]);
  expect(points).toHaveLength(LIVE_POINTS_MAX);
  expect(points.at(-1)?.sequence).toBe(3_600);
  expect(firstMissingSequence(points)).toBeUndefined();
});

test('reads missing ticks from the chain: before the first tick, and within a gap', () => {
  expect(firstMissingSequence([])).toBeUndefined();
  expect(firstMissingSequence([tick(1)])).toBeUndefined();
  expect(firstMissingSequence([tick(1_000)])).toBe(1_000 - LIVE_POINTS_MAX + 1);
  expect(firstMissingSequence([...ticks(907, 950), ...ticks(953, 1_000)])).toBe(1_000 - LIVE_POINTS_MAX + 1);
  expect(firstMissingSequence([...ticks(906, 950), ...ticks(953, 1_000)])).toBe(951);
});
