import type { Invariant } from './invariants.ts';

/**
 * The place of a walk in a table, as the texts of a key, with the running totals of the rows before it where sums are
 * needed.
 */
export type Place = readonly string[];

export type Given = Readonly<Record<string, string>>;

/**
 * Reads a growing table piece by piece. Each invariant concerns one row and its predecessor, so it holds for the table
 * when it holds in every piece. Rows that never change need not be read again when new ones arrive.
 */
export interface Walk {
  readonly name: string;
  /** The tables that it reads, once per read; their row counts give the work of a piece. */
  readonly tables: readonly string[];
  /** Rows of `place`, a way each, where nothing is behind it yet. */
  readonly starts: string;
  /**
   * $1 is a place, $2 how many rows: the `place` behind the next piece, and the `rows` of it, of its first table. No
   * row when nothing is ahead.
   */
  readonly next: string;
  /**
   * Queries over the piece, by name, that read each row once for all invariants. A query may use those before it. $1 is
   * the place before the piece, $2 the place of its end.
   */
  readonly given: Given;
  readonly invariants: readonly Invariant[];
  /** For tables to which rows are only appended: the newest rows are checked in every round. */
  readonly newest?: {
    /** Rows of `place`: the ends of the ways, $1 rows ahead of them. */
    readonly starts: string;
    /** Also check related rows that other walks may reach at another time. */
    readonly invariants: readonly Invariant[];
  };
}

/**
 * Joins the one row of a table, or none, that is found by an index for each row before it. A limit that limits nothing
 * keeps the planner from joining it in any other way.
 */
export const lookUp = (table: string, name: string, where: string, columns = '*'): string =>
  `LEFT JOIN LATERAL (SELECT ${columns} FROM ${table} AS ${name} WHERE ${where} OFFSET 0) AS ${name} ON true`;
