import { setTimeout as pause } from 'node:timers/promises';
import { type Decision, refuse } from '@sathorn/settlement';
import type { Bus } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import { type Database, isConnectionFault, isSerializationFault, type Transaction } from '../database/index.ts';
import { AccountBook } from './account-book.ts';
import {
  type AnyDecision,
  type AnyKind,
  type BatchBasis,
  type DecidedBatch,
  decideBatch,
  type Entry,
  type Group,
  groupsOf,
} from './decide-batch.ts';
import type { AccountKey, Intent, JournalKind, LedgerRefusal } from './journal.ts';
import { lockHead, postColumns, readJournals } from './ledger-store.ts';
import { recallOutcomes } from './outcomes.ts';

/** Larger ones only add latency. */
const BATCH_MAX = 1_000;
/** From this many on it pays to be at the lock while the batch before is being written; fewer gain more by waiting for company. */
const EARLY_FROM = 32;
/** As long as a command lives on its way to us: nobody waits longer, and an order that comes later meets another market. */
const RETRY_FAULTS_MS = 10_000;
/** An answer that is due may wait this long for the batch behind to be sent: the database idles meanwhile, the caller hardly. */
const ANSWER_WAIT_MS = 20;
const HALTED = 'LD006';
const LOCK_WAITED = '55P03';

interface Waiting extends Entry {
  readonly since: number;
  resolve(decision: AnyDecision): void;
  reject(error: unknown): void;
}

/** A batch on its way. */
interface Batch {
  readonly entries: readonly Waiting[];
  /** Resolves when all that it says to the database is said, or when it has failed. */
  readonly sent: PromiseWithResolvers<void>;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** As `Promise.all`, but when one fails the others have ended too: nobody may speak on a connection that was rolled back and given away. */
async function allOf(work: readonly Promise<unknown>[]): Promise<void> {
  let fault: { readonly error: unknown } | undefined;
  await Promise.all(
    work.map(async (one) => {
      try {
        await one;
      } catch (error) {
        // The first is the cause; the database refuses whatever follows it.
        fault ??= { error };
      }
    }),
  );
  if (fault) throw fault.error;
}

/**
 * Whether all of it went to the database: what fails on our side (a bug in the columns, a value that the driver can't write) has not, and the
 * database would commit without it. The driver tells by `nextTick`, and a promise in the turn behind that; neither waits for the network.
 */
async function isSaid(writing: readonly Promise<unknown>[]): Promise<boolean> {
  let hasFailed = false;
  for (const one of writing)
    one.catch(() => {
      hasFailed = true;
    });
  for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
  return !hasFailed;
}

/**
 * Group commit: whatever waits is decided and posted in one transaction, so durability costs one commit a batch. The lock on
 * `ledger.head` puts batches in their order, those of other processes too. While one batch is being written, the next one
 * is at that lock already, on a connection of its own, so that the database need not wait for us between them. Everything is
 * still read and decided under the lock.
 */
export class Poster {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #bus: Bus;
  readonly #book = new AccountBook();
  #queue: Waiting[] = [];
  /** Oldest first; two at most. */
  #underWay: Batch[] = [];
  #isAdvancing = false;
  /** A connection was lost, perhaps behind a commit whose news nobody has told. */
  #isNewsLost = false;
  /** While a batch of ours has the book: resolves when it is over, here and in the database. */
  #bookTaken: Promise<void> | null = null;

  constructor(dependencies: { database: Database; clock: Clock; bus: Bus }) {
    this.#database = dependencies.database;
    this.#clock = dependencies.clock;
    this.#bus = dependencies.bus;
  }

  post<Command, Context, Answer, Refusal extends string>(
    kind: JournalKind<Command, Context, Answer, Refusal>,
    command: Command,
    intent: Intent,
  ): Promise<Decision<Answer, Refusal | LedgerRefusal>> {
    return new Promise((resolve, reject) => {
      // The queue holds all kinds; each entry is only ever handed back to the kind that it came with.
      const entry = {
        kind: kind as unknown as AnyKind,
        command,
        intent,
        since: performance.now(),
        resolve: resolve as Waiting['resolve'],
        reject,
      };
      this.#queue.push(entry);
      this.#advance();
    });
  }

  #advance(): void {
    if (this.#isAdvancing || this.#queue.length === 0) return;
    this.#isAdvancing = true;
    // Let every request of this turn of the loop join the batch.
    setImmediate(() => {
      this.#isAdvancing = false;
      while (this.#mayBegin()) this.#begin(this.#queue.splice(0, BATCH_MAX));
    });
  }

  /** A small batch grows by waiting; a larger one gains by being at the lock early. */
  #mayBegin(): boolean {
    const { length } = this.#queue;
    return this.#underWay.length === 0 ? length > 0 : this.#underWay.length === 1 && length >= EARLY_FROM;
  }

