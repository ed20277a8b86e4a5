import { type Money, money } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { type BookedPurchase, decideKept } from './decide-kept.ts';

const usdt = (units: bigint) => money('USDT', units);
const stake = usdt(10_000_000n);
/** A win of 78 % with a fee of 2 % on the profit. */
const won = usdt(10_000_000n + 7_800_000n - 156_000n);
const nothing = usdt(0n);

describe('decideKept', () => {
  it.each<[string, Money<'USDT'>, BookedPurchase, Money<'USDT'>]>([
    ['a win that the books lack: its profit, as the balance still has the stake', won, null, usdt(7_644_000n)],
    ['a win that the books voided: the same, as the stake was given back', won, { credited: stake }, usdt(7_644_000n)],
    ['a win that the books settled as lost by later prices', won, { credited: nothing }, won],
    ['a draw that the books settled as lost', stake, { credited: nothing }, stake],
  ])('pays %s', (_what, credited, booked, amount) => {
    expect(decideKept({ stake, credited }, booked)).toEqual({ ok: true, effect: amount });
  });

  it.each<[string, Money<'USDT'> | null, BookedPurchase, string]>([
    ['terms without a receipt', null, null, 'kept_terms_only'],
    ['terms without a receipt of a voided purchase', null, { credited: stake }, 'kept_terms_only'],
    ['a purchase that still runs in the books', won, { credited: null }, 'kept_still_open'],
    ['a loss that the books lack: the stake is not taken', nothing, null, 'kept_nothing_due'],
    ['a loss that the books voided: the stake is not taken back', nothing, { credited: stake }, 'kept_nothing_due'],
    ['a draw that the books lack', stake, null, 'kept_nothing_due'],
    ['a win that the books have', won, { credited: won }, 'kept_nothing_due'],
    ['a loss where the books have a win', nothing, { credited: won }, 'kept_nothing_due'],
    ['a win whose fee takes all of the profit', stake, null, 'kept_nothing_due'],
  ])('refuses %s', (_what, credited, booked, refusal) => {
    expect(decideKept({ stake, credited }, booked)).toMatchObject({ ok: false, refusal });
  });
});
