import { describe, expect, it } from 'vitest';
import { dateText, dayOfText, localDays } from './local-day.ts';

const day = (text: string): number => dayOfText(text) ?? Number.NaN;

describe('local days', () => {
  it.each([
    ['Asia/Bangkok', '2026-11-22T16:59:59.999Z', '2026-11-22'],
    ['Asia/Bangkok', '2026-11-22T17:00:00.000Z', '2026-11-23'],
    ['UTC', '2028-02-29T23:59:59Z', '2028-02-29'],
    ['America/New_York', '2026-03-08T04:59:59Z', '2026-03-07'],
    ['America/New_York', '2026-11-02T04:59:59Z', '2026-11-01'],
    ['Pacific/Apia', '1969-12-31T10:00:00Z', '1969-12-30'],
  ])('in %s at %s it is %s', (timeZone, moment, date) => {
    expect(dateText(localDays(timeZone).dayOf(new Date(moment)))).toBe(date);
  });

  it.each([
    ['Asia/Bangkok', '2026-11-23', '2026-11-22T17:30:00.000Z'],
    ['Asia/Kathmandu', '2026-11-23', '2026-11-22T18:45:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:30:00.000Z'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:30:00.000Z'],
    // This day has no midnight: the clock jumps from 23:59:59 to 01:00.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:30:00.000Z'],
  ])('half past midnight in %s on %s is %s', (timeZone, date, moment) => {
    expect(localDays(timeZone).momentOf(day(date), 30).toISOString()).toBe(moment);
  });

  it('reads only dates that exist in the calendar', () => {
    for (const text of ['2026-02-29', '2026-1-01', 'tomorrow', '']) expect(dayOfText(text)).toBeUndefined();
  });
});
