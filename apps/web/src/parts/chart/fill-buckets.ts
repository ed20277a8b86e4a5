/** Numbers are precise enough here, because bars are only drawn. */
export type ChartBar = {
  readonly timestamp: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume?: number;
};

type EmptyBar = Required<ChartBar>;

/** Longer gaps are not filled, because a chart of flat lines is useless. */
const FILLED_MAX = 1_000;

/** Adds bars at the previous close for intervals without trades, so that the time axis is even. Oldest first. */
export function fillBuckets<Of extends ChartBar>(bars: readonly Of[], stepMs: number): (Of | EmptyBar)[] {
  const filled: (Of | EmptyBar)[] = [];
  for (const bar of bars) {
    const last = filled.at(-1);
    if (last) filled.push(...emptyBucketsBetween(last, bar.timestamp, stepMs));
    filled.push(bar);
  }
  return filled;
}

/** Returns the empty bars between `last` and a moment. */
export function emptyBucketsBetween({ timestamp, close }: ChartBar, until: number, stepMs: number): EmptyBar[] {
  const count = Math.round((until - timestamp) / stepMs) - 1;
  if (count < 1 || count > FILLED_MAX) return [];
  return Array.from({ length: count }, (_, place) => ({
    timestamp: timestamp + (place + 1) * stepMs,
    open: close,
    high: close,
    low: close,
    close,
    volume: 0,
  }));
}
