/** Decides a daily sign-in: once a local day, one rung further than the day before, otherwise from the first. */
import { isMore, type Money, subtract, zero } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';

export const LADDER_DAYS = 7;

export interface SignedDay {
  readonly day: number;
  readonly rung: number;
}
/** The rewards of the rungs, the first first. */
export interface LadderRewards {
  readonly points: readonly Money<'POINTS'>[];
  readonly usdt: readonly Money<'USDT'>[];
}
export interface Reward {
  readonly points: Money<'POINTS'>;
  readonly usdt: Money<'USDT'>;
}

/** A local day's position on the ladder. */
export const rungOn = (last: SignedDay | undefined, day: number): number =>
  last !== undefined && last.day === day - 1 ? (last.rung % LADDER_DAYS) + 1 : 1;

export const rewardOf = ({ points, usdt }: LadderRewards, rung: number): Reward => ({
  points: points[rung - 1] ?? zero('POINTS'),
  usdt: usdt[rung - 1] ?? zero('USDT'),
});

export const hasReward = ({ points, usdt }: Reward): boolean => points.units > 0n || usdt.units > 0n;

export interface AskedSignIn {
  /** Undefined where no ladder is in force. */
  readonly ladder: LadderRewards | undefined;
  readonly day: number;
  readonly last: SignedDay | undefined;
  /** What the house's accounts of rewards have. */
  readonly available: Reward;
}
/** Points are promised for every day. USDT is paid in full or not at all, and `missed` is shown. */
export interface SignIn extends Reward {
  readonly rung: number;
  readonly missed: Money<'USDT'>;
}
export type SignInRefusal = 'sign_in_closed' | 'already_signed_in' | 'reward_fund_empty';

/** Checks in the order written here. */
export function decideSignIn({ ladder, day, last, available }: AskedSignIn): Decision<SignIn, SignInRefusal> {
  if (ladder === undefined) return refuse('sign_in_closed');
  // A clock that was set back does not pay a day again.
  if (last !== undefined && last.day >= day) return refuse('already_signed_in');
  const rung = rungOn(last, day);
  const reward = rewardOf(ladder, rung);
  if (isMore(reward.points, available.points)) return refuse('reward_fund_empty');
  const usdt = isMore(reward.usdt, available.usdt) ? zero('USDT') : reward.usdt;
  if (!hasReward({ ...reward, usdt })) return refuse('reward_fund_empty');
  return accept({ rung, points: reward.points, usdt, missed: subtract(reward.usdt, usdt) });
}
