import type { IncomingHttpHeaders } from 'node:http';
import { type ProxyHops, requestHostOf } from './proxy-hops.ts';

export interface OwnSite {
  readonly proxyHops: ProxyHops;
  /** True if our pages are https only. Anybody on the network path can then forge an http page of the same host. */
  readonly isHttps: boolean;
  /** Other allowed origins, such as `https://app.example`. */
  readonly allowedOrigins: ReadonlySet<string>;
}

/**
 * Returns a rule that is true if a browser sends a request on behalf of another site: a foreign page's form, script,
 * picture, link, prefetch or WebSocket. Browsers send these without a preflight, so without this rule a foreign page
 * could make our server send SMS codes. Programs other than browsers send none of these headers and are not affected.
 *
 * Sec-Fetch-Site is checked first, because proxies that rewrite `Host` do not change it. Where it is missing
 * (Chromium's WebSockets, plain http, old browsers), the Origin or Referer is compared with the requested host.
 */
export function crossSiteRule({ proxyHops, isHttps, allowedOrigins }: OwnSite) {
  return (headers: IncomingHttpHeaders): boolean => {
    if (headers['sec-purpose'] !== undefined) return true;
    const { origin } = headers;
    if (origin !== undefined && allowedOrigins.has(origin)) return false;
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site !== 'same-origin' && site !== 'none';
    if (origin !== undefined) return !isOwn(origin, requestHostOf(headers, proxyHops), isHttps);
    const { referer } = headers;
    return (
      URL.canParse(referer ?? '') && !isOwn(new URL(referer ?? '').origin, requestHostOf(headers, proxyHops), isHttps)
    );
  };
}

/**
 * True if a browser sent this request and no header names the page that caused it. Old browsers do that for a picture
 * or a link on a page with a no-referrer policy. Our own pages send X-Requested-With, which no foreign page can set.
 */
export const isOriginUnsaid = (headers: IncomingHttpHeaders): boolean =>
  /^(Mozilla|Opera)\//.test(headers['user-agent'] ?? '') &&
  ['sec-fetch-site', 'origin', 'referer', 'x-requested-with'].every((name) => headers[name] === undefined);

export type CrossSiteRule = ReturnType<typeof crossSiteRule>;

function isOwn(origin: string, host: string, isHttps: boolean): boolean {
  const [scheme] = origin.split('://', 1);
  if (scheme !== 'https' && (scheme !== 'http' || isHttps)) return false;
  // The two are compared as URLs, because a proxy may add a default port that browsers omit.
  return URL.canParse(`${scheme}://${host}/`) && new URL(`${scheme}://${host}/`).origin === origin;
}
