/** How many days money must stay before it counts for a level. Published with the levels. */
export const LEVEL_HELD_DAYS = 7;
const DAY_MS = 86_400_000;

/** Money that came in (more than 0) or went out (less). Bank money is listed only where two stood behind it. */
export interface Flow {
  readonly at: Date;
  readonly units: bigint;
}

/**
 * The net inflow that counts for a level: the least that it was during the last days. So the same money in circles
 * counts once, and what came lately not yet. A withdrawn profit is no debt: the net inflow is never below zero.
 * `held` is the net inflow now; the difference counts later, if it stays.
 */
export function heldInflow(
  flows: readonly Flow[],
  now: Date,
  days: number = LEVEL_HELD_DAYS,
): { readonly counted: bigint; readonly held: bigint } {
  const since = now.getTime() - days * DAY_MS;
  let net = 0n;
  let least: bigint | null = null;
  // Of movements at one moment, those that leave count first.
  const sorted = flows.toSorted((a, b) => Number(a.at) - Number(b.at) || (a.units < b.units ? -1 : 1));
  for (const { at, units } of sorted) {
    if (at.getTime() > since && least === null) least = net;
    net = net + units < 0n ? 0n : net + units;
    if (least !== null && net < least) least = net;
  }
  return { counted: least ?? net, held: net };
}
