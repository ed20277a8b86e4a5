import type { ContractOrder } from '@sathorn/api';
import { expect, test } from 'vitest';
import {
  mergeChangedContractOrders,
  mergeOpenContractOrders,
  NO_OWN_ORDERS,
  openContractOrdersOf,
} from './own-orders.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 21, 0, 0, second)).toISOString();
const order = (id: string, status: ContractOrder['status'], second = 0, more: Partial<ContractOrder> = {}) =>
  ({ id, code: 'BTC', status, created_at: at(0), updated_at: at(second), reason: null, ...more }) as ContractOrder;
const ids = (orders: readonly ContractOrder[]) => orders.map(({ id }) => id);

test('reports an order once when it was open here and is filled', () => {
  const open = mergeChangedContractOrders(NO_OWN_ORDERS, [order('a', 'open')]);
  expect(ids(openContractOrdersOf(open))).toEqual(['a']);
  const filled = mergeChangedContractOrders(open, [order('a', 'filled', 2)]);
  expect(ids(filled.news)).toEqual(['a']);
  expect(openContractOrdersOf(filled)).toEqual([]);
  expect(mergeChangedContractOrders(filled, [order('a', 'filled', 2)]).news).toBe(filled.news);
});

test('does not report orders that ended before this page was opened, or that the customer revoked', () => {
  expect(mergeChangedContractOrders(NO_OWN_ORDERS, [order('old', 'filled')]).news).toEqual([]);
  const open = mergeChangedContractOrders(NO_OWN_ORDERS, [order('a', 'open')]);
  expect(mergeChangedContractOrders(open, [order('a', 'cancelled', 1, { reason: 'revoked' })]).news).toEqual([]);
  expect(ids(mergeChangedContractOrders(open, [order('a', 'cancelled', 1, { reason: 'self_trade' })]).news)).toEqual([
    'a',
  ]);
});

test('late events neither reopen an ended order nor reduce its filled quantity', () => {
  const filled = mergeChangedContractOrders(mergeChangedContractOrders(NO_OWN_ORDERS, [order('a', 'open')]), [
    order('a', 'filled', 2),
  ]);
  expect(openContractOrdersOf(mergeChangedContractOrders(filled, [order('a', 'partial', 1)]))).toEqual([]);
  const partial = mergeChangedContractOrders(NO_OWN_ORDERS, [order('b', 'partial', 5)]);
  expect(mergeChangedContractOrders(partial, [order('b', 'open', 1)]).byId.b?.status).toBe('partial');
});

test('an order missing from a complete list has ended, unless it is newer than the list', () => {
  const own = mergeChangedContractOrders(NO_OWN_ORDERS, [
    order('gone', 'open'),
    order('kept', 'open'),
    order('young', 'open', 9, { created_at: at(9) }),
  ]);
  const whole = mergeOpenContractOrders(own, [order('kept', 'open')], Date.parse(at(5)));
  expect(ids(openContractOrdersOf(whole)).sort()).toEqual(['kept', 'young']);
});

test('open orders are listed newest first, of one coin or of all', () => {
  const own = mergeChangedContractOrders(NO_OWN_ORDERS, [
    order('first', 'open'),
    order('second', 'partial', 0, { created_at: at(3) }),
    order('other', 'open', 0, { code: 'ETH', created_at: at(2) }),
  ]);
  expect(ids(openContractOrdersOf(own))).toEqual(['second', 'other', 'first']);
  expect(ids(openContractOrdersOf(own, 'BTC'))).toEqual(['second', 'first']);
});
