import type { Tick } from './tick.ts';

/** What the platform says about an order that an index tick triggered. Times in ms, prices in units of 10^-6 USDT. */
export interface TriggerClaim {
  readonly coin: string;
  /** True if the order triggers at or above its price, false if at or below. */
  readonly isAbove: boolean;
  readonly triggerPrice: bigint;
  /** Only later ticks trigger it. */
  readonly armedMs: number;
  readonly tick: { readonly sequence: bigint; readonly atMs: number; readonly price: bigint };
}

export type TriggerFault =
  /** The ticks do not lead to the one that is named. */
  | 'tick_missing'
  /** The chain has another time or price under this number. */
  | 'tick_differs'
  | 'tick_before_armed'
  | 'price_not_reached'
  /** A tick before it triggers the order already. */
  | 'not_first';

/**
 * Checks that the named tick triggers the order, and that none before it among these does. `ticks` are consecutive and
 * verified (`verifyTickPage`), and end with the named tick. The claim is proven completely if `isWholeWait` is true.
 * Null if nothing is wrong.
 */
export function faultOfTrigger(claim: TriggerClaim, ticks: readonly Tick[]): TriggerFault | null {
  const { tick: named, armedMs } = claim;
  const last = ticks.at(-1);
  if (last === undefined || last.sequence !== named.sequence || last.coin !== claim.coin) return 'tick_missing';
  if (last.at !== named.atMs || last.price !== named.price) return 'tick_differs';
  if (last.at <= armedMs) return 'tick_before_armed';
  const reaches = ({ price }: Tick): boolean =>
    claim.isAbove ? price >= claim.triggerPrice : price <= claim.triggerPrice;
  if (!reaches(last)) return 'price_not_reached';
  const isEarlier = ticks.some((tick) => tick !== last && tick.at > armedMs && reaches(tick));
  return isEarlier ? 'not_first' : null;
}

/** True if these ticks begin no later than the order could be triggered, so that none is missing. */
export const isWholeWait = ({ armedMs }: Pick<TriggerClaim, 'armedMs'>, ticks: readonly Tick[]): boolean => {
  const [first] = ticks;
  return first !== undefined && (first.at <= armedMs || first.sequence === 1n);
};
