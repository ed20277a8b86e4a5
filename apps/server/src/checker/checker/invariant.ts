import type { KnownKeys } from './known-keys.ts';

/**
 * The ledger's invariants, each a query that returns its violations. The checker has its own SQL and its own read-only
 * role, so that a fault in the posting code cannot hide itself.
 */
export interface Invariant {
  readonly id: string;
  readonly says: string;
  readonly text: string;
  /**
   * True if it holds only when all modules exist: a test of one module has no customers and posts no product's
   * journals.
   */
  readonly isOfPlatform?: boolean;
  /** False for a violation that is reported but does not halt money; true when absent. */
  readonly isHalting?: boolean;
  /**
   * For checks that SQL cannot do, such as signatures: the query returns all its rows with `evidence` (text[]), and
   * this function returns true for the wrong ones.
   */
  readonly isBroken?: (evidence: readonly string[], keys: KnownKeys) => boolean | Promise<boolean>;
  /** True if `isBroken` needs no keys. It then runs in every round. */
  readonly isKeyless?: boolean;
}
