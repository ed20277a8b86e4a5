import type { IncomingHttpHeaders } from 'node:http';
import { hostOf, type ProxyHops } from './proxy-hops.ts';

export interface OwnSite {
  readonly proxyHops: ProxyHops;
  /** Our pages are served by https only: a page of the same host by http may come from anybody on the network path. */
  readonly isHttps: boolean;
  /** Origins besides our own, as `https://app.example`. */
  readonly allowedOrigins: ReadonlySet<string>;
}

/**
 * Whether a browser sends this request for another site: a foreign page's form or script, a picture or a link that
 * points here, a prefetch, or a foreign page's WebSocket, for which browsers do no preflight. Form posts and GETs need
 * no preflight either, so this check keeps a stranger's page from sending codes by SMS. Programs other than browsers
 * send none of these headers and are not affected.
 *
 * Sec-Fetch-Site comes first, since no proxy that rewrites `Host` changes it. Where it is missing (Chromium's
 * WebSockets, plain http), the origin is compared with the host that was asked.
 */
export function crossSiteRule({ proxyHops, isHttps, allowedOrigins }: OwnSite) {
  return (headers: IncomingHttpHeaders): boolean => {
    if (headers['sec-purpose'] !== undefined) return true;
    const { origin } = headers;
    if (origin !== undefined && allowedOrigins.has(origin)) return false;
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site !== 'same-origin' && site !== 'none';
    return origin !== undefined && !isOwn(origin, hostOf(headers, proxyHops), isHttps);
  };
}

export type CrossSiteRule = ReturnType<typeof crossSiteRule>;

function isOwn(origin: string, host: string, isHttps: boolean): boolean {
  const [scheme] = origin.split('://', 1);
  if (scheme !== 'https' && (scheme !== 'http' || isHttps)) return false;
  // Parsed, because a proxy may name the port that a browser leaves out.
  return URL.canParse(`${scheme}://${host}/`) && new URL(`${scheme}://${host}/`).origin === origin;
}
