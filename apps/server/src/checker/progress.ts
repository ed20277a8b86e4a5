import type { Place } from './walk.ts';

/** Of one walk: where it began and where it ended. */
export interface Piece {
  readonly walk: string;
  readonly from: Place;
  readonly to: Place;
  readonly isNewest: boolean;
}

/**
 * How far the checker has come. It lives in its process, and in its parent for the next one: kept in the database it
 * would be a thing that whoever tampers there could move on.
 */
export interface Progress {
  /** Behind the newest rows that were gone over, by walk: a place for each of its ways. */
  readonly newest: Readonly<Record<string, readonly Place[]>>;
  /** Where the slow pass is: the walk, which of its ways, and the place on it; from the walk's start when null. */
  readonly pass: { readonly walk: number; readonly way: number; readonly place: Place | null };
  /** When the last whole pass was over. */
  readonly passed: string | null;
  /** What did not hold is asked again each time, wherever the pass is. */
  readonly broken: readonly Piece[];
  /** The offers that there were, by id, and when that was. */
  readonly offers?: { readonly at: string; readonly rows: Readonly<Record<string, string>> };
}

export const NOTHING_YET: Progress = {
  newest: {},
  pass: { walk: 0, way: 0, place: null },
  passed: null,
  broken: [],
};
