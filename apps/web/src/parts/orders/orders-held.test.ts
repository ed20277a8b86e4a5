import type { OptionOrder } from '@sathorn/api';
import { expect, test } from 'vitest';
import { dismiss, NO_ORDERS, openOrders, takeOrders, takeWhole } from './orders-held.ts';

const order = (id: string, status: OptionOrder['status'] = 'holding', end = '2026-11-21T00:01:00.000Z') =>
  ({ id, status, end_time: end }) as OptionOrder;
const NOW = Date.parse('2026-11-21T00:02:00.000Z');

test('an order that was open here and has a result is reported once', () => {
  const opened = takeOrders(NO_ORDERS, [order('a')]);
  expect(opened.results).toEqual([]);
  expect(openOrders(opened).map(({ id }) => id)).toEqual(['a']);
  const settled = takeOrders(opened, [order('a', 'won')]);
  expect(settled.results).toEqual(['a']);
  expect(openOrders(settled)).toEqual([]);
  expect(takeOrders(settled, [order('a', 'won')]).results).toEqual(['a']);
});

test('results from before this page was opened are ignored', () => {
  expect(takeOrders(NO_ORDERS, [order('old', 'lost')])).toMatchObject({ byId: {}, results: [] });
});

test('late events do not reopen a settled order, even after its result was seen', () => {
  const settled = takeOrders(takeOrders(NO_ORDERS, [order('a')]), [order('a', 'won')]);
  expect(takeOrders(settled, [order('a')]).byId.a?.status).toBe('won');
  const seen = dismiss(settled, 'a');
  const again = takeWhole(takeOrders(seen, [order('a')]), [], true, NOW);
  expect(again.results).toEqual([]);
  expect(openOrders(again)).toEqual([]);
});

test('an order past its end that is no longer listed was settled while the stream was down', () => {
  const opened = takeOrders(NO_ORDERS, [order('ended'), order('running', 'holding', '2026-11-21T00:05:00.000Z')]);
  expect(takeWhole(opened, [], true, NOW).results).toEqual(['ended']);
  expect(openOrders(takeWhole(opened, [], true, NOW)).map(({ id }) => id)).toEqual(['running']);
  // An incomplete list proves nothing.
  expect(takeWhole(opened, [], false, NOW).results).toEqual([]);
});
