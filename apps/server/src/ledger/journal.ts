import type { AssetCode } from '@sathorn/money';
import type { Decision } from '@sathorn/settlement';
import type { Queries, Transaction } from '../database/index.ts';
import type { AccountName, PurposeName } from './chart.ts';

export const HOUSE = 0n;

export interface AccountKey {
  readonly owner: bigint;
  readonly name: AccountName;
  readonly asset: AssetCode;
}
export const houseAccount = (name: AccountName, asset: AssetCode): AccountKey => ({ owner: HOUSE, name, asset });
export const customerAccount = (owner: bigint, asset: AssetCode, name: AccountName = 'spot'): AccountKey => ({
  owner,
  name,
  asset,
});

/** A hold that was posted earlier; its row names it by its sequence. */
export interface HoldRef {
  readonly sequence: bigint;
  readonly debit: AccountKey;
  readonly credit: AccountKey;
  readonly units: bigint;
}

/** Units are counts of the asset's smallest unit, > 0. Posting less than was held gives the rest back. */
export type Transfer =
  | { kind: 'single'; debit: AccountKey; credit: AccountKey; units: bigint; code: PurposeName }
  | { kind: 'hold'; debit: AccountKey; credit: AccountKey; units: bigint; code: PurposeName }
  | { kind: 'post'; hold: HoldRef; units: bigint; code: PurposeName }
  | { kind: 'void'; hold: HoldRef; code: PurposeName };

/** Balances as they are under the locks, and after what this batch has already accepted. */
export interface Funds {
  available(account: AccountKey): bigint;
  held(account: AccountKey): bigint;
}

/** Who asked and for what: the idempotency id, and a digest of the request's content. */
export interface Intent {
  /** UUID. The same id with the same digest gets the first answer again. */
  readonly id: string;
  readonly digest: string;
}

export interface Posted<Answer> {
  readonly transfers: readonly Transfer[];
  readonly answer: Answer;
}

export interface AcceptedPosting<Command, Answer> {
  readonly command: Command;
  readonly intent: Intent;
  readonly answer: Answer;
  /** Sequence of each transfer of the journal, in the order in which `decide` gave them. */
  readonly sequences: readonly bigint[];
}

/** How a kind gives its answers again, when they follow from what it has written. */
export interface AnswerMemory<Answer> {
  /** What the journal keeps of an answer, as JSON; null for nothing. */
  keep(answer: Answer): unknown;
  /** The answers of journals, by id, from what they kept. */
  recall(queries: Queries, kept: ReadonlyMap<string, unknown>): Promise<ReadonlyMap<string, Answer>>;
}

/** When a batch is decided. */
export interface Turn {
  /** The moment of acceptance. */
  readonly now: Date;
  /**
   * The same for as long as nobody but this poster has moved money, and nothing of it was rolled back: what changes only with postings is as this
   * process left it in the batch before.
   */
  readonly era: number;
}

/**
 * One kind of business event. Many callers are served in one transaction: lock, load once, decide each in turn in memory,
 * post all, write once, commit. `load`, `decide` and `write` of a batch see and change one consistent state.
 */
export interface JournalKind<Command, Context, Answer, Refusal extends string> {
  /** `options.purchase`. */
  readonly name: string;
  /** Every account whose funds `decide` may ask for. Others may be moved all the same. */
  accounts(command: Command): readonly AccountKey[];
  /**
   * What it asks of the transaction at once is said together with the question for the ledger's lock, and answered under it. `turn`
   * resolves when the batch before is over: only then is what a kind remembers of it true.
   */
  load?(transaction: Transaction, commands: readonly Command[], turn: Promise<Turn>): Promise<Context>;
  /**
   * What `load` would give, as far as this process can know it without asking; null when it can't. A batch that is decided on it is sent at
   * once. The database refuses it when the era is over. Whatever else might be otherwise by now has to make `write` fail there: then the batch is
   * decided again, under the lock.
   */
  presume?(commands: readonly Command[], turn: Turn): Context | null;
  /** Pure. `now` is the moment of acceptance. The answer must survive JSON (strings, numbers, booleans, null). */
  decide(
    command: Command,
    funds: Funds,
    context: Context,
    now: Date,
    intent: Intent,
  ): Decision<Posted<Answer>, Refusal>;
  /** Without it journals keep answers whole. */
  readonly memory?: AnswerMemory<Answer>;
  /**
   * What else the transaction writes; called when something was accepted, or `presume` was believed. All of it is said at once, before this returns: the commit is sent right behind. So what must not
   * be committed has to fail in the database.
   */
  write?(
    transaction: Transaction,
    accepted: readonly AcceptedPosting<Command, Answer>[],
    context: Context,
  ): readonly Promise<unknown>[];
  /**
   * The batch is over, and the next is not decided yet. What a kind remembers between batches follows what it decided, or goes
   * back. When the connection was lost at the commit, `false` may be wrong: only the database knows.
   */
  ended?(isCommitted: boolean): void;
}

