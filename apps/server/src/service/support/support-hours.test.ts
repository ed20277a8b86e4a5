import { brandNamed } from '@sathorn/brand';
import { expect, test } from 'vitest';
import { supportOpensAt } from './support-hours.ts';

const DAY = { from: 8, to: 24 };

test.each([
  // In Bangkok, 07:59:59 is before the hours and 08:00 within; 23:59:59 is within and midnight after.
  ['2026-11-24T00:59:59.000Z', 'Asia/Bangkok', '2026-11-24T01:00:00.000Z'],
  ['2026-11-24T01:00:00.000Z', 'Asia/Bangkok', null],
  ['2026-11-24T16:59:59.999Z', 'Asia/Bangkok', null],
  ['2026-11-24T17:00:00.000Z', 'Asia/Bangkok', '2026-11-25T01:00:00.000Z'],
  ['2026-11-24T20:00:00.000Z', 'Asia/Kolkata', '2026-11-25T02:30:00.000Z'],
  ['2026-11-24T20:00:00.000Z', 'Asia/Kathmandu', '2026-11-25T02:15:00.000Z'],
  // In this night the clocks go forward.
  ['2026-03-08T06:30:00.000Z', 'America/New_York', '2026-03-08T12:00:00.000Z'],
])('at %s in %s customer service opens at %s', (now, zone, expected) => {
  expect(supportOpensAt(new Date(now), DAY, zone)?.toISOString() ?? null).toBe(expected);
});

test('a service of 24 hours is never closed', () => {
  for (let hour = 0; hour < 24; hour += 1)
    expect(supportOpensAt(new Date(Date.UTC(2026, 0, 1, hour)), { from: 0, to: 24 }, 'Asia/Bangkok')).toBeNull();
});

test.each(['sathorn', 'meridian'])('the hours of %s are hours of a day', (name) => {
  const { from, to } = brandNamed(name)?.supportHours ?? { from: 0, to: 0 };
  expect(from).toBeGreaterThanOrEqual(0);
  expect(to).toBeGreaterThan(from);
  expect(to).toBeLessThanOrEqual(24);
});
