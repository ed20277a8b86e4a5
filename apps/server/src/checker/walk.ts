import type { Invariant } from './invariants.ts';

/**
 * Where in a table a walk stands, as the texts of a key; with what it carries of the rows behind it, where sums have to
 * be made.
 */
export type Place = readonly string[];

export type Given = Readonly<Record<string, string>>;

/**
 * A way over rows that become ever more, piece by piece. What holds of each row is asked of it and of the row before,
 * so all of a table holds when each of its pieces does, and a row that is never changed need not be read again with
 * those that come after it.
 */
export interface Walk {
  readonly name: string;
  /** The tables that it reads, each as often as it does: what it takes is counted in their rows. */
  readonly tables: readonly string[];
  /** Rows of `place`, a way each, where nothing is behind it yet. */
  readonly starts: string;
  /**
   * $1 is a place, $2 how many rows: the `place` behind the next piece, and the `rows` of it, of its first table. No
   * row when nothing is ahead.
   */
  readonly next: string;
  /**
   * What its invariants read, each row once for all of them: queries over the piece by name, each of which may read
   * those before it. $1 is the place before the piece, $2 the one behind it.
   */
  readonly given: Given;
  readonly invariants: readonly Invariant[];
  /** Where rows only come at the end, those are gone over at every round. */
  readonly newest?: {
    /** Rows of `place`: the ends of the ways, $1 rows ahead of them. */
    readonly starts: string;
    /** What else these rows touch, and other walks find otherwise. */
    readonly invariants: readonly Invariant[];
  };
}

/**
 * Joins the one row of a table, or none, that is found by an index for each row before it. A limit that limits nothing
 * keeps the planner from joining it in any other way.
 */
export const lookUp = (table: string, name: string, where: string, columns = '*'): string =>
  `LEFT JOIN LATERAL (SELECT ${columns} FROM ${table} AS ${name} WHERE ${where} OFFSET 0) AS ${name} ON true`;
