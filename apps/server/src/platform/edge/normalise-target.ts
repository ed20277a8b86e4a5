import type { IncomingMessage } from 'node:http';

const UNRESERVED = /[A-Za-z0-9._~-]/;
const ABSOLUTE = /^https?:\/\//i;

/**
 * Rewrites a request's target to one spelling, so that every gate and the router read the same path. Removes scheme and
 * host, and decodes unreserved characters (RFC 3986, 6.2.2.2). The host of an absolute target replaces the Host header
 * (RFC 9112, 3.2.2).
 */
export function normaliseTarget(request: Pick<IncomingMessage, 'url' | 'headers'>): void {
  let target = request.url ?? '/';
  if (ABSOLUTE.test(target) && URL.canParse(target)) {
    const { host, pathname, search } = new URL(target);
    request.headers.host = host;
    target = pathname + search;
  }
  const end = target.search(/[?#]/);
  const path = end === -1 ? target : target.slice(0, end);
  const plain = path.replace(/%([0-9a-f]{2})/gi, (encoded, hex: string) => {
    const letter = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(letter) ? letter : encoded;
  });
  request.url = plain + target.slice(path.length);
}
