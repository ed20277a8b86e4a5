import type { Place } from './walk.ts';

/** Where a piece of one walk begins and ends. */
export interface Piece {
  readonly walk: string;
  readonly from: Place;
  readonly to: Place;
  readonly isNewest: boolean;
}

/**
 * The checker's progress. It is kept in this process, and in its parent for the next one: in the database, an attacker
 * could move it forward.
 */
export interface Progress {
  /** Behind the newest rows that were gone over, by walk: a place for each of its ways. */
  readonly newest: Readonly<Record<string, readonly Place[]>>;
  /** The place of the slow pass: the walk, its way, and the place on it; null for the walk's start. */
  readonly pass: { readonly walk: number; readonly way: number; readonly place: Place | null };
  /** When the last whole pass was over. */
  readonly passed: string | null;
  /** Pieces with a violation are checked again in each round, wherever the pass is. */
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
