import { money } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { type AskedCorrection, decideCorrection, GOODWILL_MAX } from './decide-correction.ts';

const usdt = (units: bigint) => money('USDT', units);
const wrong = { amount: usdt(650n), corrected: usdt(0n), isCustomers: true, house: 'fee_income' } as const;
const lost = { amount: usdt(900n), corrected: usdt(100n), isLost: true };
const receipt = { amount: usdt(764n), corrected: usdt(0n) };
const refund: AskedCorrection = {
  kind: 'refund',
  reason: 'charged_twice',
  amount: null,
  house: null,
  wrong,
  lost: null,
  kept: null,
};
const kept: AskedCorrection = { ...refund, wrong: null, kept: receipt, reason: 'kept_receipt' };
const goodwill: AskedCorrection = { ...refund, kind: 'goodwill', reason: 'goodwill', amount: usdt(5n), wrong: null };
const reverse: AskedCorrection = { ...refund, kind: 'reverse', reason: 'credited_wrongly' };

describe('decideCorrection', () => {
  it.each<[string, AskedCorrection, bigint, string]>([
    ['all of the wrong transfer', refund, 650n, 'fee_income'],
    ['what is left of it', { ...refund, wrong: { ...wrong, corrected: usdt(600n) } }, 50n, 'fee_income'],
    ['a part of it, from the capital', { ...refund, amount: usdt(10n), house: 'house_capital' }, 10n, 'house_capital'],
    [
      'a transfer to an account that never pays',
      { ...refund, wrong: { ...wrong, house: null } },
      650n,
      'house_capital',
    ],
    ['a lost deposit', { ...refund, wrong: null, lost, reason: 'deposit_lost' }, 800n, 'house_capital'],
    ['a kept receipt, from the pool that would have paid it', kept, 764n, 'options_pool'],
    ['a kept receipt, from the capital', { ...kept, house: 'house_capital' }, 764n, 'house_capital'],
    ['goodwill', { ...goodwill, amount: GOODWILL_MAX }, GOODWILL_MAX.units, 'goodwill'],
    ['a wrong credit', reverse, 650n, 'fee_income'],
    ['goodwill paid by mistake', { ...reverse, wrong: { ...wrong, house: 'goodwill' } }, 650n, 'goodwill'],
  ])('settles %s', (_what, asked, units, house) => {
    expect(decideCorrection(asked)).toEqual({ ok: true, effect: { amount: usdt(units), house } });
  });

  it.each<[string, AskedCorrection, string]>([
    ['a refund of nothing named', { ...refund, wrong: null }, 'transfer_required'],
    ['a debit of a lost deposit', { ...reverse, wrong: null, lost }, 'transfer_required'],
    ['another person’s transfer', { ...refund, wrong: { ...wrong, isCustomers: false } }, 'transfer_not_correctable'],
    ['goodwill with a transfer', { ...goodwill, wrong }, 'transfer_not_correctable'],
    [
      'a deposit that may still be credited',
      { ...refund, wrong: null, lost: { ...lost, isLost: false }, reason: 'deposit_lost' },
      'deposit_not_lost',
    ],
    ['both a transfer and a deposit', { ...refund, lost }, 'deposit_not_lost'],
    ['a kept receipt and a transfer', { ...kept, wrong }, 'transfer_not_correctable'],
    ['a kept receipt and a lost deposit', { ...kept, lost }, 'transfer_not_correctable'],
    ['a debit of a kept receipt', { ...kept, kind: 'reverse', wrong }, 'transfer_not_correctable'],
    ['a kept receipt for another reason', { ...kept, reason: 'settlement_fault' }, 'reason_mismatch'],
    ['a kept receipt without one', { ...refund, reason: 'kept_receipt' }, 'reason_mismatch'],
    ['less than a kept receipt is worth', { ...kept, amount: usdt(763n) }, 'kept_amount_fixed'],
    ['more than a kept receipt is worth', { ...kept, amount: usdt(765n) }, 'kept_amount_fixed'],
    ['a kept receipt that was used', { ...kept, kept: { ...receipt, corrected: usdt(764n) } }, 'already_corrected'],
    ['a kept receipt from fees', { ...kept, house: 'fee_income' }, 'house_account_wrong'],
    ['a reason of another kind', { ...reverse, reason: 'goodwill' }, 'reason_mismatch'],
    ['a lost deposit without one', { ...refund, reason: 'deposit_lost' }, 'reason_mismatch'],
    ['goodwill without an amount', { ...goodwill, amount: null }, 'amount_required'],
    ['nothing', { ...refund, amount: usdt(0n) }, 'amount_not_positive'],
    ['a negative amount', { ...goodwill, amount: usdt(-1n) }, 'amount_not_positive'],
    ['more than was wrong', { ...refund, amount: usdt(651n) }, 'already_corrected'],
    ['what was corrected before', { ...refund, wrong: { ...wrong, corrected: usdt(650n) } }, 'already_corrected'],
    ['too much goodwill', { ...goodwill, amount: usdt(GOODWILL_MAX.units + 1n) }, 'above_correction_cap'],
    ['goodwill in coins', { ...goodwill, amount: money('BTC', 5n) }, 'above_correction_cap'],
    ['a refund from an account that did not gain', { ...refund, house: 'options_pool' }, 'house_account_wrong'],
    ['a refund from goodwill', { ...refund, house: 'goodwill' }, 'house_account_wrong'],
    ['goodwill from fees', { ...goodwill, house: 'fee_income' }, 'house_account_wrong'],
  ])('refuses %s', (_what, asked, refusal) => {
    expect(decideCorrection(asked)).toMatchObject({ ok: false, refusal });
  });
});
