import { isIPv6 } from 'node:net';

/** The first `count` of the eight groups of an IPv6 address, as in 2001:db8:0:0. */
function groupsOf(address: string, count: number): string {
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after]
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** The /48 of an IPv6 address; null for any other. `address` is plain, not IPv4 in IPv6. */
export function siteOf(address: string): string | null {
  return address.includes(':') && isIPv6(address) ? `${groupsOf(address, 3)}::/48` : null;
}

/** What one customer has: an IPv4 address, or the /64 of an IPv6 address. */
export function lineOf(address: string): string {
  return address.includes(':') && isIPv6(address) ? `${groupsOf(address, 4)}::/64` : address;
}

/**
 * The neighbours of an address, which tell a customer's places from strangers': a provider hands out addresses of one
 * /24, and a line's /64 changes within its /48.
 */
export function networkOf(address: string): string {
  return siteOf(address) ?? `${address.split('.').slice(0, 3).join('.')}.0/24`;
}
