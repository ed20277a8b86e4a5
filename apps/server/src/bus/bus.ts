import { EventEmitter } from 'node:events';
import type { BookView, Candle, ContractOrder, Interval, OptionOrder, Ticker, TradeView } from '@sathorn/api';

/** An order that changed; `order` is made when it is asked for. */
export interface ContractChange {
  readonly owner: bigint;
  readonly order: ContractOrder;
}

/** Live events from the roles that make them to the edges that send them on. Delivered at most once: a snapshot repairs a gap. */
export interface BusEvents {
  tickers: [tickers: Ticker[]];
  candle: [candle: { code: string; interval: Interval; candle: Candle }];
  trades_candle: [candle: { code: string; interval: Interval; candle: Candle }];
  /** The best levels of a coin's book, when they changed. */
  book: [book: BookView];
  /** New on the public tape, oldest first. */
  trades: [event: { code: string; trades: TradeView[] }];
  /** Customers whose accounts have moved by a commit of the ledger. */
  funds: [owners: ReadonlySet<bigint>];
  /** A new tick exists for these coins; the settler listens. */
  ticked: [at: Date];
  order: [event: { owner: bigint; order: OptionOrder }];
  contract: [event: ContractChange];
  /** A customer's notices changed; what they say is read in each reader's own language. */
  message: [event: { owner: bigint; unread: number }];
  session_ended: [event: { sessionId: string }];
}

export class Bus extends EventEmitter<BusEvents> {
  constructor() {
    super();
    this.setMaxListeners(100);
  }
}
