import { describe, expect, it } from 'vitest';
import { customerNetworkOf, networkOf, siteNetworkOf } from './ip-network.ts';

describe('lineOf', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['not an address', 'not an address'],
    ['', ''],
  ])('%s is %s', (address, line) => expect(customerNetworkOf(address)).toBe(line));
});

it('counts a /24 and a /48 as one network', () => {
  expect(networkOf('203.0.113.7')).toBe('203.0.113.0/24');
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1::/48');
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0::/48');
  expect(siteNetworkOf('203.0.113.7')).toBeNull();
});
