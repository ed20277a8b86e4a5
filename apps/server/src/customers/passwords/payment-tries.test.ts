import { describe, expect, it } from 'vitest';
import { chargePaymentTry, type PaymentTries } from './payment-tries.ts';

const NOW = new Date('2026-11-21T08:00:00Z');
const later = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);

function wrongTries(
  count: number,
  now: Date,
  from: PaymentTries = { wrong: 0, wrongInAll: 0, lockedUntil: null },
): PaymentTries {
  let tries = from;
  for (let n = 0; n < count; n += 1) {
    const decision = chargePaymentTry(tries, now);
    if (!decision.ok) throw new Error(`try ${n} was refused`);
    tries = decision.effect;
  }
  return tries;
}

describe('the limit of the payment password', () => {
  it('locks it for 24 hours with the fifth wrong try', () => {
    expect(wrongTries(4, NOW)).toEqual({ wrong: 4, wrongInAll: 4, lockedUntil: null });
    const locked = wrongTries(5, NOW);
    expect(locked.lockedUntil).toEqual(later(24));
    expect(chargePaymentTry(locked, later(23.99))).toEqual({
      ok: false,
      refusal: 'paypass_locked',
      params: { until: later(24).toISOString() },
    });
    expect(chargePaymentTry(locked, later(24))).toEqual({
      ok: true,
      effect: { wrong: 1, wrongInAll: 6, lockedUntil: null },
    });
  });

  it('locks it for good after a hundred wrong tries in a row', () => {
    let tries: PaymentTries | undefined;
    for (let day = 0; day < 20; day += 1) tries = wrongTries(5, later(day * 24), tries);
    expect(tries?.wrongInAll).toBe(100);
    expect(chargePaymentTry(tries as PaymentTries, later(24 * 365 * 100))).toMatchObject({ refusal: 'paypass_locked' });
  });
});
