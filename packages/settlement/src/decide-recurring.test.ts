import { money, type Price, parseMoney, parsePrice } from '@sathorn/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Calendar,
  decideNewRecurring,
  decideRecurring,
  isCovered,
  isRecurringDay,
  type NewRecurring,
  newestRecurringTime,
  type Recurrence,
  recurringTimeAfter,
} from './decide-recurring.ts';
import { refuse } from './decision.ts';

const DAY_MS = 86_400_000;
/** A zone with a fixed offset. */
const zone = (hours: number): Calendar => ({
  dayOf: (moment) => Math.floor((moment.getTime() + hours * 3_600_000) / DAY_MS),
  momentOf: (day, minutes) => new Date(day * DAY_MS + minutes * 60_000 - hours * 3_600_000),
});
const BANGKOK = zone(7);
const day = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;
const daily: Recurrence = { every: 'day', day: null, hour: 9 };
const mondays: Recurrence = { every: 'week', day: 1, hour: 9 };
const monthly = (of: number): Recurrence => ({ every: 'month', day: of, hour: 0 });

describe('the times of a regular purchase', () => {
  it.each([
    [daily, '2026-12-01', '2026-12-02T02:00:00.000Z'],
    [daily, '2026-12-31', '2027-01-01T02:00:00.000Z'],
    // 30 November 2026 is a Monday.
    [mondays, '2026-11-29', '2026-11-30T02:00:00.000Z'],
    [mondays, '2026-11-30', '2026-12-07T02:00:00.000Z'],
    [{ ...mondays, day: 7 }, '2026-11-30', '2026-12-06T02:00:00.000Z'],
    [monthly(1), '2026-12-01', '2026-12-31T17:00:00.000Z'],
    [monthly(28), '2027-01-28', '2027-02-27T17:00:00.000Z'],
    [monthly(28), '2028-02-28', '2028-03-27T17:00:00.000Z'],
  ] as const)('%j after %s is at %s in Bangkok', (recurrence, after, at) => {
    expect(recurringTimeAfter(recurrence, day(after), BANGKOK).at.toISOString()).toBe(at);
  });

  it.each([
    ['2026-12-01T01:59:59.999Z', '2026-11-30'],
    ['2026-12-01T02:00:00.000Z', '2026-12-01'],
    // Midnight in Bangkok has passed, nine o'clock has not.
    ['2026-12-01T18:00:00.000Z', '2026-12-01'],
  ])('at %s the newest daily one is that of %s', (now, of) => {
    expect(newestRecurringTime(daily, new Date(now), BANGKOK).day).toBe(day(of));
  });

  it('is the day of the zone and not of UTC', () => {
    const early = { ...daily, hour: 1 };
    const now = new Date('2026-11-30T18:30:00Z');
    expect(newestRecurringTime(early, now, BANGKOK).day).toBe(day('2026-12-01'));
    expect(newestRecurringTime(early, now, zone(0)).day).toBe(day('2026-11-30'));
    expect(newestRecurringTime(early, new Date('2026-11-30T10:30:00Z'), zone(-10)).day).toBe(day('2026-11-29'));
  });

  it('comes once a day, week or month, whenever one looks', () => {
    const recurrences = fc.oneof(
      fc.constant(daily),
      fc.integer({ min: 1, max: 7 }).map((of): Recurrence => ({ every: 'week', day: of, hour: 23 })),
      fc.integer({ min: 1, max: 28 }).map(monthly),
    );
    fc.assert(
      fc.property(
        recurrences,
        fc.integer({ min: 0, max: 40_000 }),
        fc.integer({ min: -11, max: 13 }),
        (of, from, hours) => {
          const calendar = zone(hours);
          const next = recurringTimeAfter(of, from, calendar);
          expect(next.day).toBeGreaterThan(from);
          expect(next.day - from).toBeLessThanOrEqual({ day: 1, week: 7, month: 31 }[of.every]);
          expect(newestRecurringTime(of, next.at, calendar)).toEqual(next);
          const before = newestRecurringTime(of, new Date(next.at.getTime() - 1), calendar);
          expect(before.day).toBeLessThanOrEqual(from);
          for (let between = before.day + 1; between < next.day; between++)
            expect(isRecurringDay(of, between)).toBe(false);
        },
      ),
      { examples: [[{ every: 'week', day: 7, hour: 23 }, 0, 0]] },
    );
  });
});

