/** What this device saw of the platform's public log. */
export interface SeenLog {
  readonly entries: number;
  /** How many witnesses had cosigned it. */
  readonly witnesses: number;
  /** When all of them had, by their own clocks, in ms since 1970; null without a witness. */
  readonly confirmedMs: number | null;
  readonly seenMs: number;
}

/**
 * `seen`: enough witnesses have cosigned it lately. `stale`: they had, longer ago. `alone`: none is asked for, and none
 * has. `unconfirmed`: fewer have than the policy asks for. `differs`: it contradicts what this device kept. `unread`:
 * the server did not answer with a log. `none`: the platform keeps none.
 */
export type LogState = 'seen' | 'stale' | 'alone' | 'unconfirmed' | 'differs' | 'unread' | 'none';

/** A cosignature counts as new for this long. Clocks differ, so it may also be ahead by as much. */
export const RECENT_MS = 10 * 60_000;

/** What was seen says this by itself, as time passes. */
export function stateOfSeen({ confirmedMs }: SeenLog, nowMs: number): 'seen' | 'stale' | 'alone' {
  if (confirmedMs === null) return 'alone';
  return confirmedMs >= nowMs - RECENT_MS ? 'seen' : 'stale';
}
