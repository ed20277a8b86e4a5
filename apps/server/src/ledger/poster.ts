import { setTimeout as pause } from 'node:timers/promises';
import { type Decision, refuse } from '@sathorn/settlement';
import type { Bus } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import { type Database, isConnectionFault, isSerializationFault } from '../database/index.ts';
import { AccountBook } from './account-book.ts';
import {
  type AccountKey,
  HOUSE,
  type Intent,
  type JournalKind,
  type LedgerRefusal,
  type Posted,
  TRANSFER_CODES,
  type Transfer,
} from './journal.ts';
import { lockHead, type PostColumns, postColumns, readJournals } from './ledger-store.ts';

/** Half a batch waits on disk while the other half's callers prepare; larger ones only add latency. */
const BATCH_MAX = 1_000;
const RETRY_FAULTS_MS = 20_000;
const HALTED = 'LD006';

type AnyKind = JournalKind<unknown, unknown, unknown, string>;
type AnyDecision = Decision<unknown, string>;

interface Waiting {
  readonly kind: AnyKind;
  readonly command: unknown;
  readonly intent: Intent;
  readonly since: number;
  resolve(decision: AnyDecision): void;
  reject(error: unknown): void;
}

/** What became of an intent. */
interface Outcome {
  readonly digest: string;
  readonly refusal: string | null;
  readonly answer: unknown;
}

interface Group {
  readonly waiting: Waiting[];
  context: unknown;
  readonly accepted: { command: unknown; intent: Intent; answer: unknown; sequences: bigint[] }[];
}

const KIND_LETTER = { single: 's', hold: 'h', post: 'p', void: 'v' } as const;

function sidesOf(transfer: Transfer): { debit: AccountKey; credit: AccountKey } {
  return transfer.kind === 'single' || transfer.kind === 'hold' ? transfer : transfer.hold;
}

/**
 * Group commit: whatever waits is decided and posted in one transaction, so durability costs one commit a batch. One batch
 * at a time in this process, and `ledger.head` is locked against other processes.
 */
export class Poster {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #bus: Bus;
  readonly #book = new AccountBook();
  #queue: Waiting[] = [];
  #isRunning = false;

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
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Let every request of this turn of the loop join the first batch.
    await new Promise(setImmediate);
    while (this.#queue.length > 0) {
      const batch = this.#queue.length > BATCH_MAX ? this.#queue.splice(0, BATCH_MAX) : this.#queue;
      if (batch === this.#queue) this.#queue = [];
      await this.#settle(batch);
    }
    this.#isRunning = false;
  }