const price = (text: string) => parsePrice(text) as Price;
const wanted: NewRecurring = {
  ...mondays,
  coin: 'BTC',
  amount: money('USDT', 50_000_000n),
  priceMax: price('70000'),
  times: null,
};

describe('a new regular purchase', () => {
  it.each([
    [{}, { isOffered: false }, 'contracts_not_offered', 'code'],
    [{ amount: parseMoney('USDT', '0.5') }, {}, 'below_minimum', 'amount'],
    [{ amount: parseMoney('USDT', '1000000.5') }, {}, 'above_maximum', 'amount'],
    [{ priceMax: price('70000.001') }, {}, 'price_off_tick', 'price_max'],
    [{ day: null }, {}, 'day_not_allowed', 'day'],
    [{ day: 8 }, {}, 'day_not_allowed', 'day'],
    [{ every: 'day' }, {}, 'day_not_allowed', 'day'],
    [{ every: 'month', day: 29 }, {}, 'day_not_allowed', 'day'],
    [{}, { active: 10 }, 'too_many_recurring', undefined],
  ] as const)('is refused, case %#', (change, given, refusal, field) => {
    const decided = decideNewRecurring({ ...wanted, ...change } as NewRecurring, {
      isOffered: true,
      active: 0,
      ...given,
    });
    expect(decided).toMatchObject({ ok: false, refusal, ...(field && { field }) });
  });

  it('is accepted up to the tenth', () => {
    expect(decideNewRecurring(wanted, { isOffered: true, active: 9 })).toEqual({ ok: true, effect: null });
  });
});

describe('a purchase that is due', () => {
  const at = new Date('2026-12-07T02:00:00Z');
  const due = { at, now: at, coin: 'BTC', priceMax: price('70000'), stop: null, index: price('70000') } as const;
  const late = (ms: number) => new Date(at.getTime() + 6 * 3_600_000 + ms);

  it.each([
    [{ now: late(1) }, 'missed'],
    [{ stop: refuse('paused'), index: null }, 'paused'],
    [{ index: null }, 'index_stale'],
    [{ index: price('70000.01') }, 'above_price_max'],
  ])('is skipped, case %#', (change, refusal) => {
    expect(decideRecurring({ ...due, ...change })).toMatchObject({ ok: false, refusal });
  });

  it('goes to the book up to six hours later, and at its highest price', () => {
    expect(decideRecurring({ ...due, now: late(0) })).toEqual({ ok: true, effect: null });
    expect(decideRecurring({ ...due, priceMax: null, index: price('99999') })).toEqual({ ok: true, effect: null });
  });

  const bounds = {
    customer: 7n,
    coin: 'BTC',
    amount: 50n,
    priceMax: null,
    state: 'active',
    lastDay: 10,
    attempts: 2,
  } as const;
  const order = { customer: 7n, coin: 'BTC', amount: 50n, priceMax: null, day: 11, number: 3 } as const;
  it.each([
    ['of another customer', { customer: 8n }, {}],
    ['of another coin', { coin: 'ETH' }, {}],
    ['beyond the amount', { amount: 51n }, {}],
    ['at another highest price', { priceMax: price('1') }, {}],
    ['with a number that was used', { number: 2 }, {}],
    ['with a number out of order', { number: 4 }, {}],
    ['of a day that was dealt with', { day: 10 }, {}],
    ['of a paused instruction', {}, { state: 'paused' as const }],
    ['of a revoked instruction', {}, { state: 'revoked' as const }],
    ['of an ended instruction', {}, { state: 'ended' as const }],
  ])('is not covered %s', (_why, ordered, given) => {
    expect(isCovered({ ...order, ...ordered }, { ...bounds, ...given })).toBe(false);
  });

  it('is covered within its bounds only, and by an instruction only', () => {
    expect(isCovered(order, bounds)).toBe(true);
    expect(isCovered({ ...order, amount: 49n }, bounds)).toBe(true);
    expect(isCovered(order, undefined)).toBe(false);
  });
});
