import { describe, expect, it } from 'vitest';
import { type BookedPurchase, decideKept } from './decide-kept.ts';

const stake = 10_000_000n;
/** A win of 78 % with a fee of 2 % on the profit. */
const won = stake + 7_800_000n - 156_000n;

describe('decideKept', () => {
  it.each<[string, bigint, BookedPurchase, bigint]>([
    ['a win that the books lack: its profit, as the balance still has the stake', won, null, 7_644_000n],
    ['a win that the books voided: the same, as the stake was given back', won, { credited: stake }, 7_644_000n],
    ['a win that the books settled as lost by later prices', won, { credited: 0n }, won],
    ['a draw that the books settled as lost', stake, { credited: 0n }, stake],
  ])('pays %s', (_what, credited, booked, units) => {
    expect(decideKept({ stake, credited }, booked)).toEqual({ ok: true, effect: { units } });
  });

  it.each<[string, bigint | null, BookedPurchase, string]>([
    ['terms without a receipt', null, null, 'kept_terms_only'],
    ['terms without a receipt of a voided purchase', null, { credited: stake }, 'kept_terms_only'],
    ['a purchase that still runs in the books', won, { credited: null }, 'kept_still_open'],
    ['a loss that the books lack: the stake is not taken', 0n, null, 'kept_nothing_due'],
    ['a loss that the books voided: the stake is not taken back', 0n, { credited: stake }, 'kept_nothing_due'],
    ['a draw that the books lack', stake, null, 'kept_nothing_due'],
    ['a win that the books have', won, { credited: won }, 'kept_nothing_due'],
    ['a loss where the books have a win', 0n, { credited: won }, 'kept_nothing_due'],
    ['a win whose fee takes all of the profit', stake, null, 'kept_nothing_due'],
  ])('refuses %s', (_what, credited, booked, refusal) => {
    expect(decideKept({ stake, credited }, booked)).toMatchObject({ ok: false, refusal });
  });
});
