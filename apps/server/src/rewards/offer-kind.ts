import { formatMoney, money } from '@sathorn/money';
import { type Fields, type OfferKind, unitsOf } from '../offer/index.ts';
import { LADDER_DAYS, type Ladder } from './ladder.ts';
import type { Rewards } from './open-rewards.ts';

const POINTS = /^(0|[1-9][0-9]{0,8})$/;

export function ladderFields({ points, usdt }: Pick<Ladder, 'points' | 'usdt'>): Fields {
  return {
    days: points.map((each, n) => ({ points: String(each), usdt: formatMoney(money('USDT', usdt[n] ?? 0n)) })),
  };
}

function ladderOf({ days }: Fields): Pick<Ladder, 'points' | 'usdt'> {
  const rows = days as unknown as readonly { readonly points: string; readonly usdt: string }[];
  return { points: rows.map(({ points }) => BigInt(points)), usdt: rows.map(({ usdt }) => unitsOf(usdt)) };
}

/** The sign-in ladder: whoever signs in from that day on gets the new rewards. */
export function ladderOffer(rewards: Pick<Rewards, 'addLadder' | 'dayOf'>): OfferKind {
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
    // The notice is the same for everybody and stands on the page: nobody has a position that it changes.
    audience: async () => [],
    apply: (transaction, change, now) =>
      rewards.addLadder(transaction, ladderOf(change.after), rewards.dayOf(change.effectiveFrom), change.approval, now),
  };
}
