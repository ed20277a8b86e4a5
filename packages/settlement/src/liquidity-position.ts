/**
 * What one customer has in liquidity, and what of it earns. Within a day, what was subscribed is fresh and earns from
 * the next day on; a quick redemption no longer earns that day; a normal one still does. Redemptions take what is
 * fresh first, because that forgoes nothing.
 */
export interface LiquidityPosition {
  /** The local day that the rest is true of. Later days have no movements yet. */
  readonly day: number;
  /** Earns on `day`. */
  readonly earning: bigint;
  /** The part of `earning` that a normal redemption takes away after `day`. */
  readonly leaving: bigint;
  /** Subscribed on `day`: earns from the day after. */
  readonly fresh: bigint;
}

export const emptyPosition = (day: number): LiquidityPosition => ({ day, earning: 0n, leaving: 0n, fresh: 0n });

/** What a redemption may take. */
export const redeemable = ({ earning, leaving, fresh }: LiquidityPosition): bigint => earning - leaving + fresh;

/** The position as it stands on a later day. A clock that steps back over midnight leaves it where it is. */
export function onDay(position: LiquidityPosition, day: number): LiquidityPosition {
  return day <= position.day ? position : { day, earning: redeemable(position), leaving: 0n, fresh: 0n };
}

export const subscribed = (position: LiquidityPosition, units: bigint): LiquidityPosition => ({
  ...position,
  fresh: position.fresh + units,
});

export type RedemptionSpeed = 'quick' | 'normal';

/** Throws when there is not so much. */
export function redeemed(position: LiquidityPosition, units: bigint, speed: RedemptionSpeed): LiquidityPosition {
  if (units <= 0n || units > redeemable(position)) throw new RangeError(`${units} of ${redeemable(position)}`);
  const fromFresh = units < position.fresh ? units : position.fresh;
  const rest = units - fromFresh;
  const fresh = position.fresh - fromFresh;
  return speed === 'quick'
    ? { ...position, fresh, earning: position.earning - rest }
    : { ...position, fresh, leaving: position.leaving + rest };
}
