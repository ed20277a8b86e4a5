/** One tick of the live line. Numbers are precise enough for drawing; the page shows the price from its text. */
export interface LivePoint {
  readonly sequence: number;
  /** ms since 1970. */
  readonly at: number;
  readonly value: number;
  readonly price: string;
}

/** The line shows this much of the past. */
export const LIVE_LINE_SPAN_MS = 90_000;
/** One tick per second, and a few more that leave the chart on the left. */
export const LIVE_POINTS_MAX = 95;

export function livePointOf(tick: { sequence: string | bigint; at: string | number; price: string }): LivePoint {
  return {
    sequence: Number(tick.sequence),
    at: typeof tick.at === 'number' ? tick.at : Date.parse(tick.at),
    value: Number(tick.price),
    price: tick.price,
  };
}

/** Adds ticks in any order, each once, and keeps the newest. Returns the same array if there is nothing new. */
export function mergePoints(points: readonly LivePoint[], more: readonly LivePoint[]): readonly LivePoint[] {
  const known = new Set(points.map(({ sequence }) => sequence));
  const fresh = more.filter(({ sequence }) => !known.has(sequence));
  if (fresh.length === 0) return points;
  return [...points, ...fresh].sort((a, b) => a.sequence - b.sequence).slice(-LIVE_POINTS_MAX);
}

/** Returns the first sequence that the line lacks; undefined if it lacks none. */
export function firstMissingSequence(points: readonly LivePoint[]): number | undefined {
  const newest = points.at(-1);
  if (!newest) return undefined;
  const first = Math.max(1, newest.sequence - LIVE_POINTS_MAX + 1);
  const known = new Set(points.map(({ sequence }) => sequence));
  for (let sequence = first; sequence < newest.sequence; sequence += 1) if (!known.has(sequence)) return sequence;
  return undefined;
}
