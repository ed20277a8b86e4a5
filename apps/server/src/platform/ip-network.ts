import { isIPv6 } from 'node:net';

/** The first `count` of an IPv6 address's eight groups, such as 2001:db8:0:0. */
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

/** An IPv6 address's /48; null for other addresses. `address` must not be IPv4 mapped into IPv6. */
export function siteNetworkOf(address: string): string | null {
  return address.includes(':') && isIPv6(address) ? `${groupsOf(address, 3)}::/48` : null;
}

/** The network of one customer: an IPv4 address, or an IPv6 address's /64. */
export function customerNetworkOf(address: string): string {
  return address.includes(':') && isIPv6(address) ? `${groupsOf(address, 4)}::/64` : address;
}

/**
 * The neighbourhood of an address, by which a customer's usual networks are told from strangers'. A provider assigns
 * addresses from one /24, and a line's /64 changes within its /48.
 */
export function networkOf(address: string): string {
  return siteNetworkOf(address) ?? `${address.split('.').slice(0, 3).join('.')}.0/24`;
}
