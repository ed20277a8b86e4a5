import { type Clock, type ElapsedMs, systemElapsedMs } from './clock.ts';
import { type Queries, statement } from './database/index.ts';

/**
 * Largest accepted difference from the database's clock. Beyond it nothing is accepted: orders would be sorted wrongly,
 * and sessions and codes would end at the wrong time.
 */
const CLOCK_SKEW_MAX_MS = 2_000;
const LOOK_EVERY_MS = 1_000;
const NOW = statement('clock.now', 'SELECT clock_timestamp() AS now');

/** This process's clock and the database's differ: a fault outside the call, so another server may accept it. */
export class ClockWrongError extends Error {
  override readonly name = 'ClockWrong';
  readonly statusCode = 503;
}

/**
 * Returns the database's time, computed from its last known time plus the elapsed time, so that a step of this
 * machine's clock has no effect.
 */
export interface ClockGuard extends Clock {
  /** Throws `ClockWrongError` while the two clocks differ by more than two seconds. */
  assertRight(): void;
  /**
   * Takes a time that the database has just returned; returns it, or throws `ClockWrongError`. `askedMs` is the guard's
   * `elapsedMs` from before the query.
   */
  observe(databaseNow: Date, askedMs: number): Date;
  elapsedMs(): number;
  close(): void;
}

interface ClockGuardDependencies {
  readonly database: Queries;
  readonly clock: Clock;
  /** Called once when the clocks differ, and once when they agree again. */
  readonly onFault: (error: unknown) => void;
  readonly elapsedMs?: ElapsedMs;
  readonly lookEveryMs?: number;
}

/** Queries the database's time once before it resolves, then every second. */
export async function openClockGuard({
  database,
  clock,
  onFault,
  elapsedMs = systemElapsedMs,
  lookEveryMs = LOOK_EVERY_MS,
}: ClockGuardDependencies): Promise<ClockGuard> {
  /** The database's time minus the time elapsed here. */
  let lead = 0;
  let isKnown = false;
  let isWrong = false;
  let isClosed = false;

  const skewMs = (): number => clock.now().getTime() - (lead + elapsedMs());

  const judge = (): void => {
    const skew = skewMs();
    const isOff = Math.abs(skew) > CLOCK_SKEW_MAX_MS;
    if (isOff === isWrong) return;
    isWrong = isOff;
    const by = `${(Math.abs(skew) / 1_000).toFixed(1)} s ${skew > 0 ? 'ahead of' : 'behind'} the database's`;
    onFault(
      new Error(
        isOff
          ? `alarm: clock: the clock of this process is ${by}; nothing is accepted until they agree: synchronise it (NTP)`
          : 'alarm: clock: the clock of this process agrees with the database again',
      ),
    );
  };

  // The database answered at some moment between query and receipt. A stalled event loop widens that span and must not
  // look like a wrong clock.
  const update = (databaseNow: Date, askedMs: number): void => {
    const at = databaseNow.getTime();
    const [least, most] = [at - elapsedMs(), at - askedMs];
    lead = isKnown ? Math.min(Math.max(lead, least), most) : (least + most) / 2;
    isKnown = true;
    judge();
  };

  const look = async (): Promise<void> => {
    const askedMs = elapsedMs();
    const [row] = await database.query<{ now: Date }>(NOW);
    if (row && !isClosed) update(row.now, askedMs);
  };
  const assertRight = (): void => {
    judge();
    if (isWrong)
      throw new ClockWrongError('the clock of this process differs from that of the database: synchronise it (NTP)');
  };

  await look();
  // While the database is unavailable nothing can be accepted anyway, and other parts report that.
  const timer = setInterval(() => void look().catch(() => undefined), lookEveryMs);
  timer.unref();
  return {
    now: () => new Date(Math.floor(lead + elapsedMs())),
    elapsedMs,
    assertRight,
    observe(databaseNow, askedMs) {
      update(databaseNow, askedMs);
      assertRight();
      return databaseNow;
    },
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}
