import type { FastifyHelmetOptions } from '@fastify/helmet';

/**
 * Headers of every API answer. Helmet would compute its headers on each request, which costs more than the rest of the
 * edge. API answers are never documents and need only these fixed headers.
 */
export const API_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
} as const;

/**
 * Headers of the apps' hashed files. They are never documents or workers, so the page's own headers, which are larger
 * than most of these files, would protect nothing.
 */
export const ASSET_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Headers of pages without scripts: only our own style sheet is allowed. */
export const PLAIN_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

export const HSTS_HEADER = 'max-age=31536000; includeSubDomains';

/** Browser features that our pages never use, so they are switched off. A file field opens the camera without them. */
const UNUSED =
  'accelerometer camera display-capture geolocation gyroscope hid magnetometer microphone midi payment serial usb';
export const PERMISSIONS_POLICY = UNUSED.split(' ')
  .map((feature) => `${feature}=()`)
  .join(', ');

/** The requested host; empty if the header is malformed. */
function hostOf(header: string | undefined): string {
  return header !== undefined && /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/i.test(header)
    ? header
    : 'localhost';
}

/**
 * Headers of the apps' pages: only our own scripts and style sheets, none inline. React and the chart set styles
 * through the CSSOM, which this allows. `data:` and `blob:` pictures are the customer's own, before and after an
 * upload.
 */
export function pageHelmet(isHttps: boolean): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:', 'blob:'],
        'font-src': ["'self'"],
        // Not every browser treats a WebSocket to the same host as 'self'. Allowing all hosts would let an injected
        // script send data out.
        'connect-src': ["'self'", ({ headers }) => `${isHttps ? 'wss' : 'ws'}://${hostOf(headers.host)}`],
        'manifest-src': ["'self'"],
        'worker-src': ["'self'"],
        'form-action': ["'self'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
        'object-src': ["'none'"],
        // The page cannot turn text into scripts either; the app's `trusted-scripts.ts` lists the exceptions.
        'require-trusted-types-for': ["'script'"],
        'trusted-types': ['default'],
        ...(isHttps ? { 'upgrade-insecure-requests': [] } : {}),
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  };
}
