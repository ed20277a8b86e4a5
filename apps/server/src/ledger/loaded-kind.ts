import type { Decision } from '@sathorn/settlement';
import type { Transaction } from '../platform/database/index.ts';
import type { Acceptance, AcceptedBatch, Funds, JournalKind, PostedAnswer } from './journal.ts';

/** The turn of a batch: when it is decided, and whether data read for an earlier batch is still valid. */
export interface BatchTurn {
  /** The moment of acceptance. */
  readonly now: Date;
  /**
   * Stays the same while only this poster moves money and no batch is rolled back. Within an epoch, data that changes
   * only with postings is unchanged unless this process changed it.
   */
  readonly epoch: number;
}

export interface LoadedAcceptance<Context> extends Acceptance {
  readonly context: Context;
}

export interface LoadedBatch<Command, Context, Answer> extends AcceptedBatch<Command, Answer> {
  readonly context: Context;
}

/** A kind that also decides on rows of its module. */
export interface LoadedKind<Command, Context, Answer, Refusal extends string>
  extends JournalKind<Command, Answer, Refusal> {
  /**
   * Reads the rows for a batch, and writes nothing. Queries sent immediately share the pipeline of the request for the
   * ledger's lock, so they are answered under the lock. `turn` resolves when the previous batch has ended.
   */
  load(transaction: Transaction, commands: readonly Command[], turn: Promise<BatchTurn>): Promise<Context>;
  decide(
    command: Command,
    funds: Funds,
    acceptance: LoadedAcceptance<Context>,
  ): Decision<PostedAnswer<Answer>, Refusal>;
  write?(transaction: Transaction, batch: LoadedBatch<Command, Context, Answer>): readonly Promise<unknown>[];
}

/**
 * A kind whose decision begins with a write that cannot be taken back, such as a vote. `votedKind` of the operators
 * builds such kinds.
 */
export interface VotedKind<Command, Context, Answer, Refusal extends string>
  extends Omit<LoadedKind<Command, Context, Answer, Refusal>, 'load'> {
  /**
   * Called under the lock after the balances are read, and never for an intent that already has an answer. A batch has
   * at most one such command, so each vote sees the rows of the one before.
   */
  vote(transaction: Transaction, command: Command, funds: Funds): Promise<Context>;
}
