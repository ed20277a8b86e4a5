/**
 * One customer's liquidity and the part of it that earns, in units. Money subscribed today is fresh and earns from the
 * next day. A quick redemption stops earning today, a normal one still earns today. Redemptions take fresh money first,
 * because it does not earn yet.
 */
export interface LiquidityPosition {
  /** The local day that the other fields describe. No later day has movements yet. */
  readonly day: number;
  /** Earns on `day`. */
  readonly earning: bigint;
  /** The part of `earning` that normal redemptions remove after `day`. */
  readonly leaving: bigint;
  /** Subscribed on `day`: earns from the next day. */
  readonly fresh: bigint;
}

export const emptyPosition = (day: number): LiquidityPosition => ({ day, earning: 0n, leaving: 0n, fresh: 0n });

/** The units that can be redeemed. */
export const redeemableUnits = ({ earning, leaving, fresh }: LiquidityPosition): bigint => earning - leaving + fresh;

/** The position as of a later day. If the clock steps back over midnight, the position stays unchanged. */
export function positionOnDay(position: LiquidityPosition, day: number): LiquidityPosition {
  return day <= position.day ? position : { day, earning: redeemableUnits(position), leaving: 0n, fresh: 0n };
}

export const subscribeToPosition = (position: LiquidityPosition, units: bigint): LiquidityPosition => ({
  ...position,
  fresh: position.fresh + units,
});

export type RedemptionSpeed = 'quick' | 'normal';

/** Throws if there is not enough. */
export function redeemFromPosition(
  position: LiquidityPosition,
  units: bigint,
  speed: RedemptionSpeed,
): LiquidityPosition {
  if (units <= 0n || units > redeemableUnits(position))
    throw new RangeError(`${units} of ${redeemableUnits(position)}`);
  const fromFresh = units < position.fresh ? units : position.fresh;
  const rest = units - fromFresh;
  const fresh = position.fresh - fromFresh;
  return speed === 'quick'
    ? { ...position, fresh, earning: position.earning - rest }
    : { ...position, fresh, leaving: position.leaving + rest };
}
