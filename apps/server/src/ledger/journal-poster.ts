import { setTimeout as pause } from 'node:timers/promises';
import { type Decision, refuse } from '@sathorn/settlement';
import type { Bus } from '../platform/bus/index.ts';
import {
  type Database,
  isConnectionFault,
  isSerializationFault,
  type Transaction,
} from '../platform/database/index.ts';
import type { Intent } from '../platform/intent.ts';
import { AccountBook } from './account-book.ts';
import type { AnyKind, BatchEntry } from './batch-entry.ts';
import {
  type AnyDecision,
  type BatchBasis,
  type DecidedBatch,
  decideBatch,
  groupByKind,
  type KindGroup,
} from './decide-batch.ts';
import type { AccountKey, Eligibility, JournalKind, LedgerRefusal, PlayGuard } from './journal.ts';
import type { LedgerDependencies } from './ledger.ts';
import type { LedgerClock } from './ledger-clock.ts';
import { lockLedgerHead, postBatchColumns, readJournals } from './ledger-store.ts';
import type { BatchTurn } from './loaded-kind.ts';
import { recallOutcomes } from './outcomes.ts';
import { awaitAll, wereStatementsSent } from './pipeline.ts';
import { SpeculationGate } from './speculation-gate.ts';

/** Larger batches only add latency. */
const BATCH_MAX = 1_000;
/**
 * A queue of at least this length starts a batch that waits for the lock while the previous batch is written. A shorter
 * queue gains more by growing.
 */
const EARLY_FROM = 32;
/** How long a command is retried after a fault. After that its caller no longer waits, and the prices have changed. */
const RETRY_FAULTS_MS = 10_000;
/**
 * How long answers may wait until the next batch is sent. Sending the batch first keeps the database busy, and callers
 * hardly notice.
 */
const ANSWER_WAIT_MS = 20;
/** A speculative batch that waited longer than this for its connection is not sent, because its decision is too old. */
const SPECULATED_MAX_MS = 500;
const HALTED = 'LD006';
const LOCK_WAITED = '55P03';

interface Waiting extends BatchEntry {
  readonly since: number;
  resolve(decision: AnyDecision): void;
  reject(error: unknown): void;
}

/** A batch in progress. */
interface Batch {
  readonly entries: readonly Waiting[];
  /** Resolves when all its statements are sent, or when it has failed. */
  readonly sent: PromiseWithResolvers<void>;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** True if an entry can be decided without the lock: no vote, and its kind loads nothing or has it in memory. */
const maySpeculate = ({ kind }: BatchEntry): boolean =>
  kind.vote === undefined && (kind.load === undefined || kind.speculate !== undefined);

const customersOf = (entries: readonly BatchEntry[]): bigint[] => [
  ...new Set(entries.flatMap(({ kind, command }) => kind.customer(command) ?? [])),
];

/** Customers whose own limits may refuse one of these entries. */
const playersOf = (entries: readonly BatchEntry[]): bigint[] => [
  ...new Set(entries.flatMap(({ kind, command }) => (kind.play?.(command) ? (kind.customer(command) ?? []) : []))),
];

/** Thrown when a speculative batch was decided on a stale state. */
class StaleSnapshot extends Error {}

/**
 * Group commit: everything queued is decided and posted in one transaction, so durability costs one commit per batch.
 * The lock on `ledger.head` orders batches, including those of other processes.
 *
 * A process that posts alone decides the next batch speculatively, from memory, and sends it in one pipeline. The
 * database recomputes every transfer and rejects the batch if the head has moved. In that case, and for kinds that
 * cannot speculate, everything is read and decided under the lock. While one such batch is being written, the next
 * already waits for the lock on its own connection.
 */
export class JournalPoster {
  readonly #database: Database;
  readonly #clock: LedgerClock;
  readonly #bus: Bus;
  readonly #eligibility: Eligibility | null;
  readonly #book = new AccountBook();
  #queue: Waiting[] = [];
  /** Oldest first; at most two. */
  #underWay: Batch[] = [];
  #isAdvancing = false;
  readonly #gate = new SpeculationGate();
  /** True if a connection was lost, perhaps after a commit of which listeners were never notified. */
  #isNewsLost = false;
  /**
   * Set while a batch of this process owns the book; resolves when the batch has ended in memory and in the database.
   */
  #bookTaken: Promise<void> | null = null;

  constructor(dependencies: LedgerDependencies) {
    this.#database = dependencies.database;
    this.#clock = dependencies.clock;
    this.#bus = dependencies.bus;
    this.#eligibility = dependencies.eligibility;
  }