/** How one hold ends: given back (`posted` null), or posted up to what was held, the rest given back. */
export interface HoldEnd {
  /** Sequence of the hold. */
  readonly hold: bigint;
  readonly posted: bigint | null;
  /** Taken at once from whom the hold paid; 0n for nothing. */
  readonly charge: bigint;
}

export interface ResolutionKind {
  /** `options.settle`. */
  readonly name: string;
  /** Where charges go, and what they are for. */
  readonly charges: { readonly to: AccountKey; readonly code: PurposeName };
}

/** The end of many holds, in one journal. The database refuses an intent that was posted before. */
export interface Resolution {
  readonly intent: Intent;
  readonly ends: readonly HoldEnd[];
}

/** The rest of the transaction; sends `resolve` once. Returns whose accounts were moved, the house left out. */
export type ResolutionWork = (
  transaction: Transaction,
  resolve: (resolution: Resolution) => Promise<void>,
) => Promise<ReadonlySet<bigint>>;

/** What the ledger itself can refuse. */
export type LedgerRefusal = 'idempotency_key_reused' | 'money_halted';

export interface Balance {
  readonly account: AccountKey;
  readonly available: bigint;
  readonly held: bigint;
}

export interface TransferView {
  readonly sequence: bigint;
  readonly journal: string;
  readonly kind: 'single' | 'hold' | 'post' | 'void';
  readonly debit: AccountKey;
  readonly credit: AccountKey;
  readonly units: bigint;
  readonly code: PurposeName;
  readonly resolves: bigint | null;
  readonly at: Date;
}

export interface StatementLine {
  readonly transfer: TransferView;
  /** Effect on what the account has in all (available + held), and that total afterwards. */
  readonly change: bigint;
  readonly after: bigint;
}

export interface Ledger {
  post<Command, Context, Answer, Refusal extends string>(
    kind: JournalKind<Command, Context, Answer, Refusal>,
    command: Command,
    intent: Intent,
  ): Promise<Decision<Answer, Refusal | LedgerRefusal>>;
  /**
   * Ends holds by the hundred. Nobody's funds are asked for: what is held is there. So what is slow comes ahead of the ledger's lock,
   * beside batches that are being posted, and the database itself computes what each account has afterwards. From where `work` sends
   * `resolve` the lock is held. Faults are thrown; whether it was committed all the same is then to be read from what `work` wrote.
   */
  resolveHolds(kind: ResolutionKind, work: ResolutionWork): Promise<Decision<null, 'money_halted'>>;
  /** Every account of an owner; an account never used is absent. */
  balances(owner: bigint): Promise<readonly Balance[]>;
  transfersOf(journals: readonly string[]): Promise<readonly TransferView[]>;
  /** The holds, what ended them, and the charge on what was posted then, in the order in which they were posted. */
  transfersOfHolds(holds: readonly bigint[]): Promise<readonly TransferView[]>;
  /** Newest first; `before` is a sequence. Only lines that moved money (holds are left out). */
  statement(
    account: AccountKey,
    direction: 'all' | 'in' | 'out',
    before: bigint | null,
    limit: number,
  ): Promise<readonly StatementLine[]>;
}
