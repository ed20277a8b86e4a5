/** Terms of the sign-in ladder from a local day on. */
export interface Ladder {
  readonly version: number;
  readonly effectiveDay: number;
  /** Points and units of USDT of each of the seven days. */
  readonly points: readonly bigint[];
  readonly usdt: readonly bigint[];
}
export const LADDER_DAYS = 7;

export interface SignedDay {
  readonly day: number;
  readonly rung: number;
}

/** The day of the ladder that a local day is: one further after the day before, else the first. */
export function rungOn(last: SignedDay | undefined, day: number): number {
  return last !== undefined && last.day === day - 1 ? (last.rung % LADDER_DAYS) + 1 : 1;
}

/** The terms in force on a day: of those that have begun the latest, and of one day the newest. */
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

/** What a demonstration begins with. */
export const DEMO_LADDER: Pick<Ladder, 'points' | 'usdt'> = {
  points: [5n, 5n, 10n, 10n, 15n, 20n, 50n],
  usdt: [0n, 0n, 0n, 0n, 0n, 0n, 500_000n],
};
