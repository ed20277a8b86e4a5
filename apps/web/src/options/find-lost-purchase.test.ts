import type { OptionOrder } from '@sathorn/api';
import { expect, test } from 'vitest';
import { findLostPurchase } from './find-lost-purchase.ts';

const order = {
  id: 'a',
  name: 'BTC',
  direction: 'up',
  quantity: '100.000000',
  duration: 60,
  start_time: '2026-11-21T00:00:10.000Z',
} as OptionOrder;
const lost = {
  code: 'BTC',
  direction: 'up',
  quantity: '100',
  duration: '60',
  sentAt: Date.parse('2026-11-21T00:00:09.500Z'),
  known: new Set<string>(),
} as const;

test('finds the order of a purchase without an answer', () => {
  expect(findLostPurchase(lost, [{ ...order, id: 'other', name: 'ETH' }, order])?.id).toBe('a');
  expect(findLostPurchase(lost, [{ ...order, status: 'won' }])?.id).toBe('a');
});

test.each([
  ['another coin', { name: 'ETH' }],
  ['another side', { direction: 'down' }],
  ['another stake', { quantity: '100.000001' }],
  ['another duration', { duration: 30 }],
  ['an order that was bought before it was sent', { start_time: '2026-11-21T00:00:05.000Z' }],
] as const)('%s is another order', (_, change) => {
  expect(findLostPurchase(lost, [{ ...order, ...change }])).toBeUndefined();
});

test('ignores orders that existed before the purchase', () => {
  expect(findLostPurchase({ ...lost, known: new Set(['a']) }, [order])).toBeUndefined();
});
