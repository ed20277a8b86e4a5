import { money } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { decideVoid, LATE_VOID_WITHIN_MS, type SettledOption, type VoidRefusal, voidUntilOf } from './decide-void.ts';

const SETTLED = 1_800_000_000_000;
const order: SettledOption = {
  status: 'lost',
  stake: money('USDT', 10_000_000n),
  fee: money('USDT', 0n),
  startLateMs: 0,
  endLateMs: 5_001,
  settledMs: SETTLED,
  isVoided: false,
  isCorrected: false,
};
const decide = (change: Partial<SettledOption> = {}, afterMs = 1_000, pool = 10_000_000n) =>
  decideVoid({ order: { ...order, ...change }, nowMs: SETTLED + afterMs, poolAvailable: money('USDT', pool) });

describe('having a lost option void', () => {
  it.each<[string, Partial<SettledOption>, number]>([
    ['its end price was more than five seconds late', {}, 1_000],
    ['its start price was', { startLateMs: 60_000, endLateMs: 0 }, 1_000],
    ['the seven days end now', {}, LATE_VOID_WITHIN_MS],
  ])('returns the stake if %s', (_why, change, afterMs) => {
    expect(decide(change, afterMs)).toMatchObject({ ok: true, effect: money('USDT', 10_000_000n) });
  });

  it('returns a fee that was taken too', () => {
    expect(decide({ fee: money('USDT', 5n) }, 0, 10_000_005n)).toMatchObject({ effect: money('USDT', 10_000_005n) });
  });

  it.each<[VoidRefusal, Partial<SettledOption>, number, bigint]>([
    ['order_not_settled', { status: 'holding', settledMs: null }, 0, 10_000_000n],
    ['already_void', { isVoided: true }, 0, 10_000_000n],
    ['already_void', { status: 'void' }, 0, 10_000_000n],
    ['order_not_lost', { status: 'won' }, 0, 10_000_000n],
    ['order_not_lost', { status: 'tie' }, 0, 10_000_000n],
    ['prices_not_late', { endLateMs: 0 }, 0, 10_000_000n],
    ['prices_not_late', { startLateMs: 5_000, endLateMs: 5_000 }, 0, 10_000_000n],
    ['void_too_late', {}, LATE_VOID_WITHIN_MS + 1, 10_000_000n],
    ['loss_corrected', { isCorrected: true }, 0, 10_000_000n],
    ['pool_short', {}, 0, 9_999_999n],
  ])('is refused: %s', (refusal, change, afterMs, pool) => {
    expect(decide(change, afterMs, pool)).toMatchObject({ ok: false, refusal });
  });

  it('is refused without such an order of this customer', () => {
    expect(decideVoid({ order: undefined, nowMs: SETTLED, poolAvailable: money('USDT', 10_000_000n) })).toMatchObject({
      ok: false,
      refusal: 'order_unknown',
    });
  });

  it('is offered exactly where it is possible', () => {
    expect(voidUntilOf(order)).toBe(SETTLED + LATE_VOID_WITHIN_MS);
    for (const change of [{ status: 'won' }, { isVoided: true }, { endLateMs: 5_000 }, { settledMs: null }] as const)
      expect(voidUntilOf({ ...order, ...change })).toBeNull();
  });
});
