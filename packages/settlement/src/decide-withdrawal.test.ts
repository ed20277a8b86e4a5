import { add, money, type Rate, zero } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import {
  type AskedWithdrawal,
  type AskedWithdrawalRefusal,
  decideWithdrawal,
  isQuoteFor,
  isStoppedByFreeze,
  longestWait,
  type VotedWithdrawal,
  withdrawalFee,
} from './decide-withdrawal.ts';

const usdt = (units: bigint) => money('USDT', units);
const THRESHOLDS = { one_person_from: usdt(1_000n), two_people_from: usdt(5_000n) };
const asked: AskedWithdrawal = {
  amount: usdt(100n),
  received: usdt(90n),
  people: 0,
  isFrozen: false,
  isHouse: false,
  isQuoteUsed: false,
  today: usdt(300n),
  dailyMax: usdt(2_000n),
  min: usdt(50n),
  available: usdt(500n),
};

describe('a withdrawal before its hold', () => {
  it.each<[string, Partial<AskedWithdrawal>, AskedWithdrawalRefusal | null, string | undefined]>([
    ['as it was asked for', {}, null, undefined],
    ['of a frozen customer, before anything else', { isFrozen: true, isHouse: true }, 'account_frozen', undefined],
    ['to an address of the house', { isHouse: true, isQuoteUsed: true }, 'address_of_house', 'target'],
    ['with a quote that was used', { isQuoteUsed: true, today: usdt(9_999n) }, 'quote_expired', 'quote'],
    ['up to the day’s limit', { today: usdt(800n), dailyMax: usdt(900n) }, null, undefined],
    ['a unit above the day’s limit', { today: usdt(801n), dailyMax: usdt(900n) }, 'exceeds_daily_limit', 'amount'],
    ['with all of the balance', { available: usdt(100n) }, null, undefined],
    ['a unit above the balance', { available: usdt(99n) }, 'exceeds_balance', 'amount'],
    ['at the minimum', { min: usdt(100n) }, null, undefined],
    ['a unit below the minimum', { min: usdt(101n) }, 'below_minimum', 'amount'],
    ['below the minimum, but all of the balance', { min: usdt(101n), available: usdt(100n) }, null, undefined],
    ['of which the fee leaves nothing', { received: zero('THB') }, 'below_minimum', 'amount'],
    ['a unit below the sum that needs a person', { today: usdt(899n) }, null, undefined],
    ['at the sum that needs a person, who was not announced', { today: usdt(900n) }, 'quote_expired', 'quote'],
    ['at the sum that needs a person, who was announced', { today: usdt(900n), people: 1 }, null, undefined],
    [
      'at the sum that needs two people, with one announced',
      { today: usdt(4_900n), dailyMax: usdt(9_000n), people: 1 },
      'quote_expired',
      'quote',
    ],
  ])('%s', (_what, change, refusal, field) => {
    const given = { ...asked, ...change };
    expect(decideWithdrawal(given, THRESHOLDS)).toEqual(
      refusal === null
        ? { ok: true, effect: add(given.today, given.amount) }
        : expect.objectContaining({ ok: false, refusal, ...(field && { field }) }),
    );
  });

  it('names the rest of the day’s limit, and never less than zero', () => {
    const leftOf = (today: bigint) =>
      decideWithdrawal({ ...asked, today: usdt(today), dailyMax: usdt(350n) }, THRESHOLDS);
    expect(leftOf(300n)).toMatchObject({ params: { left: '0.000050' } });
    expect(leftOf(400n)).toMatchObject({ params: { left: '0.000000' } });
  });
});

describe('the fee of a withdrawal', () => {
  const fee = { fixed: usdt(1_000_000n), rate: 100_000n as Rate };
  it.each([
    [120_000_000n, 1_120_000n],
    // 0.1% of this has a seventh decimal, which is rounded up.
    [120_000_001n, 1_120_001n],
    [120_000_999n, 1_120_001n],
    [120_001_000n, 1_120_001n],
    [1n, 1_000_001n],
  ])('of %i units is %i', (amount, units) => expect(withdrawalFee(fee, usdt(amount))).toEqual(usdt(units)));
});

describe('a withdrawal that must wait', () => {
  const now = new Date('2036-01-01T12:00:00Z');
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  it.each<[string, Date | null, Date | null, { reason: string; until: Date } | null]>([
    ['for nothing', null, null, null],
    ['for what is over', at(0), at(-1), null],
    ['for a new payee', at(3), null, { reason: 'new_payee', until: at(3) }],
    ['for changed credentials', at(-1), at(2), { reason: 'credentials_changed', until: at(2) }],
    ['longest for the payee', at(3), at(2), { reason: 'new_payee', until: at(3) }],
    ['longest for the credentials, which changed later', at(2), at(3), { reason: 'credentials_changed', until: at(3) }],
  ])('waits %s', (_what, payee, credentials, wait) =>
    expect(
      longestWait(
        [
          ['new_payee', payee],
          ['credentials_changed', credentials],
        ],
        now,
      ),
    ).toEqual(wait),
  );
});

describe('a quote', () => {
  const now = new Date('2036-01-01T12:00:00Z');
  const quote = { channel: 'testnet', payee: 'a', amount: usdt(100n), validUntil: now };
  const order = { channel: 'testnet', payee: 'a', amount: usdt(100n) };
  it.each([
    ['is for its withdrawal, to the last moment', {}, {}, true],
    ['is not for another payee', {}, { payee: 'b' }, false],
    ['is not for another amount', {}, { amount: usdt(101n) }, false],
    ['is not for another channel', {}, { channel: 'bank' }, false],
    ['is void a moment later', { validUntil: new Date(now.getTime() - 1) }, {}, false],
  ])('%s', (_what, change, other, isRight) =>
    expect(isQuoteFor({ ...quote, ...change }, { ...order, ...other }, now)).toBe(isRight),
  );
  it('that does not exist matches nothing', () => expect(isQuoteFor(null, order, now)).toBe(false));
});

describe('a freeze', () => {
  it.each<[VotedWithdrawal, 'approve' | 'reject', boolean]>([
    ['withdrawal', 'approve', true],
    ['withdrawal', 'reject', false],
    ['payout_release', 'approve', true],
    ['payout_release', 'reject', false],
    ['payout_return', 'approve', false],
    ['withdrawal_paid', 'approve', false],
    ['withdrawal_failed', 'approve', false],
    ['withdrawal_lost', 'approve', false],
  ])('of its owner and the vote %s, %s: stopped is %s', (what, decision, isStopped) =>
    expect(isStoppedByFreeze(what, decision)).toBe(isStopped),
  );
});
