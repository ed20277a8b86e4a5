import type { Place } from './walk.ts';

/** Where a piece of a walk begins and ends. */
export interface Piece {
  readonly walk: string;
  readonly from: Place;
  readonly to: Place;
  readonly isNewest: boolean;
}

/**
 * The checker's progress. It is kept in this process, and in its parent for the next one: an attacker could move it
 * forward if it were in the database.
 */
export interface Progress {
  /**
   * Per walk: the place after the newest checked rows, one for each of the walk's parallel sequences ("ways", such as
   * coins).
   */
  readonly newest: Readonly<Record<string, readonly Place[]>>;
  /** Where the slow pass is: which walk, which of its ways, and the place on it; null at the walk's start. */
  readonly pass: { readonly walk: number; readonly way: number; readonly place: Place | null };
  /** When the last complete pass ended. */
  readonly passed: string | null;
  /** Pieces with a violation are checked again in each round, wherever the slow pass is. */
  readonly broken: readonly Piece[];
  /** The known offers by id, and when they were read. */
  readonly offers?: { readonly at: string; readonly rows: Readonly<Record<string, string>> };
}

export const NOTHING_YET: Progress = {
  newest: {},
  pass: { walk: 0, way: 0, place: null },
  passed: null,
  broken: [],
};
