import type { IncomingHttpHeaders } from 'node:http';
import { hostOf, type ProxyHops } from './proxy-hops.ts';

export interface OwnSite {
  readonly proxyHops: ProxyHops;
  /** Our pages come by https only: the same host by http is anybody's who sits on the line. */
  readonly isHttps: boolean;
  /** Besides our own, as `https://app.example`. */
  readonly allowedOrigins: ReadonlySet<string>;
}

/**
 * Whether a browser sends this for another site: a foreign page's form or script, a picture or a link that points here, a
 * prefetch, or a foreign page's WebSocket, which no browser asks about beforehand. Form posts and GETs need no preflight, so this
 * is what keeps a stranger's page from sending codes by SMS. Programs that are no browsers send none of these headers and are
 * not meant.
 *
 * The browser's own word, Sec-Fetch-Site, comes first: no proxy that rewrites `Host` changes it. Where it is missing (Chromium's
 * WebSockets, plain http) the origin is compared with the host that was asked.
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
