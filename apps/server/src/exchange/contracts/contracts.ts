import type { KeyObject } from 'node:crypto';
import type {
  BookView,
  Candle,
  ContractOrder,
  Interval,
  listContracts,
  listFills,
  listTrades,
  listWaiting,
  ResultOf,
  readContract,
  readWaiting,
  TradeView,
  WaitingOrder,
} from '@sathorn/api';
import type { CoinCode, Money, Price } from '@sathorn/money';
import type {
  AmendRefusal,
  AmendRequest,
  BestPrices,
  ContractTicket,
  Decision,
  LimitTicket,
  PlacementRefusal,
  PlayRefusal,
  TicketRefusal,
  WaitingRefusal,
  WaitingTicket,
} from '@sathorn/settlement';
import type { Intent, Ledger, LedgerRefusal } from '../../ledger/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Bus, CommandBus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Bar } from '../market/index.ts';
import type { BookRefusal } from './coin-book.ts';
import type { ReadCoinCover } from './coin-covers.ts';
import type { ContractCommand, RecurringRun } from './contract-command.ts';
import type { ContractKindDependencies, ContractMarket, ContractRefusal } from './contract-kind.ts';
import type { ContractRow } from './contract-order.ts';
import type { RecurringTotal } from './contract-store.ts';
import type { MarketMakerFigures } from './market-maker-figures.ts';
import type { ContractTerms } from './offer-kinds.ts';

export interface ContractsDependencies {
  /** VIP level, from 0. */
  readonly levelOf: (customer: bigint) => number | Promise<number>;
  readonly database: Database;
  /** Connections for public reads. */
  readonly reads?: Queries;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly commands: CommandBus;
  readonly market: ContractMarket;
  /** The key of the seals on orders. */
  readonly orderKey: KeyObject;
  /** Compares what the house has of a coin with what its customers own. If absent, all coins are test money. */
  readonly coverOf?: ReadCoinCover;
  /** The terms in force; by default the first version. */
  readonly terms?: () => ContractTerms;
  /** Returns the customers who are frozen for trading. */
  readonly frozenTraders?: (queries: Queries) => Promise<readonly bigint[]>;
  /** Locks regular purchases until the transaction ends. Without it there are none. */
  readonly lockRecurring?: NonNullable<ContractKindDependencies['lockRecurring']>;
  /** Tells customers what was triggered while they were away. Without it nobody is told. */
  readonly messages?: Pick<Messages, 'send'>;
  /** True if a test drives the market maker, the candles and the triggers itself. */
  readonly isTurnedByHand?: boolean;
  readonly onFault: (error: unknown) => void;
}

type PlaceRefusal = PlacementRefusal | BookRefusal | PlayRefusal | 'account_frozen';
type NamedRefusal = 'order_unknown' | 'order_ended';
type AmendRefusals =
  | Exclude<PlaceRefusal, 'index_stale' | 'fok_not_fillable' | 'beyond_price_band'>
  | AmendRefusal
  | NamedRefusal
  | 'order_paired';
type WaitRefusals = WaitingRefusal | PlayRefusal | 'account_frozen';

