import { expect, it } from 'vitest';
import { ACKNOWLEDGED_ROUTES, thingsIn } from './acknowledged.ts';
import { CALLS } from './calls.ts';

it('names only routes of calls that customers make', () => {
  const callers = new Map(Object.values(CALLS).map(({ method, path, who }) => [`${method} ${path}`, who]));
  for (const route of ACKNOWLEDGED_ROUTES) expect(['customer', 'anyone'], route).toContain(callers.get(route));
});

it('finds the terms of liquidity in the public product, those of the future too', () => {
  const terms = { version: 3, effective_from: '2026-11-01', stages: [{ from: '0.000000', rate: '0.05000000' }] };
  const upcoming = [{ ...terms, version: 4, effective_from: '2026-12-01' }];
  expect(thingsIn('GET /yuebao/product', { type: 'liquidity', ...terms, upcoming })).toEqual([
    {
      about: 'liquidity_terms',
      id: '3',
      at: '2026-11-01T00:00:00.000Z',
      facts: { effective_from: '2026-11-01', stages: '0.000000 0.05000000' },
    },
    expect.objectContaining({ id: '4' }),
  ]);
  expect(thingsIn('GET /yuebao/product', { type: 'regular', products: [] })).toEqual([]);
});

it('promises a bank order’s rate until its time, and compares nothing that was credited later', () => {
  const fiat = {
    currency: 'THB',
    amount: '5000.00',
    rate: '34.500000',
    rate_until: '2026-11-01T10:15:00.000Z',
    reference: 'R',
  };
  const order = { id: '7', channel: 'bank', fiat, created_at: '2026-11-01T10:00:00.000Z', finished_at: null };
  const rates = (finished_at: string | null) =>
    thingsIn('POST /pay/submit', { ...order, finished_at }).map(({ facts }) => facts.rate);
  expect(rates(null)).toEqual(['34.500000']);
  expect(rates('2026-11-01T10:15:00.000Z')).toEqual(['34.500000']);
  expect(rates('2026-11-01T10:15:00.001Z')).toEqual([]);
  expect(thingsIn('POST /pay/submit', { ...order, fiat: null })).toEqual([]);
});

it('finds nothing in the answer of another call', () => {
  expect(thingsIn('GET /users/info', { id: '7' })).toEqual([]);
});
