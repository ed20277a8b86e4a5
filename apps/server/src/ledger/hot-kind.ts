/**
 * Makes option purchases and contract orders fast. Other movements of money do not need it: see `LoadedKind`.
 *
 * A hot kind keeps the data on which it decides from batch to batch. While this process posts alone, the
 * next batch is speculative: it is decided from memory, ahead of the ledger's lock, and sent in one pipeline. The
 * database then rejects a batch that relied on stale memory, and it is decided again under the lock. See decision 0015.
 */
import type { Queries, Transaction } from '../platform/database/index.ts';
import type { BatchTurn, LoadedBatch, LoadedKind } from './loaded-kind.ts';

/** Rebuilds earlier answers of a kind from the rows that it wrote. */
export interface AnswerMemory<Answer> {
  /** The part of an answer that the journal stores, as JSON; null for nothing. */
  keep(answer: Answer): unknown;
  /** The answers of journals by id, rebuilt from what they stored. */
  recall(queries: Queries, kept: ReadonlyMap<string, unknown>): Promise<ReadonlyMap<string, Answer>>;
}

export interface HotKind<Command, Context, Answer, Refusal extends string>
  extends LoadedKind<Command, Context, Answer, Refusal> {
  /**
   * Returns what `load` would, but from memory alone; null if memory lacks the data. The database rejects the batch if
   * the epoch has ended. If anything else may have changed, `write` must fail in the database.
   */
  speculate(commands: readonly Command[], turn: BatchTurn): Context | null;
  /** In a speculative batch it is also called if nothing was accepted. */
  write?(transaction: Transaction, batch: LoadedBatch<Command, Context, Answer>): readonly Promise<unknown>[];
  /** If absent, journals store complete answers. */
  readonly memory?: AnswerMemory<Answer>;
  /**
   * Called after the batch has ended and before the next is decided. The kind then keeps or undoes its changes to
   * memory. If the connection was lost at the commit, `false` may be wrong: only the database knows.
   */
  ended?(isCommitted: boolean): void;
}
