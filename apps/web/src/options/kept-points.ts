import * as v from 'valibot';
import { LIVE_POINTS_MAX, type LivePoint } from './live-points.ts';

const STORED_AS = 'last_points';
const point = v.object({ sequence: v.number(), at: v.number(), value: v.number(), price: v.string() });
const lastPoints = v.object({ code: v.string(), points: v.array(point) });

/** Stores the points of the last shown coin, for a start without a connection. */
export function keepPoints(code: string, points: readonly LivePoint[]): void {
  if (points.length < 2) return;
  try {
    localStorage.setItem(STORED_AS, JSON.stringify({ code, points }));
  } catch {
    // Without storage the line stays empty until the connection is back.
  }
}

/** Returns the coin's stored points; none for another coin or if the stored text is damaged. */
export function readKeptPoints(code: string): readonly LivePoint[] {
  try {
    return parseKeptPoints(code, JSON.parse(localStorage.getItem(STORED_AS) ?? 'null'));
  } catch {
    return [];
  }
}

export function parseKeptPoints(code: string, kept: unknown): readonly LivePoint[] {
  const read = v.safeParse(lastPoints, kept);
  return read.success && read.output.code === code ? read.output.points.slice(-LIVE_POINTS_MAX) : [];
}