export interface Contracts {
  readonly coverOf: ReadCoinCover;
  terms(): ContractTerms;
  place(
    customer: bigint,
    ticket: ContractTicket,
    intent: Intent,
  ): Promise<Decision<ContractOrder, PlaceRefusal | LedgerRefusal | 'contracts_not_offered'>>;
  /** Buys for an amount in the name of a regular purchase, at most at `priceMax`. */
  buyRecurring(
    customer: bigint,
    purchase: { readonly coin: CoinCode; readonly amount: Money<'USDT'>; readonly priceMax: Price | null },
    run: RecurringRun,
    intent: Intent,
  ): Promise<Decision<ContractOrder, ContractRefusal | LedgerRefusal | 'contracts_not_offered'>>;
  /** Sums up what regular purchases have bought, by their ids. */
  recurringTotals(ids: readonly string[]): Promise<ReadonlyMap<string, RecurringTotal>>;
  /** Orders by id, in any order. */
  orders(wanted: readonly Pick<ContractRow, 'coin' | 'sequence'>[]): Promise<ContractOrder[]>;
  /** Changes the price of a resting order, or takes a part of it back. */
  amend(
    customer: bigint,
    id: string,
    request: AmendRequest,
    intent: Intent,
  ): Promise<Decision<ContractOrder, AmendRefusals | LedgerRefusal | 'contracts_not_offered'>>;
  revoke(
    customer: bigint,
    id: string,
    intent: Intent,
  ): Promise<Decision<ContractOrder, 'order_unknown' | 'order_ended' | LedgerRefusal>>;
  /** Places an order that waits for the index. */
  placeWaiting(
    customer: bigint,
    ticket: WaitingTicket,
    intent: Intent,
  ): Promise<Decision<WaitingOrder, WaitRefusals | LedgerRefusal | 'contracts_not_offered'>>;
  /** Places a resting order and one that waits; the first that is filled or triggered ends the other. */
  placePair(
    customer: bigint,
    limit: LimitTicket,
    ticket: WaitingTicket,
    intent: Intent,
  ): Promise<
    Decision<
      { readonly waiting: WaitingOrder; readonly order: ContractOrder },
      | WaitRefusals
      | 'no_liquidity'
      | 'quantity_off_lot'
      | 'post_only_would_cross'
      | 'book_full'
      | LedgerRefusal
      | 'contracts_not_offered'
    >
  >;
  /** Replaces a waiting order by one that differs in what is given. */
  amendWaiting(
    customer: bigint,
    id: string,
    request: {
      readonly triggerPrice?: Price | undefined;
      readonly price?: Price | undefined;
      readonly quantity?: string | undefined;
    },
    intent: Intent,
  ): Promise<
    Decision<
      WaitingOrder,
      | WaitRefusals
      | TicketRefusal
      | NamedRefusal
      | 'trigger_price_required'
      | 'nothing_changes'
      | 'order_paired'
      | LedgerRefusal
      | 'contracts_not_offered'
    >
  >;
  revokeWaiting(
    customer: bigint,
    id: string,
    intent: Intent,
  ): Promise<Decision<WaitingOrder, NamedRefusal | LedgerRefusal>>;
  /** All waiting orders of the customer. */
  waiting(customer: bigint): Promise<WaitingOrder[]>;
  listWaiting(
    customer: bigint,
    which: {
      readonly status: 'open' | 'history' | 'all';
      readonly coin: CoinCode | null;
      readonly page: string | null;
    },
  ): Promise<ResultOf<typeof listWaiting>>;
  readWaiting(customer: bigint, id: string): Promise<Decision<ResultOf<typeof readWaiting>, 'order_unknown'>>;
  /** The best prices at which customers' orders rest; null if this process has no book of the coin. */
  bestOfCustomers(coin: CoinCode): BestPrices | null;
  /** Starts the orders that new ticks trigger. Called by tests that turn the triggers by hand. */
  triggerByHand(coin: CoinCode): Promise<void>;
  /** Ends the resting orders of customers who may no longer trade, whatever froze them. */
  revokeOfFrozen(): Promise<void>;
  /** Revokes the orders of one coin, or of all coins; returns the ids of the revoked orders. */
  revokeAll(
    customer: bigint,
    coin: CoinCode | null,
    intent: Intent,
  ): Promise<Decision<{ revoked: string[] }, LedgerRefusal>>;
  /** Sends any command to the matcher; the maker sends its quotes with it too. */
  send(command: ContractCommand, intent: Intent): Promise<Decision<unknown, string>>;
  list(
    customer: bigint,
    which: {
      readonly status: 'open' | 'history' | 'all';
      readonly coin: CoinCode | null;
      readonly side: 'buy' | 'sell' | null;
      readonly page: string | null;
    },
  ): Promise<ResultOf<typeof listContracts>>;
  /** All resting orders of the customer. */
  open(customer: bigint): Promise<ContractOrder[]>;
  read(customer: bigint, id: string): Promise<Decision<ResultOf<typeof readContract>, 'order_unknown'>>;
  fills(
    customer: bigint,
    coin: CoinCode | null,
    page: string | null,
    limit: number,
  ): Promise<ResultOf<typeof listFills>>;
  /** The fills of one order. */
  fillsOf(
    customer: bigint,
    id: string,
    page: string | null,
    limit: number,
  ): Promise<Decision<ResultOf<typeof listFills>, 'order_unknown'>>;
  tape(coin: CoinCode, page: string | null, limit: number): Promise<ResultOf<typeof listTrades>>;
  newestTrades(coin: CoinCode): Promise<TradeView[]>;
  /** The newest `limit` candles that start before a time, oldest first. An interval without trades has no candle. */
  tradeBars(coin: CoinCode, interval: Interval, before: Date, limit: number): Promise<Bar[]>;
  newestTradesCandle(coin: CoinCode, interval: Interval): Promise<Candle | null>;
  /** Public figures of the house's market maker. */
  marketMakerFigures(): Promise<MarketMakerFigures>;
  book(coin: CoinCode): BookView | null;
  isBookStale(coin: CoinCode, now: Date): boolean;
  /** The state hash of the book in this process's memory; null if it has none. */
  stateHash(coin: CoinCode): string | null;
  /**
   * Matches the commands for all coins that no other process serves. Resolves when the signal has aborted and all
   * commands are answered.
   */
  run(signal: AbortSignal): Promise<void>;
}
