import { expect, it } from 'vitest';
import { crossSiteRule, type OwnSite } from './cross-site.ts';

const HTTPS: Partial<OwnSite> = { isHttps: true };
const ONE_PROXY: Partial<OwnSite> = { proxyHops: 1 };
const BASE: Partial<OwnSite> = { allowedOrigins: new Set(['https://app.example']) };

// The rule applies to calls and to the live stream.
it.each<[string, Record<string, string>, Partial<OwnSite>, boolean]>([
  ['a program', { host: 'app.example' }, {}, false],
  ['our page', { host: 'app.example', origin: 'https://app.example' }, {}, false],
  ['another port', { host: 'app.example:3000', origin: 'http://app.example' }, {}, true],
  ['our page, the port named by a proxy', { host: 'app.example:443', origin: 'https://app.example' }, {}, false],
  ['the host by http, where ours come by https', { host: 'app.example', origin: 'http://app.example' }, HTTPS, true],
  ['our page by https', { host: 'app.example', origin: 'https://app.example' }, HTTPS, false],
  ['a stranger', { host: 'app.example', origin: 'https://evil.example' }, {}, true],
  ['a stranger whose name ends in ours', { host: 'app.example', origin: 'https://evil.example/app.example' }, {}, true],
  ['an app of another scheme', { host: 'app.example', origin: 'chrome-extension://app.example' }, {}, true],
  ['no origin to sendRaw of', { host: 'null', origin: 'null' }, {}, true],
  ['nothing as a host', { host: '', origin: 'https://' }, {}, true],
  // A proxy rewrites Host to our internal address: our pages must still be accepted, and a page at the internal address
  // must not.
  ['our page, Host rewritten', { host: 'localhost:3000', origin: 'https://app.example' }, {}, true],
  ['our page, and the browser says so', { host: 'localhost:3000', 'sec-fetch-site': 'same-origin' }, {}, false],
  [
    'our page, and the proxy says what was asked',
    { host: 'localhost:3000', 'x-forwarded-host': 'app.example', origin: 'https://app.example' },
    ONE_PROXY,
    false,
  ],
  [
    'a page where the proxy finds us',
    { host: 'localhost:3000', 'x-forwarded-host': 'app.example', origin: 'http://localhost:3000' },
    ONE_PROXY,
    true,
  ],
  [
    'what a caller wrote before the proxy',
    { host: 'x', 'x-forwarded-host': 'evil.example, app.example', origin: 'https://evil.example' },
    ONE_PROXY,
    true,
  ],
  [
    'two proxies that each wrote theirs',
    { host: 'x', 'x-forwarded-host': 'evil.example, app.example, inner:80', origin: 'https://app.example' },
    { proxyHops: 2 },
    false,
  ],
  ['our page, and BASE_URL says so', { host: 'localhost:3000', origin: 'https://app.example' }, BASE, false],
  [
    'a page where we are found, of a real deployment',
    { host: 'localhost:3000', origin: 'http://localhost:3000' },
    HTTPS,
    true,
  ],
])('%s', (_name, headers, site, isCrossSite) => {
  const rule = crossSiteRule({ proxyHops: 0, isHttps: false, allowedOrigins: new Set(), ...site });
  expect(rule(headers)).toBe(isCrossSite);
});
