import { describe, expect, it } from 'vitest';
import { judgePaymentTry, type PaymentTries } from './payment-tries.ts';

const NOW = new Date('2026-11-21T08:00:00Z');
const NONE: PaymentTries = { wrong: 0, wrongInAll: 0, lockedUntil: null };
const later = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);

function wrongTries(count: number, now: Date, from: PaymentTries = NONE): PaymentTries {
  let tries = from;
  for (let n = 0; n < count; n += 1) {
    const judgment = judgePaymentTry(tries, false, now);
    if (judgment.judged !== 'wrong') throw new Error(`try ${n} was ${judgment.judged}`);
    tries = judgment.tries;
  }
  return tries;
}

describe('the limit of the payment password', () => {
  it('E2 locks it for 24 hours with the fifth wrong try, also for right ones', () => {
    expect(wrongTries(4, NOW)).toEqual({ wrong: 4, wrongInAll: 4, lockedUntil: null });
    const locked = wrongTries(5, NOW);
    expect(locked.lockedUntil).toEqual(later(24));
    for (const isRight of [true, false])
      expect(judgePaymentTry(locked, isRight, later(23.99))).toEqual({ judged: 'locked', tries: locked });
    expect(judgePaymentTry(locked, false, later(24))).toEqual({
      judged: 'wrong',
      tries: { wrong: 1, wrongInAll: 6, lockedUntil: null },
    });
    expect(judgePaymentTry(locked, true, later(24))).toEqual({ judged: 'right', tries: NONE });
  });

  it('resets the count of wrong tries with a right one', () => {
    expect(judgePaymentTry(wrongTries(4, NOW), true, NOW)).toEqual({ judged: 'right', tries: NONE });
  });

  it('locks it for good after a hundred wrong tries in a row', () => {
    let tries: PaymentTries | undefined;
    for (let day = 0; day < 20; day += 1) tries = wrongTries(5, later(day * 24), tries);
    expect(tries?.wrongInAll).toBe(100);
    expect(judgePaymentTry(tries as PaymentTries, true, later(24 * 365 * 100)).judged).toBe('locked');
  });
});
