import type { AssetCode } from '@sathorn/money';
import type { Decision } from '@sathorn/settlement';
import type { Bus } from '../platform/bus/index.ts';
import type { Database, Transaction } from '../platform/database/index.ts';
import type { Intent } from '../platform/intent.ts';
import type { AccountChains, StatementSigning } from './account-chains.ts';
import type { AccountName } from './chart.ts';
import type {
  AccountKey,
  AccountSum,
  AvailableChange,
  Balance,
  Eligibility,
  HoldResolutionKind,
  HoldResolutionWork,
  JournalKind,
  LedgerRefusal,
  StatementLine,
  TransferSearch,
  TransferView,
  WholeJournal,
} from './journal.ts';
import type { LedgerClock } from './ledger-clock.ts';

export interface Ledger {
  post<Command, Answer, Refusal extends string>(
    kind: JournalKind<Command, Answer, Refusal>,
    command: Command,
    intent: Intent,
  ): Promise<Decision<Answer, Refusal | LedgerRefusal>>;
  /**
   * Ends hundreds of holds at once. Balances need no check, because the money is already held. So most of the work runs
   * before the ledger's lock is taken, beside batches that are being posted, and the database computes the balances
   * afterwards. The lock is held from the moment at which `work` sends `resolve`. Faults are thrown; the rows that
   * `work` wrote then show whether the transaction was committed all the same.
   */
  resolveHolds(kind: HoldResolutionKind, work: HoldResolutionWork): Promise<Decision<null, 'money_halted'>>;
  /**
   * Pays many customers at once: `work` runs statements of its module that call `ledger.post_singles`, and the database
   * computes every step. Returns the customers whose accounts were moved, without the house. Throws faults like
   * `resolveHolds`.
   */
  payMany(
    work: (transaction: Transaction) => Promise<ReadonlySet<bigint>>,
  ): Promise<Decision<ReadonlySet<bigint>, 'money_halted'>>;
  /** The signed heads of a customer's accounts; null where the ledger was opened without a key for them. */
  readonly chains: AccountChains | null;
  /** Stops all money. Only the database's owner lets it move again. */
  halt(reason: string): Promise<void>;
  /** All accounts of an owner; unused accounts are absent. */
  balances(owner: bigint): Promise<readonly Balance[]>;
  /** The sum over all accounts with the same code and asset: credits minus debits. */
  totals(): Promise<readonly { readonly account: AccountName; readonly asset: AssetCode; readonly units: bigint }[]>;
  /** The sum of all customers' balances, by asset. */
  owed(): Promise<ReadonlyMap<AssetCode, bigint>>;
  transfersOf(journals: readonly string[]): Promise<readonly TransferView[]>;
  /** The n-th transfer of a journal, counted from 1; for journals with thousands of transfers. */
  transferOf(journal: string, n: number): Promise<TransferView | undefined>;
  /** The holds, the transfers that ended them and the charges on these transfers, in posting order. */
  transfersOfHolds(holds: readonly bigint[]): Promise<readonly TransferView[]>;
  /** Newest first; `before` is a sequence. Contains only lines that moved money, so no holds. */
  statement(
    account: AccountKey,
    direction: 'all' | 'in' | 'out',
    before: bigint | null,
    limit: number,
  ): Promise<readonly StatementLine[]>;
  /**
   * The changes of the available balance after one journal credited the account and before another began, oldest first,
   * including holds. Null if the first journal did not credit the account, or if there are too many changes to read.
   */
  availableBetween(
    account: AccountKey,
    since: string,
    until: string,
  ): Promise<{ readonly before: bigint; readonly changes: readonly AvailableChange[] } | null>;
  /** Undefined if the sequence does not exist. */
  transferAt(sequence: bigint): Promise<TransferView | undefined>;
  /** A journal with all its transfers, for the console; null for an unknown id. */
  journal(id: string): Promise<WholeJournal | null>;
  /**
   * Searches for the console, newest first. One request searches a limited part of the ledger, so a page may be short
   * or empty and still have a `next`.
   */
  search(
    search: TransferSearch,
  ): Promise<{ readonly transfers: readonly TransferView[]; readonly next: bigint | null }>;
  accountSums(): Promise<readonly AccountSum[]>;
  /** When the oldest money in a house account came in, counted first in, first out; null for an empty account. */
  oldestIn(account: AccountKey): Promise<Date | null>;
  /** The owner's accounts of these names, each with its posted credits less debits at each moment. */
  totalsAt(
    owner: bigint,
    names: ReadonlySet<string>,
    moments: readonly Date[],
  ): Promise<readonly { readonly account: AccountKey; readonly totals: readonly bigint[] }[]>;
}

export interface LedgerDependencies {
  /** Absent where no customer asks for a statement: then its calls are absent too. */
  readonly statements?: StatementSigning;
  readonly database: Database;
  readonly clock: LedgerClock;
  readonly bus: Bus;
  /** Null if no customer can be frozen. */
  readonly eligibility: Eligibility | null;
}
