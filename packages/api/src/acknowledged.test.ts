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

it('finds nothing in the answer of another call', () => {
  expect(thingsIn('GET /users/info', { id: '7' })).toEqual([]);
});
