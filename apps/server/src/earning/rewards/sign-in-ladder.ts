import { money } from '@sathorn/money';
import type { LadderRewards } from '@sathorn/settlement';

/** The terms of the sign-in ladder, valid from a local day on. */
export interface SignInLadder extends LadderRewards {
  readonly version: number;
  readonly effectiveDay: number;
}

export const ladderRewardsOf = (points: readonly bigint[], usdt: readonly bigint[]): LadderRewards => ({
  points: points.map((units) => money('POINTS', units)),
  usdt: usdt.map((units) => money('USDT', units)),
});

/**
 * The ladder in force on a day: the one that started last. If several start on the same day, the last in the list wins.
 */
export function ladderOnDay(ladders: readonly SignInLadder[], day: number): SignInLadder | undefined {
  let found: SignInLadder | undefined;
  for (const ladder of ladders)
    if (ladder.effectiveDay <= day && (found === undefined || ladder.effectiveDay >= found.effectiveDay))
      found = ladder;
  return found;
}

/** The ladder with which a demo starts. */
export const DEMO_LADDER = ladderRewardsOf([5n, 5n, 10n, 10n, 15n, 20n, 50n], [0n, 0n, 0n, 0n, 0n, 0n, 500_000n]);
