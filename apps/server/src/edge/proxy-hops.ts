import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/**
 * How many proxies of ours stand in front. Only what they wrote into X-Forwarded-For is believed: with 0 the header is
 * anybody's and says nothing.
 */
export type ProxyHops = number;

/** As Fastify asks it of each hop, from the nearest; `false` spares it the asking. */
export function trusts(hops: ProxyHops): false | ((address: string, hop: number) => boolean) {
  return hops === 0 ? false : (_address, hop) => hop < hops;
}

/** The same for a request that Fastify does not see. */
export function addressOf(request: IncomingMessage, hops: ProxyHops): string {
  const forwarded = hops === 0 ? [] : listOf(request.headers['x-forwarded-for']);
  const chain = [request.socket.remoteAddress ?? '', ...forwarded.reverse()];
  return plainAddress(chain[Math.min(hops, chain.length - 1)] ?? '');
}

/** The host that the caller asked for. A proxy in front may rewrite `Host` and say in X-Forwarded-Host what it was. */
export function hostOf(headers: IncomingHttpHeaders, hops: ProxyHops): string {
  const forwarded = listOf(headers['x-forwarded-host']);
  // As many as our proxies are have been written by them, the last by the nearest.
  return (hops > 0 && forwarded[Math.max(0, forwarded.length - hops)]) || (headers.host ?? '');
}

function listOf(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** An IPv4 address may arrive mapped into IPv6; who has hung up meanwhile has none any more. */
export function plainAddress(address: string | undefined): string {
  if (address === undefined) return '';
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
