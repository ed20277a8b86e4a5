import type { listRestorations, ResultOf } from '@sathorn/api';

type Restoration = ResultOf<typeof listRestorations>['items'][number];

/**
 * The published restoration after which this tick's number was used again, newest first. It explains only a memory that
 * is older than itself: what was rewritten later is not its doing.
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
