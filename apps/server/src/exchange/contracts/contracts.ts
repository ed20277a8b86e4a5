import type { KeyObject } from 'node:crypto';
import type {
  BookView,
  Candle,
  ContractOrder,
  Interval,
  listContracts,
  listFills,
  listTrades,
  ResultOf,
  readContract,
  TradeView,
} from '@sathorn/api';
import type { CoinCode } from '@sathorn/money';
import type { ContractTicket, Decision } from '@sathorn/settlement';
import type { Intent, Ledger, LedgerRefusal } from '../../ledger/index.ts';
import type { Bus, CommandBus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Bar } from '../market/index.ts';
import type { ReadCoinCover } from './coin-covers.ts';
import type { ContractCommand } from './contract-command.ts';
import type { ContractMarket, ContractRefusal } from './contract-kind.ts';
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
  /** True if a test drives the market maker and the candles itself. */
  readonly isTurnedByHand?: boolean;
  readonly onFault: (error: unknown) => void;
}

type PlaceRefusal = Exclude<ContractRefusal, 'order_unknown' | 'order_ended' | 'maker_replaced'>;

export interface Contracts {
  readonly coverOf: ReadCoinCover;
  terms(): ContractTerms;
  place(
    customer: bigint,
    ticket: ContractTicket,
    intent: Intent,
  ): Promise<Decision<ContractOrder, PlaceRefusal | LedgerRefusal | 'contracts_not_offered'>>;
  revoke(
    customer: bigint,
    id: string,
    intent: Intent,
  ): Promise<Decision<ContractOrder, 'order_unknown' | 'order_ended' | LedgerRefusal>>;
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
