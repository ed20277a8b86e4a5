import { EventEmitter } from 'node:events';
import type { BookView, Candle, ContractOrder, Interval, OptionOrder, Ticker, TradeView } from '@sathorn/api';

/** An order that changed; `order` is made when it is asked for. */
export interface ContractChange {
  readonly owner: bigint;
  readonly order: ContractOrder;
}

/** Live events from the roles that make them to the edges that send them on. Delivered at most once: after a `gap` a snapshot repairs it. */
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
  /** The index has committed a second: processes that follow read it now. */
  published: [at: Date];
  order: [event: { owner: bigint; order: OptionOrder }];
  contract: [event: ContractChange];
  /** A customer's notices changed; what they say is read in each reader's own language. */
  message: [event: { owner: bigint; unread: number }];
  session_ended: [event: { sessionId: string }];
  /** Something may have happened that nobody was told: whoever shows what follows from events reads it anew. */
  gap: [at: Date];
}

/**
 * What is told has happened, so a listener that throws is no matter of who tells: it is reported, and the others hear all the same.
 * Without `onFault` it is thrown to who tells.
 */
export class Bus extends EventEmitter<BusEvents> {
  readonly #onFault: (error: unknown) => void;

  constructor(onFault?: (error: unknown) => void) {
    super();
    this.setMaxListeners(100);
    this.#onFault =
      onFault ??
      ((error) => {
        throw error;
      });
  }

  override emit<Name extends keyof BusEvents>(name: Name, ...event: BusEvents[Name]): boolean {
    const listeners = this.rawListeners(name) as ((...event: unknown[]) => void)[];
    for (const listener of listeners) {
      try {
        listener.apply(this, event);
      } catch (error) {
        this.#onFault(error);
      }
    }
    return listeners.length > 0;
  }
}
