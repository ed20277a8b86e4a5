/** One customer's network: an address, or the half of an IPv6 address that a line is given. */
export function addressBlock(address: string): string {
  return address.includes(':') ? `${expandIpv6(address).slice(0, 4).join(':')}::/64` : address;
}

/**
 * Neighbours of an address, for telling a customer's places from strangers': a provider hands out addresses of a /24, and a line's /64
 * changes within its /48.
 */
export function networkOf(address: string): string {
  if (address.includes(':')) return `${expandIpv6(address).slice(0, 3).join(':')}::/48`;
  return `${address.split('.').slice(0, 3).join('.')}.0/24`;
}

function expandIpv6(address: string): string[] {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  if (tail === undefined) return before;
  const after = tail === '' ? [] : tail.split(':');
  return [...before, ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0'), ...after];
}
