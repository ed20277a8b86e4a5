import { describe, expect, it } from 'vitest';
import { parseRoute, routeHash } from './route.ts';

describe('an address of the console', () => {
  it.each([
    ['', { page: 'dashboard', id: null, filter: {} }],
    ['#/customers', { page: 'customers', id: null, filter: {} }],
    ['#/withdrawals/W-8839-QX?status=review', { page: 'withdrawals', id: 'W-8839-QX', filter: { status: 'review' } }],
    ['#%2Fcustomers%2F1%3Ftab%3Dledger', { page: 'customers', id: '1', filter: { tab: 'ledger' } }],
    ['#/customers/1%3Ftab=ledger', { page: 'customers', id: '1', filter: { tab: 'ledger' } }],
    ['#/audit/a%2Fb', { page: 'audit', id: 'a/b', filter: {} }],
  ])('%s', (hash, route) => expect(parseRoute(hash)).toEqual(route));

  it('is written in the form in which it is parsed', () => {
    const hash = routeHash('customers', 'a/b', { tab: 'ledger', empty: '' });
    expect(hash).toBe('#/customers/a%2Fb?tab=ledger');
    expect(parseRoute(hash)).toEqual({ page: 'customers', id: 'a/b', filter: { tab: 'ledger' } });
  });
});
