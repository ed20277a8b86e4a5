/**
 * Decides the sale of a box's draws, the payment of a prize from its hold, and the amount that a box returns at its
 * end. Every open draw holds the largest prize of each asset, so a box can always pay.
 */
import { isMore, type Money, money, subtract } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';

type PrizeAsset = 'USDT' | 'POINTS';

/** One asset of a box: its budget, the part already paid, and its largest prize. */
interface BoxFund<A extends PrizeAsset> {
  readonly budget: Money<A>;
  readonly paid: Money<A>;
  readonly max: Money<A>;
}
export interface BoxSale {
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly isReturned: boolean;
  readonly drawn: number;
  readonly drawsMax: number;
  /** Draws that have no result yet. */
  readonly open: number;
  readonly usdt: BoxFund<'USDT'>;
  readonly points: BoxFund<'POINTS'>;
}

/** The part of the fund that is neither paid nor held for open draws. */
const leftOf = <A extends PrizeAsset>({ budget, paid, max }: BoxFund<A>, open: number): Money<A> =>
  subtract(subtract(budget, paid), money(max.asset, max.units * BigInt(open)));

export type BoxState = 'open' | 'no_licence' | 'upcoming' | 'closed' | 'sold_out' | 'fund_spent';
/** Decides whether the next draw can be sold. A box stops when it could not pay the largest prize. */
export function boxState(box: BoxSale, isOffering: boolean, now: Date): BoxState {
  if (!isOffering) return 'no_licence';
  if (now < box.opensAt) return 'upcoming';
  if (now >= box.closesAt || box.isReturned) return 'closed';
  if (box.drawn >= box.drawsMax) return 'sold_out';
  const isSpent =
    isMore(box.usdt.max, leftOf(box.usdt, box.open)) || isMore(box.points.max, leftOf(box.points, box.open));
  return isSpent ? 'fund_spent' : 'open';
}

export interface AskedDraw {
  readonly state: BoxState;
  readonly price: Money<'POINTS'>;
  readonly available: Money<'POINTS'>;
}
/** Checks in the order written here. */
export function decideDraw({
  state,
  price,
  available,
}: AskedDraw): Decision<null, 'box_sold_out' | 'box_closed' | 'points_missing'> {
  if (state === 'sold_out' || state === 'fund_spent') return refuse('box_sold_out');
  if (state !== 'open') return refuse('box_closed');
  if (isMore(price, available)) return refuse('points_missing');
  return accept(null);
}

/** The part of a draw's hold that is paid; the rest returns to the box. Null voids the hold. */
export function decidePrize(held: Money<PrizeAsset>, won: Money<PrizeAsset>): Money<PrizeAsset> | null {
  if (held.asset !== won.asset) return null;
  if (isMore(won, held)) throw new Error('a prize is larger than the largest');
  return won;
}

/** A box returns this part of its budget when it has ended. */
export const unspentOf = <A extends PrizeAsset>({ budget, paid }: BoxFund<A>): Money<A> => subtract(budget, paid);

/** Decides whether the accounts of rewards can pay a box's budget. */
export const decideBoxFunding = (
  wanted: { readonly usdt: Money<'USDT'>; readonly points: Money<'POINTS'> },
  available: { readonly usdt: Money<'USDT'>; readonly points: Money<'POINTS'> },
): Decision<null, 'not_funded'> =>
  isMore(wanted.usdt, available.usdt) || isMore(wanted.points, available.points) ? refuse('not_funded') : accept(null);
