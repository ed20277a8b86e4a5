import type { OptionOrder } from '@sathorn/api';
import { expect, test } from 'vitest';
import { takeOrders, takeWhole } from './orders-held.ts';

const order = (id: string, status: OptionOrder['status'] = 'holding', end = '2026-11-21T00:01:00.000Z') =>
  ({ id, status, end_time: end }) as OptionOrder;
const NOW = Date.parse('2026-11-21T00:02:00.000Z');

test('an order that was open here and got a result is settled, once', () => {
  const opened = takeOrders({ byId: {} }, [order('a')]);
  expect(opened.settled).toEqual([]);
  const settled = takeOrders(opened, [order('a', 'won')]);
  expect(settled.settled).toEqual(['a']);
  expect(takeOrders(settled, [order('a', 'won')]).settled).toEqual([]);
});

test('results of before this page was open are nothing new', () => {
  expect(takeOrders({ byId: {} }, [order('old', 'lost')])).toEqual({ byId: {}, settled: [] });
});

test('late news do not open a settled order again', () => {
  const settled = takeOrders(takeOrders({ byId: {} }, [order('a')]), [order('a', 'won')]);
  expect(takeOrders(settled, [order('a')]).byId.a?.status).toBe('won');
});

test('what ended and is no longer listed was settled while the line was down', () => {
  const opened = takeOrders({ byId: {} }, [order('ended'), order('running', 'holding', '2026-11-21T00:05:00.000Z')]);
  expect(takeWhole(opened, [], true, NOW).settled).toEqual(['ended']);
  // Half a list proves nothing.
  expect(takeWhole(opened, [], false, NOW).settled).toEqual([]);
});
