import { expect, it } from 'vitest';
import { fromLocal, toLocal } from './brand-time.ts';

it.each([
  ['Asia/Bangkok', '2026-11-27T09:00', '2026-11-27T02:00:00.000Z'],
  ['America/New_York', '2026-11-01T03:30', '2026-11-01T08:30:00.000Z'],
  ['Asia/Kolkata', '2027-01-01T00:00', '2026-12-31T18:30:00.000Z'],
])('a time in %s is the same moment there and back', (zone, local, iso) => {
  expect(fromLocal(local, zone)).toBe(iso);
  expect(toLocal(iso, zone)).toBe(local);
});

it.each(['', 'tomorrow', '2026-13-01T00:00', '2026-11-27'])('%s is not a time', (local) => {
  expect(fromLocal(local, 'Asia/Bangkok')).toBeNull();
});