  post<Command, Answer, Refusal extends string>(
    kind: JournalKind<Command, Answer, Refusal>,
    command: Command,
    intent: Intent,
  ): Promise<Decision<Answer, Refusal | LedgerRefusal>> {
    return new Promise((resolve, reject) => {
      this.#clock.assertRight?.();
      // The queue holds entries of all kinds; each entry is only ever passed back to its own kind.
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

  /** Called when another process has posted. */
  othersPost(): void {
    this.#gate.othersPost();
  }

  #advance(): void {
    if (this.#isAdvancing || this.#queue.length === 0) return;
    this.#isAdvancing = true;
    // Lets every request of this turn of the event loop join the batch.
    setImmediate(() => {
      this.#isAdvancing = false;
      this.#beginWaiting();
    });
  }

  #beginWaiting(): void {
    while (this.#mayBegin()) this.#begin(this.#take());
  }

  /** A batch has at most one vote, because the next vote depends on what this one writes. */
  #take(): Waiting[] {
    const votes = this.#queue.slice(0, BATCH_MAX).flatMap(({ kind }, n) => (kind.vote === undefined ? [] : [n]));
    return this.#queue.splice(0, votes[1] ?? BATCH_MAX);
  }

  /** A small batch gains by growing. A larger one gains by waiting for the lock early, unless it needs none. */
  #mayBegin(): boolean {
    const { length } = this.#queue;
    if (this.#underWay.length === 0) return length > 0;
    if (this.#underWay.length > 1 || length < EARLY_FROM) return false;
    return !this.#gate.isOpen || !this.#queue.slice(0, EARLY_FROM).every(maySpeculate);
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

  /** When this resolves, every entry of the batch is answered or back in the queue. */
  async #settle(batch: Batch): Promise<void> {
    const { entries } = batch;
    try {
      const { decisions, touched } = await this.#commit(batch);
      this.#underWay = this.#underWay.filter((other) => other !== batch);
      this.#beginWaiting();
      const [behind] = this.#underWay;
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
        // The commit may or may not have happened. Posting the same intents again shows which.
        this.#isNewsLost ||= isConnectionFault(error);
        const now = performance.now();
        const again = entries.filter(({ since }) => now - since <= RETRY_FAULTS_MS);
        for (const entry of entries) if (now - entry.since > RETRY_FAULTS_MS) entry.reject(error);
        await pause(50 + Math.random() * 100);
        this.#queue = [...again, ...this.#queue];
      } else if (entries.length === 1) {
        entries[0]?.reject(error);
      } else {
        // One entry has a bug. Each is retried alone, so that the others do not fail with it.
        for (const entry of entries) await this.#settle({ entries: [entry], sent: Promise.withResolvers() });
      }
    }
  }

  async #commit(batch: Batch): Promise<DecidedBatch> {
    const { entries } = batch;
    const keys = entries.flatMap(({ kind, command }) => kind.accounts(command));
    const speculated = this.#speculate(entries, keys);
    if (speculated !== null) {
      try {
        const decided = await this.#carryOut(batch, speculated.groups, async (_transaction, takeBook) => {
          await takeBook();
          const waitedMs = Math.abs(this.#clock.now().getTime() - speculated.now.getTime());
          if (this.#book.sequence !== speculated.lastSequence || waitedMs > SPECULATED_MAX_MS)
            throw new StaleSnapshot();
          return speculated;
        });
        this.#gate.wasRight();
        return decided;
      } catch (error) {
        if (isConnectionFault(error) || codeOf(error) === HALTED) throw error;
        // Memory was stale, an intent was posted before, or there is a bug. Deciding again under the lock shows which.
        this.#gate.wasWrong();
      }
    }
    const groups = groupByKind(entries);
    await this.#book.resolveIds(this.#database, keys);
    return this.#carryOut(batch, groups, (transaction, takeBook) =>
      this.#readBasis(transaction, entries, groups, keys, takeBook),
    );
  }

  /** The basis of a speculative batch; null if memory is incomplete or not trusted. */
  #speculate(entries: readonly Waiting[], keys: readonly AccountKey[]): BatchBasis | null {
    const isFirst = this.#underWay.length === 1 && this.#bookTaken === null;
    if (!this.#gate.isOpen || !isFirst || !this.#book.hasAll(keys)) return null;
    const guards = this.#eligibility?.guards;
    if (guards && playersOf(entries).some((customer) => guards.wasRefused(customer))) return null;
    const groups = groupByKind(entries);
    const now = this.#clock.now();
    const { sequence: lastSequence, epoch } = this.#book;
    for (const [kind, group] of groups) {
      if (kind.vote === undefined && kind.load === undefined) continue;
      group.context = kind.speculate?.(group.commands, { now, epoch }) ?? null;
      if (group.context === null) return null;
    }
    return {
      book: this.#book,
      groups,
      outcomes: new Map(),
      frozen: new Set(),
      guards: new Map(),
      lastSequence,
      isHalted: false,
      isSpeculative: true,
      now,
    };
  }

