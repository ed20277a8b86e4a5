import type { Invariant } from './invariant.ts';

/** A position in a table: the texts of a key, with running totals of the rows before it if sums are needed. */
export type ScanCursor = readonly string[];

export type GivenRelations = Readonly<Record<string, string>>;

/**
 * Reads a growing table page by page. Each invariant concerns a row and its predecessor, so it holds for the table if
 * it holds in every page. Rows that never change need not be read again when new ones arrive.
 */
export interface Scan {
  readonly name: string;
  /** The tables that the scan reads, listed once per read; their row counts give the work per page. */
  readonly tables: readonly string[];
  /** A query that returns a `cursor` at the start of each partition (a parallel sequence, such as a coin). */
  readonly starts: string;
  /**
   * $1 is a cursor, $2 a number of rows. Returns the `cursor` after the next page and the number of `rows` of its first
   * table; no row if nothing follows.
   */
  readonly next: string;
  /**
   * Named queries over the page that read each row once for all invariants. A query may use earlier ones. $1 is the
   * cursor before the page, $2 the cursor at its end.
   */
  readonly given: GivenRelations;
  readonly invariants: readonly Invariant[];
  /** Set for tables to which rows are only appended: the newest rows are checked in every round. */
  readonly newest?: {
    /** A query that returns for each partition a `cursor` that is $1 rows before its end. */
    readonly starts: string;
    /** Invariants that also check related rows which other scans may reach at another time. */
    readonly invariants: readonly Invariant[];
  };
}

/**
 * Joins the one row of a table, or none, that an index finds for each previous row. The `LIMIT` does not change the
 * result but keeps the planner from choosing another join.
 */
export const lateralLookUp = (table: string, name: string, where: string, columns = '*'): string =>
  `LEFT JOIN LATERAL (SELECT ${columns} FROM ${table} AS ${name} WHERE ${where} OFFSET 0) AS ${name} ON true`;
