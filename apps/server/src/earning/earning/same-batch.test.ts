import type { Money, Rate } from '@sathorn/money';
import type { Decision } from '@sathorn/settlement';
import { describe, expect, it } from 'vitest';
import { type Funds, HOUSE_OWNER } from '../../ledger/index.ts';
import { localDays } from '../../platform/local-day.ts';
import { LIQUIDITY_PRODUCT, TermsCatalogue } from './earning-terms.ts';
import { redeemLiquidityKind, subscribeLiquidityKind } from './move-liquidity.ts';
import { subscribeLockupKind } from './subscribe-lockup.ts';
import { usdt } from './testing.ts';

// Orders of one batch are decided one after the other before any is written, so each must count those before it.
// Otherwise the database would refuse the whole batch; the cover of liquidity is not even checked there.
const days = localDays('Asia/Bangkok');
const now = new Date('2036-12-01T05:00:00Z');
const day = days.dayOf(now);
const product = { version: 1, effectiveDay: 0, isOffered: true, min: usdt('0.000001') };
const catalogue = new TermsCatalogue([
  { ...product, product: LIQUIDITY_PRODUCT, stages: [{ from: 0n, rate: 5_000_000n as Rate }] },
  { ...product, product: 30, dailyRate: 15_000n as Rate, max: usdt('50000'), quota: usdt('80000') },
]);
const cost = { lastDay: 0n, subscribed: 0n, next: null };
/** Gives customers enough money, and `fund` units to the account that pays the yield. */
const fundsOf = (fund: bigint): Funds => ({
  available: ({ owner }) => (owner === HOUSE_OWNER ? fund : 10n ** 15n),
  held: () => 0n,
});
const kinds = { isOffering: () => true, days };

/** Decides twelve commands in one batch; returns how many are accepted, and why the others are refused. */
function twelve<Command>(
  kind: { decide(command: Command, funds: Funds, acceptance: never): Decision<unknown, string> },
  context: object,
  funds: Funds,
  commandOf: (n: number) => Command,
): { readonly accepted: number; readonly refusals: readonly string[] } {
  const decisions = Array.from(
    { length: 12 },
    (_, n): Decision<unknown, string> =>
      kind.decide(commandOf(n), funds, {
        context,
        now,
        intent: { id: String(n), digest: '' },
      } as never),
  );
  return {
    accepted: decisions.filter(({ ok }) => ok).length,
    refusals: [...new Set(decisions.flatMap((decision) => (decision.ok ? [] : decision.refusal)))],
  };
}

describe('of twelve in one batch', () => {
  const amount: Money<'USDT'> = usdt('12500');
  const lockups = () => ({
    standings: new Map(),
    catalogue,
    cost,
    taken: new Map(),
    takenBy: new Map(),
    subscribed: new Map(),
  });
  const moves = () => ({ day, now, catalogue, cost, quick: usdt('0'), moves: new Map() });

  it('accepts as many lock-ups of one customer as their maximum allows', () =>
    expect(
      twelve(subscribeLockupKind(kinds), lockups(), fundsOf(10n ** 15n), () => ({
        customer: 101n,
        product: 30,
        amount,
        quote: null,
        standing: null,
      })),
    ).toEqual({ accepted: 4, refusals: ['above_maximum'] }));

  it('accepts as many lock-ups of all customers as the quota allows', () =>
    expect(
      twelve(subscribeLockupKind(kinds), lockups(), fundsOf(10n ** 15n), (n) => ({
        customer: BigInt(101 + n),
        product: 30,
        amount,
        quote: null,
        standing: null,
      })),
    ).toEqual({ accepted: 6, refusals: ['sold_out'] }));

  it('accepts as many subscriptions of liquidity as the fund can pay for thirty days', () =>
    // At 5% per year, 100 USDT cost at most 13,699 units per day, and 200 USDT 27,398.
    expect(
      twelve(subscribeLiquidityKind(kinds), moves(), fundsOf((27_398n + 13_699n) * 30n), (n) => ({
        customer: BigInt(101 + n),
        amount: usdt('100'),
        quote: null,
        standing: null,
      })),
    ).toEqual({ accepted: 3, refusals: ['yield_uncovered'] }));

  it('accepts as many quick redemptions as the day’s cap allows', () =>
    expect(
      twelve(redeemLiquidityKind(kinds), moves(), fundsOf(10n ** 15n), (n) => ({
        customer: BigInt(101 + n),
        amount: usdt('9000000'),
        speed: 'quick' as const,
        quote: null,
      })),
    ).toEqual({ accepted: 3, refusals: ['quick_cap_reached'] }));
});
