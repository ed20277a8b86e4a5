import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/**
 * The number of our own proxies in front. Only their entries in X-Forwarded-For are trusted; with 0 the header is
 * ignored, because anybody may have written it.
 */
export type ProxyHops = number;

/** Fastify calls the function for each hop, nearest first; `false` skips it. */
export function proxyTrustOf(hops: ProxyHops): false | ((address: string, hop: number) => boolean) {
  return hops === 0 ? false : (_address, hop) => hop < hops;
}

/** The client's address for a request that Fastify does not see. */
export function clientAddressOf(request: IncomingMessage, hops: ProxyHops): string {
  const forwarded = hops === 0 ? [] : listOf(request.headers['x-forwarded-for']);
  const chain = [request.socket.remoteAddress ?? '', ...forwarded.reverse()];
  return plainAddress(chain[Math.min(hops, chain.length - 1)] ?? '');
}

/** The requested host. A proxy may rewrite `Host` and pass the original in X-Forwarded-Host. */
export function requestHostOf(headers: IncomingHttpHeaders, hops: ProxyHops): string {
  const forwarded = listOf(headers['x-forwarded-host']);
  // Each of our proxies has appended one entry, the nearest last.
  return (hops > 0 && forwarded[Math.max(0, forwarded.length - hops)]) || (headers.host ?? '');
}

function listOf(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Unmaps an IPv4 address from IPv6. A closed socket has no address. */
export function plainAddress(address: string | undefined): string {
  if (address === undefined) return '';
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
