import type {
  BoughtOption,
  DurationTerms,
  listOptions,
  OptionOrder,
  OptionReceipt,
  ResultOf,
  readOptionTotals,
} from '@sathorn/api';
import type { CoinCode, Money } from '@sathorn/money';
import type { SignedOptionTerms } from '@sathorn/proof';
import type { Decision, PlayRefusal, PurchaseRefusal, SaleRefusal, VoidRefusal } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import type { Intent, LedgerRefusal } from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import type { CoinFigures, NetResultSums, OptionFigures, WaitFigures } from './option-figures.ts';
import type { PurchaseCommand, PurchaseDependencies } from './purchase.ts';
import type { OptionBid } from './sell-option.ts';
import type { Settler, SettlerDependencies } from './settle-options.ts';

export interface OptionsDependencies extends PurchaseDependencies, Omit<SettlerDependencies, 'readTickWatermark'> {
  /** The brand's time zone, which decides when a day begins. */
  readonly timeZone: string;
  /**
   * The time in ms up to which no further tick can appear. It follows the database's clock unless a test or a replay
   * uses its own.
   */
  readonly readTickWatermark?: () => Promise<number>;
  /** Called for a new dispute, in the same transaction. */
  readonly openCase?: (transaction: Queries, dispute: OpenedDispute) => Promise<void>;
}

export interface OptionEvidence {
  readonly order: OptionOrder;
  readonly receipt: OptionReceipt;
  /** The ticks from five seconds before the start to five after the end; none if one of them is not validly signed. */
  readonly ticks: readonly { readonly at: number; readonly price: string; readonly sequence: string }[];
  /** Null if a tick is not validly signed, because then nothing can be computed. */
  readonly recomputed: { readonly status: OptionOrder['status']; readonly profit: string } | null;
}

export interface BookedOption {
  readonly status: OptionOrder['status'];
  /** Null while the option runs. */
  readonly credited: Money<'USDT'> | null;
}

/** A newly opened dispute, in the form that its reviewers receive. */
export interface OpenedDispute {
  readonly id: string;
  readonly customer: bigint;
  readonly order: string;
  readonly statement: string;
  readonly language: Language;
  readonly openedAt: Date;
  readonly deadline: Date;
}

export interface WonOption {
  readonly owner: bigint;
  readonly coin: CoinCode;
  /** Profit minus the fee, as a decimal string. */
  readonly amount: string;
  readonly at: Date;
}

export interface Options extends Settler {
  /** Offers sales of options on a demonstration, for coins whose terms nobody has set. */
  offerDemoSales(now: Date): Promise<void>;
  /** Refuses purchases from now on, because this server is stopping; another one will sell. */
  stopSelling(): void;
  /** The current offers, from memory; empty if options on the coin are not offered. */
  optionTerms(coin: CoinCode): DurationTerms[];
  /** The smallest stake of all current offers, from memory. */
  stakeMin(): Money;
  /** Sells an option. The answer includes the signed terms, also when a request is repeated. */
  buy(
    command: PurchaseCommand,
    intent: Intent,
  ): Promise<Decision<BoughtOption, PurchaseRefusal | PlayRefusal | 'account_frozen' | LedgerRefusal>>;
  /**
   * Takes an open option back at the price of a tick that its customer saw. Answers at the first tick half a second
   * after the arrival.
   */
  sell(
    asked: { readonly customer: bigint; readonly id: string; readonly price: Money<'USDT'>; readonly sequence: bigint },
    arrivedMs: number,
    intent: Intent,
  ): Promise<Decision<OptionOrder, SaleRefusal | 'account_frozen' | LedgerRefusal>>;
  /** The price at which an option could be sold now. */
  bid(customer: bigint, id: string): Promise<Decision<OptionBid, Exclude<SaleRefusal, 'price_moved'>>>;
  read(
    customer: bigint,
    id: string,
  ): Promise<Decision<OptionOrder & { receipt: OptionReceipt | null }, 'order_unknown'>>;
  list(
    customer: bigint,
    which: { readonly status: 'holding' | 'history'; readonly coin: CoinCode | null; readonly page: string | null },
  ): Promise<ResultOf<typeof listOptions>>;
  totals(customer: bigint, now: Date): Promise<ResultOf<typeof readOptionTotals>>;
  /** Has a lost order void that a late price settled. Returns it as it is afterwards. */
  haveVoid(customer: bigint, id: string, intent: Intent): Promise<Decision<OptionOrder, VoidRefusal | LedgerRefusal>>;
  /** Opens a dispute and stores the current receipt with it. */
  dispute(
    customer: bigint,
    id: string,
    reason: string,
    now: Date,
    language?: Language,
  ): Promise<Decision<{ id: string; deadline: string }, 'order_unknown' | 'order_not_settled' | 'dispute_open'>>;
  /** A disputed order for its reviewer, with the settlement computed again from the stored ticks. */
  evidence(customer: bigint, id: string): Promise<OptionEvidence | null>;
  /** True if this customer bought under these terms. Only this server knows the salt of each order's commitment. */
  isSealOf(terms: SignedOptionTerms, customer: bigint): boolean;
  /**
   * The booked state of this very purchase; null without one. A restoration may free an id, but not with its moment.
   */
  readBooked(customer: bigint, order: string, acceptedMs: number): Promise<BookedOption | null>;
  /** Closes the dispute on its order, in the transaction of the vote. The database verifies the approval. */
  closeDispute(transaction: Queries, dispute: string, isUpheld: boolean, approval: string): Promise<void>;
  /** The most that the open orders of each coin can win, by direction, and the coin's current limit. */
  exposures(): Promise<{ code: CoinCode; up: bigint; down: bigint; limit: bigint | null }[]>;
  /** The number of options that have ended and should be settled by now. */
  countUnsettled(now: Date): Promise<number>;
  /** Results of options that ended since that time, by duration. */
  figures(sinceMs: number): Promise<OptionFigures[]>;
  /** Per coin: the number of these options that late prices settled, and of voids by reason. */
  coinFigures(sinceMs: number): Promise<CoinFigures[]>;
  /** How long options that were accepted since that time had waited; null if there are none. */
  waitFigures(sinceMs: number): Promise<WaitFigures | null>;
  /** Net results of the customers whose options ended since that time. */
  standings(sinceMs: number): Promise<NetResultSums>;
  /** Real wins of the last days, newest first, by customers who agreed to be shown. */
  recentWins(
    now: Date,
    consenting: (customers: readonly bigint[]) => Promise<ReadonlySet<bigint>>,
  ): Promise<WonOption[]>;
}
