/** The terms of the sign-in ladder, valid from a local day on. */
export interface Ladder {
  readonly version: number;
  readonly effectiveDay: number;
  /** Points, and units of USDT, for each of the seven days. */
  readonly points: readonly bigint[];
  readonly usdt: readonly bigint[];
}
export const LADDER_DAYS = 7;

export interface SignedDay {
  readonly day: number;
  readonly rung: number;
}

/** A local day's position on the ladder: one further than the previous day's, otherwise the first. */
export function rungOn(last: SignedDay | undefined, day: number): number {
  return last !== undefined && last.day === day - 1 ? (last.rung % LADDER_DAYS) + 1 : 1;
}

/** The ladder in force on a day: the one with the latest start, and of several with the same start the newest. */
export function ladderOn(ladders: readonly Ladder[], day: number): Ladder | undefined {
  let found: Ladder | undefined;
  for (const ladder of ladders)
    if (ladder.effectiveDay <= day && (found === undefined || ladder.effectiveDay >= found.effectiveDay))
      found = ladder;
  return found;
}

export const rewardOf = (
  { points, usdt }: Ladder,
  rung: number,
): { readonly points: bigint; readonly usdt: bigint } => ({
  points: points[rung - 1] ?? 0n,
  usdt: usdt[rung - 1] ?? 0n,
});

/** The ladder with which a demo starts. */
export const DEMO_LADDER: Pick<Ladder, 'points' | 'usdt'> = {
  points: [5n, 5n, 10n, 10n, 15n, 20n, 50n],
  usdt: [0n, 0n, 0n, 0n, 0n, 0n, 500_000n],
};
