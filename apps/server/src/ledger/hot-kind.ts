/**
 * Makes option purchases and contract orders fast. Other movements of money do not need it: see `JournalKind`.
 *
 * A hot kind loads the data on which it decides and keeps it from batch to batch. While this process posts alone, the
 * next batch is speculative: it is decided from memory, ahead of the ledger's lock, and sent in one pipeline. The
 * database then rejects a batch that relied on stale memory, and it is decided again under the lock. See decision 0015.
 */
import type { Decision } from '@sathorn/settlement';
import type { Queries, Transaction } from '../platform/database/index.ts';
import type { Acceptance, AcceptedBatch, Funds, JournalKind, Posted } from './journal.ts';

/** The circumstances of a batch's decision. */
export interface Turn {
  /** The moment of acceptance. */
  readonly now: Date;
  /**
   * Stays the same while only this poster moves money and nothing is rolled back. Within an epoch, data that changes
   * only with postings is unchanged unless this process changed it.
   */
  readonly epoch: number;
}

export interface HotAcceptance<Context> extends Acceptance {
  readonly context: Context;
  /**
   * The kind's customer may not move money, so `decide` must refuse, in the order of its own refusals. Accepting
   * throws.
   */
  readonly isFrozen: boolean;
}

export interface HotBatch<Command, Context, Answer> extends AcceptedBatch<Command, Answer> {
  readonly context: Context;
}

/** Rebuilds earlier answers of a kind from the rows that it wrote. */
export interface AnswerMemory<Answer> {
  /** The part of an answer that the journal stores, as JSON; null for nothing. */
  keep(answer: Answer): unknown;
  /** The answers of journals by id, rebuilt from what they stored. */
  recall(queries: Queries, kept: ReadonlyMap<string, unknown>): Promise<ReadonlyMap<string, Answer>>;
}

export interface HotKind<Command, Context, Answer, Refusal extends string>
  extends JournalKind<Command, Answer, Refusal> {
  /**
   * Queries sent immediately share the pipeline of the request for the ledger's lock, so they are answered under the
   * lock. `turn` resolves when the previous batch has ended; only then is the kind's memory of it valid.
   */
  load(transaction: Transaction, commands: readonly Command[], turn: Promise<Turn>): Promise<Context>;
  /**
   * Returns what `load` would, but from memory alone; null if memory lacks it. The database rejects the batch if the
   * epoch has ended. Anything else that may have changed must make `write` fail there.
   */
  speculate?(commands: readonly Command[], turn: Turn): Context | null;
  decide(command: Command, funds: Funds, acceptance: HotAcceptance<Context>): Decision<Posted<Answer>, Refusal>;
  /** In a speculative batch also called when nothing was accepted. */
  write?(transaction: Transaction, batch: HotBatch<Command, Context, Answer>): readonly Promise<unknown>[];
  /** Without it, journals store complete answers. */
  readonly memory?: AnswerMemory<Answer>;
  /**
   * Called when the batch has ended and before the next is decided. The kind now keeps its changes to memory, or undoes
   * them. If the connection was lost at the commit, `false` may be wrong: only the database knows.
   */
  ended?(isCommitted: boolean): void;
}