  #begin(entries: readonly Waiting[]): void {
    if (this.#underWay.length === 0) this.#book.trim();
    const batch: Batch = { entries, sent: Promise.withResolvers() };
    this.#underWay.push(batch);
    void this.#settle(batch).finally(() => {
      this.#underWay = this.#underWay.filter((other) => other !== batch);
      this.#advance();
    });
  }

  /** Every entry of the batch is answered, or waiting again, when this returns. */
  async #settle(batch: Batch): Promise<void> {
    const { entries } = batch;
    try {
      const { decisions, touched } = await this.#commit(batch);
      const behind = this.#underWay.find((other) => other !== batch);
      if (behind) await Promise.race([behind.sent.promise, pause(ANSWER_WAIT_MS)]);
      if (touched.size > 0) this.#bus.emit('funds', touched);
      if (this.#isNewsLost) this.#bus.emit('gap', this.#clock.now());
      this.#isNewsLost = false;
      entries.forEach((entry, n) => {
        const decision = decisions[n];
        if (decision) entry.resolve(decision);
        else entry.reject(new Error('a batch left an entry without an outcome'));
      });
    } catch (error) {
      if (codeOf(error) === HALTED) {
        for (const entry of entries) entry.resolve(refuse('money_halted'));
      } else if (isConnectionFault(error) || isSerializationFault(error) || codeOf(error) === LOCK_WAITED) {
        // The commit may or may not have happened: the same intents find out when they are posted again.
        this.#isNewsLost ||= isConnectionFault(error);
        const now = performance.now();
        const again = entries.filter(({ since }) => now - since <= RETRY_FAULTS_MS);
        for (const entry of entries) if (now - entry.since > RETRY_FAULTS_MS) entry.reject(error);
        await pause(50 + Math.random() * 100);
        this.#queue = [...again, ...this.#queue];
      } else if (entries.length === 1) {
        entries[0]?.reject(error);
      } else {
        // One entry has a bug; the others must not pay for it.
        for (const entry of entries) await this.#settle({ entries: [entry], sent: Promise.withResolvers() });
      }
    }
  }

  async #commit({ entries, sent }: Batch): Promise<DecidedBatch> {
    const keys = entries.flatMap(({ kind, command }) => kind.accounts(command));
    const groups = groupsOf(entries);
    const over = Promise.withResolvers<void>();
    let hasBook = false;
    const end = (isCommitted: boolean): void => {
      for (const kind of groups.keys()) kind.ended?.(isCommitted);
    };
    try {
      await this.#book.resolveIds(this.#database, keys);
      const decided = await this.#database.transaction(async (transaction) => {
        const basis = await this.#readBasis(transaction, entries, groups, keys, async () => {
          // The batch before is over in the database, or the head would not be ours; the news of it may still be on its way.
          while (this.#bookTaken) await this.#bookTaken;
          this.#bookTaken = over.promise;
          hasBook = true;
        });
        const decided = decideBatch(entries, basis);
        await this.#book.settle(transaction);
        const { columns } = decided;
        const writing: Promise<unknown>[] = [];
        try {
          if (columns.journals.length > 0) writing.push(postColumns(transaction, basis.lastSequence + 1n, columns));
          for (const [kind, { accepted, context }] of groups)
            if (accepted.length > 0) writing.push(...(kind.write?.(transaction, accepted, context) ?? []));
          if (await isSaid(writing)) transaction.commitBehind();
          sent.resolve();
        } finally {
          await allOf(writing);
        }
        return decided;
      });
      this.#book.committed(decided.sequence);
      end(true);
      return decided;
    } catch (error) {
      if (hasBook) {
        this.#book.forget();
        end(false);
      }
      throw error;
    } finally {
      if (hasBook) this.#bookTaken = null;
      over.resolve();
      sent.resolve();
    }
  }

  /** Locks the head, and reads all that a decision needs, in one round trip when memory has the accounts. */
  async #readBasis(
    transaction: Transaction,
    entries: readonly Waiting[],
    groups: ReadonlyMap<AnyKind, Group>,
    keys: readonly AccountKey[],
    takeBook: () => Promise<void>,
  ): Promise<BatchBasis> {
    const turn = Promise.withResolvers<Date>();
    const ids = entries.map(({ intent }) => intent.id);
    const locking = Promise.all([lockHead(transaction), readJournals(transaction, ids)]);
    const prepare = async (): Promise<BatchBasis> => {
      try {
        const [head, journals] = await locking;
        await takeBook();
        const now = this.#clock.now();
        turn.resolve(now);
        const outcomes = await recallOutcomes(transaction, entries, journals);
        await this.#book.load(transaction, keys, head.last_sequence);
        const { last_sequence: lastSequence, halted } = head;
        return { book: this.#book, groups, outcomes, lastSequence, isHalted: halted !== null, now };
      } catch (error) {
        turn.reject(error);
        throw error;
      }
    };
    // Said behind the question for the lock, and so answered under it.
    const loads = [...groups].map(async ([kind, group]) => {
      group.context = await kind.load?.(transaction, group.commands, turn.promise);
    });
    const preparing = prepare();
    turn.promise.catch(() => undefined);
    await allOf([preparing, ...loads]);
    return preparing;
  }
}
