import { expect, it } from 'vitest';
import { ConcurrencyLimit, limitedNetworksOf } from './networks.ts';

it('counts an IPv6 address by its /64 and, with a larger share, by its /48', () => {
  expect(limitedNetworksOf('2001:db8:1:2::6')).toEqual([
    { name: '2001:db8:1:2::/64', share: 1 },
    { name: '2001:db8:1::/48', share: 8 },
  ]);
  expect(limitedNetworksOf('203.0.113.9')).toEqual([{ name: '203.0.113.9', share: 1 }]);
});

it('frees a place when a member leaves, and does not count refused ones', () => {
  const limit = new ConcurrencyLimit(1);
  const [first, second] = [limitedNetworksOf('2001:db8:1:2::6'), limitedNetworksOf('2001:db8:1:2::7')];
  expect([limit.acquire(first), limit.acquire(second), limit.acquire(second)]).toEqual([true, false, false]);
  expect(limit.countOf('2001:db8:1::/48')).toBe(1);
  limit.release(first);
  expect([limit.acquire(second), limit.countOf('2001:db8:1::/48')]).toEqual([true, 1]);
});
