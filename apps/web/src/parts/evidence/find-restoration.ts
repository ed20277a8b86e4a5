import type { listRestorations, ResultOf } from '@sathorn/api';

type Restoration = ResultOf<typeof listRestorations>['items'][number];

/**
 * Finds the published restoration after which this tick's number was used again, newest first. A restoration explains
 * only what a device received before it, not a later rewrite.
 */
export function findRestoration(
  restorations: readonly Restoration[],
  tick: { readonly coin: string; readonly sequence: bigint; readonly sinceMs: number | undefined },
): Restoration | undefined {
  return restorations.find(
    ({ restored_at, ticks }) =>
      tick.sequence > BigInt(ticks[tick.coin] ?? 0) && (tick.sinceMs ?? 0) < Date.parse(restored_at),
  );
}
