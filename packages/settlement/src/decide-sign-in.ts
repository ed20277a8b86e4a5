/** Decides a daily sign-in: one per local day, a rung above yesterday's, or the first rung without one. */
import { isMore, type Money, subtract, zero } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';

export const LADDER_DAYS = 7;

export interface SignedDay {
  readonly day: number;
  readonly rung: number;
}
/** The rewards of the rungs, from the first. */
export interface LadderRewards {
  readonly points: readonly Money<'POINTS'>[];
  readonly usdt: readonly Money<'USDT'>[];
}
export interface Reward {
  readonly points: Money<'POINTS'>;
  readonly usdt: Money<'USDT'>;
}

/** The rung of a local day's sign-in. */
export const ladderRungOn = (last: SignedDay | undefined, day: number): number =>
  last !== undefined && last.day === day - 1 ? (last.rung % LADDER_DAYS) + 1 : 1;

export const rewardOfRung = ({ points, usdt }: LadderRewards, rung: number): Reward => ({
  points: points[rung - 1] ?? zero('POINTS'),
  usdt: usdt[rung - 1] ?? zero('USDT'),
});

export const hasReward = ({ points, usdt }: Reward): boolean => points.units > 0n || usdt.units > 0n;

export interface AskedSignIn {
  /** Undefined while no ladder is in force. */
  readonly ladder: LadderRewards | undefined;
  readonly day: number;
  readonly last: SignedDay | undefined;
  /** The balances of the house's accounts of rewards. */
  readonly available: Reward;
}
/** Points are paid every day. USDT is paid in full or not at all, and the app shows the `missed` amount. */
export interface SignIn extends Reward {
  readonly rung: number;
  readonly missed: Money<'USDT'>;
}
export type SignInRefusal = 'sign_in_closed' | 'already_signed_in' | 'reward_fund_empty';

/** Checks in the order written here. */
export function decideSignIn({ ladder, day, last, available }: AskedSignIn): Decision<SignIn, SignInRefusal> {
  if (ladder === undefined) return refuse('sign_in_closed');
  // Setting the clock back does not pay a day again.
  if (last !== undefined && last.day >= day) return refuse('already_signed_in');
  const rung = ladderRungOn(last, day);
  const reward = rewardOfRung(ladder, rung);
  if (isMore(reward.points, available.points)) return refuse('reward_fund_empty');
  const usdt = isMore(reward.usdt, available.usdt) ? zero('USDT') : reward.usdt;
  if (!hasReward({ ...reward, usdt })) return refuse('reward_fund_empty');
  return accept({ rung, points: reward.points, usdt, missed: subtract(reward.usdt, usdt) });
}
