import { formatMoney, zero } from '@sathorn/money';
import { LADDER_DAYS, type LadderRewards } from '@sathorn/settlement';
import { type OfferFields, type OfferKind, storedUnitsOf } from '../../staff/offer/index.ts';
import type { Rewards } from './rewards.ts';
import { ladderRewardsOf } from './sign-in-ladder.ts';

const POINTS = /^(0|[1-9][0-9]{0,8})$/;

export function ladderFieldsOf({ points, usdt }: LadderRewards): OfferFields {
  return {
    days: points.map(({ units }, n) => ({ points: String(units), usdt: formatMoney(usdt[n] ?? zero('USDT')) })),
  };
}

function ladderOf({ days }: OfferFields): LadderRewards {
  const rows = days as unknown as readonly { readonly points: string; readonly usdt: string }[];
  return ladderRewardsOf(
    rows.map(({ points }) => BigInt(points)),
    rows.map(({ usdt }) => storedUnitsOf(usdt)),
  );
}

/** New rewards of the check-in ladder. They apply to check-ins from their start day on. */
export function ladderOfferKind(rewards: Pick<Rewards, 'addLadder' | 'dayOf'>): OfferKind {
  return {
    name: 'ladder',
    page: 'products',
    subjects: ['daily'],
    beginsAtMidnight: true,
    read(_subject, from) {
      const days = from.list('days', { min: LADDER_DAYS, max: LADDER_DAYS }, (day) => ({
        points: day.text('points', POINTS),
        usdt: day.usdt('usdt'),
      }));
      from.demand(
        days.some(({ points }) => points !== '0'),
        'days',
      );
      return { days };
    },
    // No customer is notified, because the change affects no open position and the page announces it.
    audience: async () => [],
    apply: (transaction, change, now) =>
      rewards.addLadder(transaction, ladderOf(change.after), rewards.dayOf(change.effectiveFrom), change.approval, now),
  };
}
