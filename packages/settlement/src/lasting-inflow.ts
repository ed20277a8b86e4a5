/** Money must stay this many days before it counts for a level. The number is published with the levels. */
export const LEVEL_INFLOW_DAYS = 7;
const DAY_MS = 86_400_000;

/** Money that came in (positive) or went out (negative). Bank money is listed only if two people confirmed it. */
export interface MoneyFlow {
  readonly at: Date;
  readonly units: bigint;
}

/**
 * Returns the net inflow that counts for a level (`counted`): the smallest net inflow of the last days. So money that
 * moves in circles counts once, and new money does not count yet. The net inflow is never below zero, because a
 * withdrawn profit is not a debt. `held` is the net inflow now; the difference counts later, if it stays.
 */
export function lastingInflow(
  flows: readonly MoneyFlow[],
  now: Date,
  days: number = LEVEL_INFLOW_DAYS,
): { readonly counted: bigint; readonly held: bigint } {
  const since = now.getTime() - days * DAY_MS;
  let net = 0n;
  let least: bigint | null = null;
  // Among movements at the same moment, departures count first.
  const sorted = flows.toSorted((a, b) => Number(a.at) - Number(b.at) || (a.units < b.units ? -1 : 1));
  for (const { at, units } of sorted) {
    if (at.getTime() > since && least === null) least = net;
    net = net + units < 0n ? 0n : net + units;
    if (least !== null && net < least) least = net;
  }
  return { counted: least ?? net, held: net };
}