  async #carryOut(
    { entries, sent }: Batch,
    groups: ReadonlyMap<AnyKind, KindGroup>,
    readBasis: (transaction: Transaction, takeBook: () => Promise<void>) => Promise<BatchBasis>,
  ): Promise<DecidedBatch> {
    const over = Promise.withResolvers<void>();
    let hasBook = false;
    const takeBook = async (): Promise<void> => {
      // The previous batch has ended in the database, or could not get the head. Its answer may still come.
      while (this.#bookTaken) await this.#bookTaken;
      this.#bookTaken = over.promise;
      hasBook = true;
    };
    const end = (isCommitted: boolean): void => {
      for (const kind of groups.keys()) kind.ended?.(isCommitted);
    };
    try {
      const decided = await this.#database.transaction(async (transaction) => {
        const basis = await readBasis(transaction, takeBook);
        const decided = decideBatch(entries, basis);
        // The owner of a matched order may not be in memory yet. Reading the account needs the lock, which a
        // speculative batch does not hold.
        if (this.#book.hasUnread) await awaitAll([lockLedgerHead(transaction), this.#book.settle(transaction)]);
        const { columns } = decided;
        const writing: Promise<unknown>[] = [];
        try {
          if (columns.journals.length > 0)
            writing.push(postBatchColumns(transaction, basis.lastSequence + 1n, columns));
          // The batch was decided as if nobody were frozen, so the database checks the customers.
          const movers = basis.isSpeculative ? customersOf(entries) : [];
          if (this.#eligibility && movers.length > 0) writing.push(this.#eligibility.refuseFrozen(transaction, movers));
          for (const [kind, { accepted, context }] of groups)
            if (accepted.length > 0 || (basis.isSpeculative && kind.speculate !== undefined))
              writing.push(...(kind.write?.(transaction, { accepted, context }) ?? []));
          // The last statement, so that the database sees all rows of this batch.
          const guards = this.#eligibility?.guards;
          if (guards && decided.plays.size > 0 && (basis.isSpeculative || basis.guards.size > 0))
            writing.push(guards.refuseStopped(transaction, decided.plays));
          if (await wereStatementsSent(writing)) transaction.pipelineCommit();
          sent.resolve();
        } finally {
          await awaitAll(writing);
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

  /** Locks the head and reads everything that a decision needs, in one round trip if memory has the accounts. */
  async #readBasis(
    transaction: Transaction,
    entries: readonly Waiting[],
    groups: ReadonlyMap<AnyKind, KindGroup>,
    keys: readonly AccountKey[],
    takeBook: () => Promise<void>,
  ): Promise<BatchBasis> {
    const turn = Promise.withResolvers<BatchTurn>();
    const ids = entries.map(({ intent }) => intent.id);
    const askedMs = this.#clock.elapsedMs?.() ?? 0;
    const locking = Promise.all([lockLedgerHead(transaction), readJournals(transaction, ids)]);
    const prepare = async (): Promise<Omit<BatchBasis, 'frozen' | 'guards'>> => {
      try {
        const [head, journals] = await locking;
        // The clock is read under the lock, so that times follow the order of batches across processes.
        const now = this.#clock.observe?.(head.now, askedMs) ?? this.#clock.now();
        await takeBook();
        this.#gate.wasLocked(this.#book.sequence === head.last_sequence);
        this.#book.standAt(head.last_sequence);
        turn.resolve({ now, epoch: this.#book.epoch });
        const outcomes = await recallOutcomes(transaction, entries, journals);
        await this.#book.load(transaction, keys);
        const { last_sequence: lastSequence, halted } = head;
        return {
          book: this.#book,
          groups,
          outcomes,
          lastSequence,
          isHalted: halted !== null,
          isSpeculative: false,
          now,
        };
      } catch (error) {
        turn.reject(error);
        throw error;
      }
    };
    // These queries are sent after the request for the lock, so they are answered under the lock.
    let frozen: ReadonlySet<bigint> = new Set();
    const movers = customersOf(entries);
    const asking = async (): Promise<void> => {
      if (this.#eligibility && movers.length > 0) frozen = await this.#eligibility.readFrozen(transaction, movers);
    };
    let guards: ReadonlyMap<bigint, PlayGuard> = new Map();
    const players = playersOf(entries);
    const askingGuards = async (): Promise<void> => {
      if (this.#eligibility?.guards && players.length > 0)
        guards = await this.#eligibility.guards.readGuards(transaction, players);
    };
    const loads = [...groups].map(async ([kind, group]) => {
      group.context = await kind.load?.(transaction, group.commands, turn.promise);
    });
    const preparing = prepare();
    turn.promise.catch(() => undefined);
    await awaitAll([preparing, asking(), askingGuards(), ...loads]);
    const basis = { ...(await preparing), frozen, guards };
    for (const { kind, command, intent } of basis.isHalted ? [] : entries) {
      const group = groups.get(kind);
      if (group && kind.vote && !basis.outcomes.has(intent.id))
        group.context = await kind.vote(transaction, command, basis.book);
    }
    return basis;
  }
}
