import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser sends this for another site: a foreign page's form or script, a picture or a link that points here, or
 * a prefetch. Form posts and GETs need no preflight, so this is what keeps a stranger's page from sending codes by SMS.
 * Programs that are no browsers send none of these headers and are not meant.
 */
export function isCrossSite(
  headers: IncomingHttpHeaders,
  ownHost: string,
  allowedOrigins: ReadonlySet<string>,
): boolean {
  const { origin } = headers;
  if (origin !== undefined) {
    if (allowedOrigins.has(origin)) return false;
    return origin.slice(origin.indexOf('://') + 3) !== ownHost;
  }
  const site = headers['sec-fetch-site'];
  if (site === undefined) return headers['sec-purpose'] !== undefined;
  return (site !== 'same-origin' && site !== 'none') || headers['sec-purpose'] !== undefined;
}
