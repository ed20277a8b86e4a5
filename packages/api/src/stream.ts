import { deskTopic } from './admin-desk.ts';
import { inboxTopic } from './admin-support.ts';
import { alertsTopic } from './alerts.ts';
import { candleTopic, tradesCandleTopic } from './candles.ts';
import { bookTopic, contractsTopic, tradesTopic } from './contracts.ts';
import { depositsTopic } from './deposits.ts';
import { type CoinQuote, tickersTopic } from './market.ts';
import { messagesTopic } from './messages.ts';
import { balancesTopic, ordersTopic } from './options.ts';
import { supportTopic } from './support.ts';
import type { TopicNameOf, TopicSnapshotOf } from './topic.ts';
import { waitingTopic } from './waiting.ts';
import { withdrawalsTopic } from './withdrawals.ts';

/**
 * `/api/stream`: the app sends `{op:'auth', token, lang?, presentation?}`, `{op:'subscribe', topics}`,
 * `{op:'unsubscribe', topics}`, `{op:'ping'}`. A subscription begins with the latest state of each topic (a snapshot),
 * so a client resumes a dropped connection by subscribing again. Topics of customers need auth and contain only the
 * data of the session's customer. An operator's token opens the topics of operators, and none of customers.
 */
export const TOPICS = {
  tickers: tickersTopic,
  candle: candleTopic,
  trades_candle: tradesCandleTopic,
  book: bookTopic,
  trades: tradesTopic,
  orders: ordersTopic,
  contracts: contractsTopic,
  waiting: waitingTopic,
  balances: balancesTopic,
  messages: messagesTopic,
  deposits: depositsTopic,
  withdrawals: withdrawalsTopic,
  support: supportTopic,
  desk: deskTopic,
  inbox: inboxTopic,
  alerts: alertsTopic,
} as const;
/** The part of a topic's name before its parameters. */
export type TopicKey = keyof typeof TOPICS;
export type Topic = TopicNameOf<(typeof TOPICS)[TopicKey]['pattern']>;
export type StreamEvents = { [Key in TopicKey]: TopicSnapshotOf<(typeof TOPICS)[Key]> };

export type { CoinQuote };
