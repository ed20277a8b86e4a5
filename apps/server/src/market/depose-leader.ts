import type { Clock } from '../clock.ts';
import { type Database, statement } from '../database/index.ts';
import type { MarketView } from './market-view.ts';
import { wholeSeconds } from './whole-seconds.ts';

/** Who has just taken over asks the venues for their lists first, and is not silent for that. */
export const SILENT_MAX_MS = 60_000;

// The lock that `asSingle` takes for the role.
const endLeader = statement(
  'market.end_leader',
  `SELECT pg_terminate_backend(pid) FROM pg_locks
   WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND (classid::bigint << 32) | objid::bigint = hashtextextended('role:index', 0)`,
);

export interface DeposeParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly view: MarketView;
  readonly silentMaxMs: number;
  readonly isLeading: () => boolean;
  readonly onFault: (error: unknown) => void;
}

/**
 * For who waits for the role: a leader that is frozen (a stopped process, a machine that is paused) keeps its session, and with it the role,
 * for as long as the network is answered for it; one that hears no venue keeps it too. A leader that gives no tick for long loses its session,
 * and the role is free. Where nobody can give any, those who may lead take turns.
 */
export async function deposeSilentLeaders(parts: DeposeParts, signal: AbortSignal): Promise<void> {
  const { database, clock, view, silentMaxMs, isLeading, onFault } = parts;
  const newest = (): number => Math.max(...view.coins.map((coin) => view.lastTick(coin)?.at.getTime() ?? 0));
  let [heard, since] = [newest(), clock.now().getTime()];
  for await (const second of wholeSeconds(clock, signal)) {
    const isSilent = !isLeading() && newest() === heard;
    if (!isSilent) [heard, since] = [newest(), second];
    if (Math.abs(second - since) < silentMaxMs) continue;
    since = second;
    await database.query(endLeader).catch(onFault);
  }
}
