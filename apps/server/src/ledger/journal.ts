import type { AssetCode } from '@sathorn/money';
import type { Decision, PlayRefusal, Refusing } from '@sathorn/settlement';
import type { Queries, Transaction } from '../platform/database/index.ts';
import type { Intent } from '../platform/intent.ts';
import type { AccountName, PurposeName } from './chart.ts';

export const HOUSE_OWNER = 0n;

export interface AccountKey {
  readonly owner: bigint;
  readonly name: AccountName;
  readonly asset: AssetCode;
}
export const houseAccount = (name: AccountName, asset: AssetCode): AccountKey => ({ owner: HOUSE_OWNER, name, asset });
export const customerAccount = (owner: bigint, asset: AssetCode, name: AccountName = 'spot'): AccountKey => ({
  owner,
  name,
  asset,
});

/** A hold that was posted earlier, identified by its sequence. */
export interface HoldRef {
  readonly sequence: bigint;
  readonly debit: AccountKey;
  readonly credit: AccountKey;
  readonly units: bigint;
}

/** Units count the asset's smallest unit and are > 0. Posting less than was held releases the rest. */
export type Transfer =
  | { kind: 'single'; debit: AccountKey; credit: AccountKey; units: bigint; code: PurposeName }
  | { kind: 'hold'; debit: AccountKey; credit: AccountKey; units: bigint; code: PurposeName }
  | { kind: 'post'; hold: HoldRef; units: bigint; code: PurposeName }
  | { kind: 'void'; hold: HoldRef; code: PurposeName };

/** Balances under the lock, including the effects of commands that this batch has already accepted. */
export interface Funds {
  available(account: AccountKey): bigint;
  held(account: AccountKey): bigint;
}

export interface PostedAnswer<Answer> {
  readonly transfers: readonly Transfer[];
  readonly answer: Answer;
}

export interface AcceptedPosting<Command, Answer> {
  readonly command: Command;
  readonly intent: Intent;
  readonly answer: Answer;
  /** The sequence of each of the journal's transfers, in the order in which `decide` returned them. */
  readonly sequences: readonly bigint[];
}

/** The time and the intent of a decision. The answer to an intent is final. */
export interface Acceptance {
  readonly now: Date;
  readonly intent: Intent;
}

export interface AcceptedBatch<Command, Answer> {
  readonly accepted: readonly AcceptedPosting<Command, Answer>[];
}

/**
 * One kind of business event. Many callers are served in one transaction: lock, read once, decide each in turn in
 * memory, post all, write once, commit. `demo/demo/fund-demo.ts` is an example to copy. A kind that decides on rows of
 * its module is a `LoadedKind`; one that operators vote on is a `votedKind`.
 */
export interface JournalKind<Command, Answer, Refusal extends string> {
  /** Such as `options.purchase`. */
  readonly name: string;
  /**
   * The customer whose money the command moves. The ledger refuses commands of a frozen customer with `account_frozen`,
   * which the kind then lists among its refusals. Null for commands that a frozen customer may still send or receive.
   */
  customer(command: Command): null | ('account_frozen' extends Refusal ? bigint : never);
  /**
   * The stake to which the customer's own limits apply; null for commands that the limits never stop. A kind with
   * `play` must list `PlayRefusal` among its refusals. The ledger checks the limits before it calls `decide`.
   */
  play?(command: Command): null | ('self_excluded' extends Refusal ? GuardedPlay : never);
  /** Set for journal kinds that jobs use. Jobs repeat an intent until it is accepted, so a refusal is not stored. */
  readonly isRepeated?: true;
  /** All accounts whose funds `decide` may read. It may move other accounts too. */
  accounts(command: Command): readonly AccountKey[];
  /** Pure. The answer must survive JSON (strings, numbers, booleans, null). */
  decide(command: Command, funds: Funds, acceptance: Acceptance): Decision<PostedAnswer<Answer>, Refusal>;
  /**
   * Writes the transaction's other rows when something was accepted. Every statement must be sent before this returns,
   * because the commit follows directly: anything that must prevent the commit has to fail in the database.
   */
  write?(transaction: Transaction, batch: AcceptedBatch<Command, Answer>): readonly Promise<unknown>[];
}

