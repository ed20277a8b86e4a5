import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { CALLS } from './calls.ts';

const requestOf = (name: string): v.GenericSchema => {
  const call = Object.values(CALLS).find(({ method, path }) => name === `${method} ${path}`);
  if (!call) throw new Error(`no call ${name}`);
  return call.request;
};

/** The calls that return lists, with the other required fields of each. */
const LISTS: Record<string, Record<string, string>> = {
  'GET /users/account/lists': { setup: 'all' },
  'POST /coin/data/lists': { code: 'BTC', interval: '1m' },
  'POST /coin/order/lists': { status: 'history' },
  'POST /coin/trans/lists': { status: 'all' },
  'POST /coin/trans/fills': {},
  'GET /coin/trades': { code: 'BTC' },
  'POST /users/message': { status: 'all' },
};

const faultOf = (name: string, page: string): string | undefined => {
  const [fault] = v.safeParse(requestOf(name), { ...LISTS[name], page }).issues ?? [];
  return fault && `${v.getDotPath(fault)} ${fault.message}`;
};

describe.each(Object.keys(LISTS))('the pages of %s', (name) => {
  it('accept numbers, and empty for the first page', () => {
    for (const page of ['', '0', '1', '2', '999999999']) expect(faultOf(name, page)).toBeUndefined();
  });
  // A client that follows a damaged `next` must not get the first page for ever.
  it('refuse anything that is neither a number nor a cursor', () => {
    for (const page of [
      'zzz',
      '-1',
      '1e3',
      '%%%',
      ' 2',
      '١',
      '1793000000000-BTC-',
      '1793000000000.22d817ad',
      'x'.repeat(65),
    ])
      expect(faultOf(name, page)).toBe('page malformed');
  });
});
