import { expect, it } from 'vitest';
import { decidePlay, type PlayStanding } from './decide-play.ts';

const ends = {
  day: new Date('2026-11-23T17:00:00Z'),
  week: new Date('2026-11-29T17:00:00Z'),
  month: new Date('2026-11-30T17:00:00Z'),
};
const FREE: PlayStanding = {
  pause: null,
  limits: { stakeOption: null, stakeDay: null, loss: { day: null, week: null, month: null }, timeDay: null },
  staked: 0n,
  lost: { day: 0n, week: 0n, month: 0n },
  minutes: 0,
  isMinuteCounted: false,
  ends,
};
const U = 1_000_000n;
const limits = (change: Partial<PlayStanding['limits']>) => ({ ...FREE.limits, ...change });
const loss = (change: Partial<PlayStanding['limits']['loss']>) => limits({ loss: { ...FREE.limits.loss, ...change } });

it.each<[string, bigint, Partial<PlayStanding>, string | null]>([
  ['without limits', 100n * U, {}, null],
  [
    'self-exclusion stops before everything else',
    U,
    { pause: { kind: 'self_exclusion', until: ends.month }, limits: limits({ stakeOption: 1n }) },
    'self_excluded',
  ],
  ['a break stops orders without a stake too', 0n, { pause: { kind: 'time_out', until: ends.day } }, 'time_out'],
  [
    'the last minute of a day, which has begun',
    0n,
    { limits: limits({ timeDay: 5 }), minutes: 5, isMinuteCounted: true },
    null,
  ],
  ['the minute after the last', 0n, { limits: limits({ timeDay: 5 }), minutes: 5 }, 'limit_time_day'],
  ['a stake that is the limit', 10n * U, { limits: limits({ stakeOption: 10n * U }) }, null],
  ['a stake one unit above', 10n * U + 1n, { limits: limits({ stakeOption: 10n * U }) }, 'limit_stake_option'],
  ['stakes of a day up to the limit', 4n * U, { limits: limits({ stakeDay: 10n * U }), staked: 6n * U }, null],
  [
    'stakes of a day beyond it',
    4n * U + 1n,
    { limits: limits({ stakeDay: 10n * U }), staked: 6n * U },
    'limit_stake_day',
  ],
  [
    'a loss that could only just reach the limit',
    4n * U,
    { limits: loss({ day: 10n * U }), lost: { ...FREE.lost, day: 6n * U } },
    null,
  ],
  [
    'one that could pass it',
    5n * U,
    { limits: loss({ day: 10n * U }), lost: { ...FREE.lost, day: 6n * U } },
    'limit_loss_day',
  ],
  [
    'gains of the period give room',
    15n * U,
    { limits: loss({ day: 10n * U }), lost: { ...FREE.lost, day: -5n * U } },
    null,
  ],
  [
    'the week counts although the day has room',
    U,
    { limits: loss({ day: 9n * U, week: U }), lost: { day: 0n, week: 1n, month: 1n } },
    'limit_loss_week',
  ],
  ['and the month', U, { limits: loss({ month: U }), lost: { day: 0n, week: 0n, month: 1n } }, 'limit_loss_month'],
  [
    'no loss limit looks at orders without a stake',
    0n,
    { limits: loss({ day: 1n }), lost: { ...FREE.lost, day: 9n } },
    null,
  ],
])('%s', (_what, stake, change, refusal) => {
  const decision = decidePlay(stake, { ...FREE, ...change });
  expect(decision.ok ? null : decision.refusal).toBe(refusal);
});

it('names the rest of a limit and its end, and never less than zero', () => {
  const standing = { ...FREE, limits: loss({ week: 10n * U }), lost: { day: 0n, week: 12n * U, month: 0n } };
  expect(decidePlay(U, standing)).toEqual({
    ok: false,
    refusal: 'limit_loss_week',
    field: 'quantity',
    params: { max: '10.000000', left: '0.000000', until: '2026-11-29T17:00:00.000Z' },
  });
});
