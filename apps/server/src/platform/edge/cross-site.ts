import type { IncomingHttpHeaders } from 'node:http';
import { hostOf, type ProxyHops } from './proxy-hops.ts';

export interface OwnSite {
  readonly proxyHops: ProxyHops;
  /**
   * Our pages are served by https only. A page of the same host over http may come from anybody on the network path.
   */
  readonly isHttps: boolean;
  /** Other allowed origins, such as `https://app.example`. */
  readonly allowedOrigins: ReadonlySet<string>;
}

/**
 * Whether a browser sends this request on behalf of another site: a foreign page's form, script, picture, link,
 * prefetch or WebSocket. Browsers send these without a preflight, so without this check a stranger's page could send
 * codes by SMS. Programs other than browsers send none of these headers and are not affected.
 *
 * Sec-Fetch-Site is checked first, because proxies that rewrite `Host` do not change it. Where it is missing
 * (Chromium's WebSockets, plain http, old browsers), the origin or the page that led here is compared with the
 * requested host.
 */
export function crossSiteRule({ proxyHops, isHttps, allowedOrigins }: OwnSite) {
  return (headers: IncomingHttpHeaders): boolean => {
    if (headers['sec-purpose'] !== undefined) return true;
    const { origin } = headers;
    if (origin !== undefined && allowedOrigins.has(origin)) return false;
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site !== 'same-origin' && site !== 'none';
    if (origin !== undefined) return !isOwn(origin, hostOf(headers, proxyHops), isHttps);
    const { referer } = headers;
    return URL.canParse(referer ?? '') && !isOwn(new URL(referer ?? '').origin, hostOf(headers, proxyHops), isHttps);
  };
}

/**
 * Whether a browser sent this request and no header names the page that caused it. Old browsers do that for a picture
 * or a link of a page that asks for no referrer. Our own pages send X-Requested-With, which no foreign page can.
 */
export const isUnsaid = (headers: IncomingHttpHeaders): boolean =>
  /^(Mozilla|Opera)\//.test(headers['user-agent'] ?? '') &&
  ['sec-fetch-site', 'origin', 'referer', 'x-requested-with'].every((name) => headers[name] === undefined);

export type CrossSiteRule = ReturnType<typeof crossSiteRule>;

function isOwn(origin: string, host: string, isHttps: boolean): boolean {
  const [scheme] = origin.split('://', 1);
  if (scheme !== 'https' && (scheme !== 'http' || isHttps)) return false;
  // Compared as URLs, because a proxy may add a default port that browsers omit.
  return URL.canParse(`${scheme}://${host}/`) && new URL(`${scheme}://${host}/`).origin === origin;
}