  /** Every entry of the batch is answered when this returns. */
  async #settle(batch: Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#commit(batch);
      batch.forEach((entry, n) => {
        const outcome = outcomes[n];
        if (outcome) entry.resolve(outcome);
        else entry.reject(new Error('a batch left an entry without an outcome'));
      });
    } catch (error) {
      this.#book.forget();
      if (error instanceof Error && 'code' in error && error.code === HALTED) {
        for (const entry of batch) entry.resolve(refuse('money_halted'));
      } else if (isConnectionFault(error) || isSerializationFault(error)) {
        // The commit may or may not have happened: the same intents find out when they are posted again.
        const isLate = (entry: Waiting): boolean => performance.now() - entry.since > RETRY_FAULTS_MS;
        for (const entry of batch) if (isLate(entry)) entry.reject(error);
        await pause(50 + Math.random() * 100);
        this.#queue = [...batch.filter((entry) => !isLate(entry)), ...this.#queue];
      } else if (batch.length === 1) {
        batch[0]?.reject(error);
      } else {
        // One entry has a bug; the others must not pay for it.
        for (const entry of batch) await this.#settle([entry]);
      }
    }
  }

  async #commit(batch: Waiting[]): Promise<AnyDecision[]> {
    const keys = batch.flatMap((entry) => entry.kind.accounts(entry.command));
    await this.#book.resolveIds(this.#database, keys);
    const touched = new Map<string, AccountKey>();
    const { outcomes, sequence } = await this.#database.transaction(async (transaction) => {
      const [head, journals] = await Promise.all([
        lockHead(transaction),
        readJournals(
          transaction,
          batch.map((entry) => entry.intent.id),
        ),
      ]);
      const known = new Map<string, Outcome>(
        journals.map(({ answer, ...row }) => [row.id, { ...row, answer: answer === null ? null : JSON.parse(answer) }]),
      );
      await this.#book.load(transaction, keys, head.last_sequence);

      const groups = new Map<AnyKind, Group>();
      for (const entry of batch) {
        const group = groups.get(entry.kind);
        if (group) group.waiting.push(entry);
        else groups.set(entry.kind, { waiting: [entry], context: undefined, accepted: [] });
      }
      const now = this.#clock.now();
      await Promise.all(
        [...groups].map(async ([kind, group]) => {
          group.context = await kind.load(
            transaction,
            group.waiting.map((entry) => entry.command),
            now,
          );
        }),
      );

      const columns: PostColumns = { journals: [], transfers: [] };
      let next = head.last_sequence + 1n;
      const decideEntry = (entry: Waiting): AnyDecision => {
        const before = known.get(entry.intent.id);
        if (before) {
          if (before.digest !== entry.intent.digest) return refuse('idempotency_key_reused');
          return before.refusal === null
            ? { ok: true, effect: before.answer }
            : {
                ok: false,
                refusal: before.refusal,
                ...(before.answer as { params?: Record<string, string>; field?: string } | null),
              };
        }
        if (head.halted !== null) return refuse('money_halted');
        const group = groups.get(entry.kind);
        if (!group) throw new Error('an entry lost its group');
        const decision = entry.kind.decide(entry.command, this.#book, group.context, now, entry.intent);
        const first = next;
        let answer: unknown;
        if (decision.ok) {
          const sequences = this.#append(decision.effect, entry.intent, columns, next, touched);
          next += BigInt(sequences.length);
          answer = decision.effect.answer;
          group.accepted.push({ command: entry.command, intent: entry.intent, answer, sequences });
        } else {
          const { params, field } = decision;
          answer = params || field ? { ...(params && { params }), ...(field && { field }) } : null;
        }
        const refusal = decision.ok ? null : decision.refusal;
        columns.journals.push({
          id: entry.intent.id,
          kind: entry.kind.name,
          digest: entry.intent.digest,
          refusal,
          answer: answer === null || answer === undefined ? null : JSON.stringify(answer),
          first,
          count: Number(next - first),
        });
        known.set(entry.intent.id, { digest: entry.intent.digest, refusal, answer });
        return decision.ok ? { ok: true, effect: answer } : decision;
      };
      const outcomes = batch.map(decideEntry);

      await Promise.all([
        columns.journals.length > 0 && postColumns(transaction, head.last_sequence + 1n, columns),
        ...[...groups].map(
          ([kind, group]) => group.accepted.length > 0 && kind.write(transaction, group.accepted, group.context),
        ),
      ]);
      return { outcomes, sequence: next - 1n };
    });
    this.#book.committed(sequence);
    this.#publish(touched);
    return outcomes;
  }

  #append(
    posted: Posted<unknown>,
    intent: Intent,
    columns: PostColumns,
    first: bigint,
    touched: Map<string, AccountKey>,
  ): bigint[] {
    return posted.transfers.map((transfer, n) => {
      const { debit, credit } = sidesOf(transfer);
      const hold = transfer.kind === 'post' || transfer.kind === 'void' ? transfer.hold : null;
      const after = this.#book.apply(transfer);
      for (const key of [debit, credit])
        if (key.owner !== HOUSE) touched.set(`${key.owner}/${key.name}/${key.asset}`, key);
      columns.transfers.push({
        journal: intent.id,
        kind: KIND_LETTER[transfer.kind],
        resolves: hold ? hold.sequence : null,
        asset: debit.asset,
        debit: this.#book.idOf(debit),
        credit: this.#book.idOf(credit),
        units: transfer.kind === 'void' ? transfer.hold.units : transfer.units,
        held: hold ? hold.units : 0n,
        code: TRANSFER_CODES[transfer.code],
        ...after,
      });
      return first + BigInt(n);
    });
  }

  #publish(touched: Map<string, AccountKey>): void {
    for (const key of touched.values()) {
      if (key.name === 'spot')
        this.#bus.emit('funds', {
          owner: key.owner,
          asset: key.asset,
          available: this.#book.available(key),
          held: this.#book.held(key),
        });
    }
  }
}
