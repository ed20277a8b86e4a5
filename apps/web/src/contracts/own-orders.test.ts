import type { ContractOrder } from '@sathorn/api';
import { expect, test } from 'vitest';
import { NO_OWN_ORDERS, openOrders, takeOrders, takeWhole } from './own-orders.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 21, 0, 0, second)).toISOString();
const order = (id: string, status: ContractOrder['status'], second = 0, more: Partial<ContractOrder> = {}) =>
  ({ id, code: 'BTC', status, created_at: at(0), updated_at: at(second), reason: null, ...more }) as ContractOrder;
const ids = (orders: readonly ContractOrder[]) => orders.map(({ id }) => id);

test('reports an order once when it was open here and is filled', () => {
  const open = takeOrders(NO_OWN_ORDERS, [order('a', 'open')]);
  expect(ids(openOrders(open))).toEqual(['a']);
  const filled = takeOrders(open, [order('a', 'filled', 2)]);
  expect(ids(filled.news)).toEqual(['a']);
  expect(openOrders(filled)).toEqual([]);
  expect(takeOrders(filled, [order('a', 'filled', 2)]).news).toBe(filled.news);
});

test('does not report orders that ended before this page was opened, or that the customer revoked', () => {
  expect(takeOrders(NO_OWN_ORDERS, [order('old', 'filled')]).news).toEqual([]);
  const open = takeOrders(NO_OWN_ORDERS, [order('a', 'open')]);
  expect(takeOrders(open, [order('a', 'cancelled', 1, { reason: 'revoked' })]).news).toEqual([]);
  expect(ids(takeOrders(open, [order('a', 'cancelled', 1, { reason: 'self_trade' })]).news)).toEqual(['a']);
});

test('late events neither reopen an ended order nor reduce its filled quantity', () => {
  const filled = takeOrders(takeOrders(NO_OWN_ORDERS, [order('a', 'open')]), [order('a', 'filled', 2)]);
  expect(openOrders(takeOrders(filled, [order('a', 'partial', 1)]))).toEqual([]);
  const partial = takeOrders(NO_OWN_ORDERS, [order('b', 'partial', 5)]);
  expect(takeOrders(partial, [order('b', 'open', 1)]).byId.b?.status).toBe('partial');
});

test('an order missing from a complete list has ended, unless it is newer than the list', () => {
  const own = takeOrders(NO_OWN_ORDERS, [
    order('gone', 'open'),
    order('kept', 'open'),
    order('young', 'open', 9, { created_at: at(9) }),
  ]);
  const whole = takeWhole(own, [order('kept', 'open')], Date.parse(at(5)));
  expect(ids(openOrders(whole)).sort()).toEqual(['kept', 'young']);
});

test('open orders are listed newest first, of one coin or of all', () => {
  const own = takeOrders(NO_OWN_ORDERS, [
    order('first', 'open'),
    order('second', 'partial', 0, { created_at: at(3) }),
    order('other', 'open', 0, { code: 'ETH', created_at: at(2) }),
  ]);
  expect(ids(openOrders(own))).toEqual(['second', 'other', 'first']);
  expect(ids(openOrders(own, 'BTC'))).toEqual(['second', 'first']);
});
