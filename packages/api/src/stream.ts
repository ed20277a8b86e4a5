import type { Candle, Interval } from './candles.ts';
import type { BookView, ContractOrder, TradeView } from './contracts.ts';
import type { CoinQuote } from './market.ts';
import type { Message } from './messages.ts';
import type { OptionOrder } from './options.ts';

/**
 * `/api/stream`: the app sends `{op:'auth', token, lang?, presentation?}`, `{op:'subscribe', topics}`, `{op:'unsubscribe', topics}`, `{op:'ping'}`.
 * On subscription the latest state of each topic comes first (a snapshot), so a dropped connection resumes by subscribing again.
 * Customer topics (`orders`, `contracts`, `balances`, `messages`) need auth; they are of the session's customer only.
 */
export type Topic =
  | 'tickers'
  | `candle:${string}:${Interval}`
  /** Candles of the trades on the book. */
  | `trades_candle:${string}:${Interval}`
  | `book:${string}`
  | `trades:${string}`
  | 'orders'
  | 'contracts'
  | 'balances'
  | 'messages';

export type ClientFrame =
  | {
      op: 'auth';
      token: string;
      /** As the headers: notices are worded by them. */
      lang?: string | undefined;
      presentation?: string | undefined;
    }
  | { op: 'subscribe' | 'unsubscribe'; topics: string[] }
  | { op: 'ping' };

export interface Ticker {
  code: string;
  price: string;
  change_24h: string;
  sequence: string;
  /** Of the signed tick: what a device remembers, to see later that the chain still goes through it. Older servers tell none. */
  hash?: string;
  at: string;
  stale: boolean;
}

export interface StreamEvents {
  tickers: Ticker[];
  candle: { code: string; interval: Interval; candle: Candle };
  trades_candle: { code: string; interval: Interval; candle: Candle };
  /** The best levels, whole: the latest replaces what came before. */
  book: BookView;
  /** New trades, oldest first; a snapshot is the newest of the tape, newest first. It comes too when more were made at once than it has. */
  trades: TradeView[];
  contracts: ContractOrder[];
  orders: OptionOrder[];
  balances: { asset: string; available: string; held: string }[];
  messages: { unread: number; latest: Message | null };
}

/** One frame a client per 100 ms at most, carrying everything that changed. */
export type ServerFrame =
  | { op: 'hello'; at: string }
  | { op: 'pong'; at: string }
  | { op: 'refused'; code: 'session_required' | 'topic_unknown' | 'too_many_topics'; topic?: string }
  | { op: 'event'; at: string; events: { topic: string; data: unknown; snapshot?: true }[] };

export type { CoinQuote };
