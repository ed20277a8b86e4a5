import type { OptionOrder } from '@sathorn/api';
import { expect, test } from 'vitest';
import { dismissHeldResult, mergeChangedOrders, mergeOpenOrders, NO_HELD_ORDERS, openOrdersOf } from './held-orders.ts';

const order = (id: string, status: OptionOrder['status'] = 'holding', end = '2026-11-21T00:01:00.000Z') =>
  ({ id, status, end_time: end }) as OptionOrder;
const NOW = Date.parse('2026-11-21T00:02:00.000Z');

test('an order that was open here and has a result is reported once', () => {
  const opened = mergeChangedOrders(NO_HELD_ORDERS, [order('a')]);
  expect(opened.results).toEqual([]);
  expect(openOrdersOf(opened).map(({ id }) => id)).toEqual(['a']);
  const settled = mergeChangedOrders(opened, [order('a', 'won')]);
  expect(settled.results).toEqual(['a']);
  expect(openOrdersOf(settled)).toEqual([]);
  expect(mergeChangedOrders(settled, [order('a', 'won')]).results).toEqual(['a']);
});

test('results from before this page was opened are ignored', () => {
  expect(mergeChangedOrders(NO_HELD_ORDERS, [order('old', 'lost')])).toMatchObject({ byId: {}, results: [] });
});

test('late events do not reopen a settled order, even after its result was seen', () => {
  const settled = mergeChangedOrders(mergeChangedOrders(NO_HELD_ORDERS, [order('a')]), [order('a', 'won')]);
  expect(mergeChangedOrders(settled, [order('a')]).byId.a?.status).toBe('won');
  const seen = dismissHeldResult(settled, 'a');
  const again = mergeOpenOrders(mergeChangedOrders(seen, [order('a')]), [], true, NOW);
  expect(again.results).toEqual([]);
  expect(openOrdersOf(again)).toEqual([]);
});

test('an order that can be sold, and is no longer listed before its end, was sold on another device', () => {
  const running = order('sold', 'holding', '2026-11-21T00:05:00.000Z');
  const sale = { sold_at: null } as NonNullable<OptionOrder['sale']>;
  const old = { ...running, sale, start_time: '2026-11-21T00:01:00.000Z' };
  // The list may have been read before this one was bought.
  const fresh = { ...running, id: 'fresh', sale, start_time: '2026-11-21T00:01:55.000Z' };
  const opened = mergeChangedOrders(NO_HELD_ORDERS, [old, fresh]);
  const merged = mergeOpenOrders(opened, [], true, NOW);
  expect(merged.results).toEqual(['sold']);
  expect(openOrdersOf(merged).map(({ id }) => id)).toEqual(['fresh']);
});

test('an order past its end that is no longer listed was settled while the stream was down', () => {
  const opened = mergeChangedOrders(NO_HELD_ORDERS, [
    order('ended'),
    order('running', 'holding', '2026-11-21T00:05:00.000Z'),
  ]);
  expect(mergeOpenOrders(opened, [], true, NOW).results).toEqual(['ended']);
  expect(openOrdersOf(mergeOpenOrders(opened, [], true, NOW)).map(({ id }) => id)).toEqual(['running']);
  // An incomplete list proves nothing.
  expect(mergeOpenOrders(opened, [], false, NOW).results).toEqual([]);
});
