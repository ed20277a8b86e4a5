import { expect, test } from 'vitest';
import { readServerFrame, TOPICS, topicName } from './index.ts';

const at = '2026-11-21T08:00:00.000Z';
const ticker = { code: 'BTC', price: '64000.00', change_24h: '0.01', sequence: '7', at, stale: false };
const book = { code: 'BTC', bids: [['64000.00', '0.1']], asks: [], sequence: '7', at };

function eventsOf(...events: { topic: string; data: unknown; snapshot?: true }[]) {
  const frame = readServerFrame(JSON.stringify({ op: 'event', at, events }));
  return frame.op === 'event' ? frame.events : [];
}

test('drops an event that does not match its topic’s schema, and keeps the others', () => {
  const good = [
    { topic: 'tickers', data: [ticker] },
    { topic: 'book:BTC', data: book, snapshot: true as const },
    { topic: 'balances', data: [] },
  ];
  expect(eventsOf(...good)).toEqual(good);
  const bad = [
    { topic: 'tickers', data: [{ ...ticker, price: 64_000 }] },
    { topic: 'book:ETH', data: { ...book, bids: null } },
    { topic: 'trades_candle:BTC:1m', data: { code: 'BTC', interval: '1m', candle: [1, '1'] } },
    { topic: 'orders', data: { id: '1' } },
    { topic: 'messages', data: null },
  ];
  expect(eventsOf(...bad, ...good)).toEqual(good);
});

test('passes on a newer server’s topic, and every other frame', () => {
  expect(eventsOf({ topic: 'newer', data: 1 })).toHaveLength(1);
  for (const frame of [
    { op: 'hello', at },
    { op: 'refused', code: 'topic_unknown', topic: 'x' },
  ])
    expect(readServerFrame(JSON.stringify(frame))).toEqual(frame);
});

test('every topic is in the table under the first word of its name', () => {
  for (const [key, { pattern }] of Object.entries(TOPICS)) expect(pattern.split(':')[0]).toBe(key);
  expect(topicName(TOPICS.candle, { code: 'BTC', interval: '1m' })).toBe('candle:BTC:1m');
});
