import { expect, it } from 'vitest';
import { fromLocalInput, toLocalInput } from './local-time.ts';

it.each([
  ['Asia/Bangkok', '2026-11-27T09:00', '2026-11-27T02:00:00.000Z'],
  ['America/New_York', '2026-11-01T03:30', '2026-11-01T08:30:00.000Z'],
  ['Europe/Berlin', '2027-03-28T03:30', '2027-03-28T01:30:00.000Z'],
  ['Asia/Kolkata', '2027-01-01T00:00', '2026-12-31T18:30:00.000Z'],
])('a time in %s is the same moment there and back', (zone, local, iso) => {
  expect(fromLocalInput(local, zone)?.toISOString()).toBe(iso);
  expect(toLocalInput(Date.parse(iso), zone)).toBe(local);
});

it('a day begins at midnight of its zone', () => {
  expect(fromLocalInput('2026-11-24', 'Asia/Bangkok')?.toISOString()).toBe('2026-11-23T17:00:00.000Z');
});

it.each(['', 'tomorrow', '2026-13-01T00:00', '2026-11-2x'])('%s is no time', (local) => {
  expect(fromLocalInput(local, 'Asia/Bangkok')).toBeNull();
});
