import { type BookView, bookTopic, readServerFrame, type TradeView, topicName, tradesTopic } from '@sathorn/api';
import type { HeardCoin } from './judge-books.ts';

interface Hearing extends HeardCoin {
  readonly books: BookView[];
  readonly trades: TradeView[];
}

/**
 * Listens to the books and trades of coins on the live stream, until `signal` aborts or the server ends the connection.
 * Rejects if there is no stream.
 */
export function listenToBooks(
  server: string,
  coins: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, HeardCoin>> {
  const heard = new Map<string, Hearing>(coins.map((code) => [code, { books: [], trades: [] }]));
  const topics = coins.flatMap((code) => [topicName(bookTopic, { code }), topicName(tradesTopic, { code })]);
  const hear = (topic: string, data: unknown): void => {
    const [name, code = ''] = topic.split(':');
    // A frame with another form was dropped by `readServerFrame`.
    if (name === 'book' && data !== null) heard.get(code)?.books.push(data as BookView);
    if (name === 'trades' && data !== null) heard.get(code)?.trades.push(...(data as TradeView[]));
  };
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${server.replace(/^http/, 'ws')}/api/stream`);
    let isOpen = false;
    const end = (): void => socket.close();
    signal.addEventListener('abort', end, { once: true });
    socket.addEventListener('open', () => {
      isOpen = true;
      socket.send(JSON.stringify({ op: 'subscribe', topics }));
    });
    socket.addEventListener('message', ({ data }) => {
      try {
        const frame = readServerFrame(String(data));
        if (frame.op === 'event') for (const each of frame.events) hear(each.topic, each.data);
      } catch {
        end();
      }
    });
    socket.addEventListener('close', () => {
      signal.removeEventListener('abort', end);
      if (isOpen) resolve(heard);
      else reject(new Error('the live stream can’t be reached'));
    });
    if (signal.aborted) end();
  });
}
