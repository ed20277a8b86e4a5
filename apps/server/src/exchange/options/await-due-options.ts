import { setTimeout as pause } from 'node:timers/promises';
import { type Queries, statement } from '../../platform/database/index.ts';

/** How long a stop waits at most. */
const WAIT_MAX_MS = 10_000;
/** How long after an acceptance the first tick is certainly published. */
const START_MS = 2_000;
/** How long after an end its tick is published and the order is settled. */
const SETTLED_MS = 1_500;
const LOOK_EVERY_MS = 200;

// Counts orders that end in time, or still wait for their start tick.
const READ_NEAR = statement(
  'options.read_near',
  `SELECT count(*) AS orders, max(CASE WHEN ends_ms <= now_ms + $1 THEN ends_ms ELSE accepted_ms + $2 END) AS last_ms, max(now_ms) AS now_ms
   FROM options.orders, (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms) clock
   WHERE status = 'holding' AND (ends_ms <= now_ms + $1 OR accepted_ms + $2 > now_ms)`,
);

/**
 * Called before the index stops: waits at most ten seconds for options that start or end in that time, so that the
 * restart does not delay them. Reports their number through `print`; resolves early when `atOnce` aborts. Selling must
 * already have stopped.
 */
export async function awaitDueOptions(
  database: Queries,
  print: (line: string) => void,
  atOnce: AbortSignal,
): Promise<void> {
  let leftMs = WAIT_MAX_MS;
  let hasPrinted = false;
  while (leftMs > 0 && !atOnce.aborted) {
    const [near] = await database.query<{ orders: bigint; last_ms: bigint | null; now_ms: bigint | null }>(READ_NEAR, [
      leftMs,
      START_MS,
    ]);
    if (!near?.orders) return;
    if (!hasPrinted)
      print(
        `Waiting up to ${WAIT_MAX_MS / 1_000} s for options that begin or end now (${near.orders} of them); Ctrl-C stops at once`,
      );
    hasPrinted = true;
    const lastMs = Number(near.last_ms) - Number(near.now_ms) + SETTLED_MS;
    const waitMs = Math.min(leftMs, Math.max(LOOK_EVERY_MS, lastMs));
    leftMs -= waitMs;
    await pause(waitMs, undefined, { signal: atOnce }).catch(() => undefined);
  }
}
