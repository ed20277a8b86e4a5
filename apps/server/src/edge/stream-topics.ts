import {
  type BookView,
  type Candle,
  type ContractOrder,
  INTERVALS,
  type Interval,
  type Message,
  type OptionOrder,
  type Ticker,
  type TradeView,
} from '@sathorn/api';
import { COIN_CODES } from '@sathorn/money';
import type { Reader } from '@sathorn/text';

/** The latest state of each topic, read by the rooms that own it. Sent first on subscription and after a gap. */
export interface Snapshots {
  tickers(): Promise<Ticker[]> | Ticker[];
  /** Null before the first candle. */
  candle(code: string, interval: Interval): Promise<Candle | null> | Candle | null;
  tradesCandle(code: string, interval: Interval): Promise<Candle | null> | Candle | null;
  /** Null while no matcher has told of it. */
  book(code: string): Promise<BookView | null> | BookView | null;
  /** The newest of the public tape, newest first. */
  trades(code: string): Promise<TradeView[]>;
  /** Orders that are holding, and those settled a moment ago. */
  orders(owner: bigint): Promise<OptionOrder[]>;
  /** Contract orders that are in a book. */
  contracts(owner: bigint): Promise<ContractOrder[]>;
  balances(owner: bigint): Promise<{ asset: string; available: string; held: string }[]>;
  messages(owner: bigint, reader: Reader): Promise<{ unread: number; latest: Message | null }>;
}

export const CUSTOMER_TOPICS = ['orders', 'contracts', 'balances', 'messages'] as const;
export type CustomerTopic = (typeof CUSTOMER_TOPICS)[number];

export function isCustomerTopic(topic: string): topic is CustomerTopic {
  return (CUSTOMER_TOPICS as readonly string[]).includes(topic);
}

/** Every public topic there can be: nothing that a client sends makes a new one. */
export const PUBLIC_TOPICS: ReadonlySet<string> = new Set([
  'tickers',
  ...COIN_CODES.flatMap((code) => [
    `book:${code}`,
    `trades:${code}`,
    ...INTERVALS.flatMap((interval) => [`candle:${code}:${interval}`, `trades_candle:${code}:${interval}`]),
  ]),
]);

/** The state of a public topic as it goes over the wire; undefined when there is none yet. */
export async function readPublicTopic(topic: string, snapshots: Snapshots): Promise<unknown> {
  const [kind, code = '', interval = ''] = topic.split(':');
  if (kind === 'tickers') return snapshots.tickers();
  if (kind === 'book') return (await snapshots.book(code)) ?? undefined;
  if (kind === 'trades') return snapshots.trades(code);
  const read = kind === 'trades_candle' ? snapshots.tradesCandle : snapshots.candle;
  const candle = await read(code, interval as Interval);
  return candle === null ? undefined : { code, interval, candle };
}
