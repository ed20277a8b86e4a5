import * as v from 'valibot';
import { candleTopic, tradesCandleTopic } from './candles.ts';
import { bookTopic, contractsTopic, tradesTopic } from './contracts.ts';
import { type CoinQuote, tickersTopic } from './market.ts';
import { messagesTopic } from './messages.ts';
import { balancesTopic, ordersTopic } from './options.ts';
import type { NameOf, SnapshotOf } from './topic.ts';

/**
 * `/api/stream`: the app sends `{op:'auth', token, lang?, presentation?}`, `{op:'subscribe', topics}`, `{op:'unsubscribe', topics}`, `{op:'ping'}`.
 * On subscription the latest state of each topic comes first (a snapshot), so a dropped connection resumes by subscribing again.
 * Topics of customers need auth; they are of the session's customer only.
 */
export const TOPICS = {
  tickers: tickersTopic,
  candle: candleTopic,
  trades_candle: tradesCandleTopic,
  book: bookTopic,
  trades: tradesTopic,
  orders: ordersTopic,
  contracts: contractsTopic,
  balances: balancesTopic,
  messages: messagesTopic,
} as const;
/** The part of a topic's name before what it is of. */
export type TopicKey = keyof typeof TOPICS;
export type Topic = NameOf<(typeof TOPICS)[TopicKey]['pattern']>;
export type StreamEvents = { [Key in TopicKey]: SnapshotOf<(typeof TOPICS)[Key]> };

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

const at = v.string();
const serverFrame = v.variant('op', [
  v.object({ op: v.picklist(['hello', 'pong']), at }),
  v.object({
    op: v.literal('refused'),
    code: v.picklist(['session_required', 'topic_unknown', 'too_many_topics']),
    topic: v.optional(v.string()),
  }),
  v.object({
    op: v.literal('event'),
    at,
    events: v.array(v.object({ topic: v.string(), data: v.unknown(), snapshot: v.optional(v.literal(true)) })),
  }),
]);
/** At most one frame per client and 100 ms, carrying everything that changed. */
export type ServerFrame = v.InferOutput<typeof serverFrame>;

const isOfTopic = ({ topic, data }: { topic: string; data: unknown }): boolean => {
  const [key = ''] = topic.split(':');
  return Object.hasOwn(TOPICS, key) && v.is(TOPICS[key as TopicKey].snapshot, data);
};

/** A frame as declared; null when it isn't one. An event that its topic's schema doesn't allow is left out. */
export function readServerFrame(text: string): ServerFrame | null {
  const { success, output } = v.safeParse(serverFrame, JSON.parse(text));
  if (!success) return null;
  return output.op === 'event' ? { ...output, events: output.events.filter(isOfTopic) } : output;
}

export type { CoinQuote };