export interface GuardedPlay {
  /** The stake of an option in units of USDT; 0n for orders that only a break and the time limit can stop. */
  readonly stake: bigint;
}

/** A customer's limits and their use during a batch. It counts the orders that the batch has accepted. */
export interface PlayGuard {
  refusalOf(play: GuardedPlay): Refusing<PlayRefusal> | null;
  accepted(play: GuardedPlay): void;
}

/** The limits that customers set for themselves. */
export interface PlayGuards {
  /** Returns only customers who have set a limit. Called under the ledger's lock. */
  readGuards(queries: Queries, customers: readonly bigint[]): Promise<ReadonlyMap<bigint, PlayGuard>>;
  /**
   * Called when the rows of a batch are sent. It fails in the database if an accepted order is beyond a limit. `stakes`
   * has the largest stake of each customer.
   */
  refuseStopped(queries: Queries, stakes: ReadonlyMap<bigint, bigint>): Promise<void>;
  /**
   * True if these limits refused the customer recently. A speculative batch with another order of that customer would
   * probably fail, and all its orders would be decided twice. So such a batch is decided under the lock at once.
   */
  wasRefused(customer: bigint): boolean;
}

/** Decides which customers may move money. Each batch checks all of its customers at once. */
export interface Eligibility {
  /** Returns those who may not move money. */
  readFrozen(queries: Queries, customers: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /** Called for a speculative batch: the database rejects it if one of them may not move money. */
  refuseFrozen(queries: Queries, customers: readonly bigint[]): Promise<void>;
  /** If absent, customers have no limits of their own. */
  readonly guards?: PlayGuards;
}

/** How a hold ends. With `posted` null it is released; otherwise that amount is posted and the rest released. */
export interface HoldEnding {
  /** Sequence of the hold. */
  readonly hold: bigint;
  readonly posted: bigint | null;
  /** The charge on the account to which the hold was posted; 0n for none. */
  readonly charge: bigint;
}

export interface HoldResolutionKind {
  /** Such as `options.settle`. */
  readonly name: string;
  /** The account that receives the charges, and the purpose of these transfers. */
  readonly charges: { readonly to: AccountKey; readonly code: PurposeName };
}

/** Ends many holds in one journal. The database rejects an intent that was posted before. */
export interface HoldResolution {
  readonly intent: Intent;
  readonly ends: readonly HoldEnding[];
}

/** The rest of the transaction; must call `resolve` once. Returns the customers whose accounts were moved. */
export type HoldResolutionWork = (
  transaction: Transaction,
  resolve: (resolution: HoldResolution) => Promise<void>,
) => Promise<ReadonlySet<bigint>>;

/** Refusals by the ledger itself, which every kind may get. */
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
  /** The change of the account's total (available + held), and the total afterwards. */
  readonly change: bigint;
  readonly after: bigint;
  /** The account's number of this entry. */
  readonly entry: bigint;
}

/** A journal with everything that the ledger stored of it. */
export interface WholeJournal {
  readonly id: string;
  readonly kind: string;
  /** SHA-256 of the command, or a word for events that the platform started itself. */
  readonly digest: string;
  readonly refusal: string | null;
  /** The stored answer as JSON. */
  readonly answer: string | null;
  readonly at: Date;
  readonly count: number;
  /** The first transfers, if there are thousands. */
  readonly transfers: readonly TransferView[];
}
export interface TransferSearch {
  readonly owner: bigint | null;
  readonly code: PurposeName | null;
  readonly from: Date | null;
  readonly to: Date | null;
  /** Only transfers with a smaller sequence; null for all. */
  readonly before: bigint | null;
}
export interface AccountSum {
  readonly account: AccountName;
  readonly asset: AssetCode;
  /** How many accounts are of this kind. */
  readonly accounts: number;
  readonly units: bigint;
  readonly held: bigint;
}

/** A change of an account's available balance: less than 0 when money is held or leaves. */
export interface AvailableChange {
  readonly journal: string;
  readonly code: PurposeName;
  readonly units: bigint;
}
