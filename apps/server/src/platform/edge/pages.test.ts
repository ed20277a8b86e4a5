import { mkdirSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { CALLS, readOperator, readUser } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { handle } from './handle.ts';
import { openTestEdge, type TestEdge } from './testing.ts';

let folder: string;
let edge: TestEdge;
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(5_000))})`;
/** Differs from the uncompressed file, so that a test can tell which one was sent. */
const BUILT = 'console.log(1)';

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sathorn-pages-'));
  mkdirSync(path.join(folder, 'web', 'assets'), { recursive: true });
  mkdirSync(path.join(folder, 'pictures'));
  writeFileSync(path.join(folder, 'secret.txt'), 'secret');
  writeFileSync(path.join(folder, 'web', 'index.html'), '<!doctype html><title>one</title>');
  writeFileSync(path.join(folder, 'web', 'sw.js'), '// worker');
  writeFileSync(path.join(folder, 'web', 'assets', 'index-BxR3k9Qz.js'), SCRIPT);
  writeFileSync(path.join(folder, 'web', 'assets', 'built-BxR3k9Qz.js'), SCRIPT);
  writeFileSync(path.join(folder, 'web', 'assets', 'built-BxR3k9Qz.js.br'), brotliCompressSync(BUILT));
  writeFileSync(path.join(folder, 'web', 'assets', 'notes.map'), 'sources');
  mkdirSync(path.join(folder, 'web', '.vite'));
  writeFileSync(path.join(folder, 'web', '.vite', 'manifest.json'), '{"secret.ts":{}}');
  writeFileSync(path.join(folder, 'pictures', 'a.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  edge = await openTestEdge({ folders: { web: path.join(folder, 'web'), pictures: path.join(folder, 'pictures') } });
});
afterAll(async () => {
  await edge.close();
  rmSync(folder, { recursive: true, force: true });
});

const other: TestEdge[] = [];
afterEach(async () => {
  for (const test of other.splice(0)) await test.close();
});

describe('the app', () => {
  it('comes with a policy that lets nothing inline run', async () => {
    const response = await fetch(edge.url);
    expect(await response.text()).toContain('<title>one</title>');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).not.toMatch(/unsafe|https?:\/\/|\*/);
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    // The only WebSocket that a page may open is our own.
    expect(/connect-src ([^;]*)/.exec(policy)?.[1]).toBe(`'self' ${edge.url.replace('http', 'ws')}`);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('permissions-policy')).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\)/);
    expect(response.headers.get('strict-transport-security')).toBeNull();
  });

  it('puts nothing of a forged host into its policy', async () => {
    const { hostname, port } = new URL(edge.url);
    for (const host of ["evil.example; script-src 'unsafe-inline'", 'a b', '*']) {
      const policy = await new Promise<string>((resolve, reject) => {
        const asked = get({ hostname, port, path: '/', headers: { host } }, (response) => {
          response.resume();
          resolve(String(response.headers['content-security-policy']));
        });
        asked.on('error', reject);
      });
      expect(policy).toContain("connect-src 'self' ws://localhost;");
      expect(policy).not.toMatch(/unsafe|\*|evil/);
    }
  });

  it('tells browsers to use https for ever when it is served over https', async () => {
    const test = await openTestEdge({ isHttps: true, folders: { web: path.join(folder, 'web'), pictures: folder } });
    other.push(test);
    for (const place of ['/', '/api/health'])
      expect((await fetch(test.url + place)).headers.get('strict-transport-security')).toContain('max-age=31536000');
  });

  it('lets browsers keep hashed assets for ever, compressed, and revalidate the rest', async () => {
    const asset = await fetch(`${edge.url}/assets/index-BxR3k9Qz.js`, { headers: { 'accept-encoding': 'br' } });
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(asset.headers.get('content-encoding')).toBe('br');
    expect(asset.headers.get('vary')).toBe('accept-encoding');
    expect(await asset.text()).toBe(SCRIPT);
    // The page's policy would be larger than most assets.
    expect(asset.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(asset.headers.get('permissions-policy')).toBeNull();
    const worker = await fetch(`${edge.url}/sw.js`);
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    // A worker obeys the policy in the headers of its own file.
    expect(worker.headers.get('content-security-policy')).toContain("script-src 'self'");
    const again = await fetch(`${edge.url}/sw.js`, { headers: { 'if-none-match': worker.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
    const head = await fetch(edge.url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('sends the file that the build compressed to browsers that accept it', async () => {
    const place = `${edge.url}/assets/built-BxR3k9Qz.js`;
    expect(await (await fetch(place, { headers: { 'accept-encoding': 'br' } })).text()).toBe(BUILT);
    expect(await (await fetch(place, { headers: { 'accept-encoding': 'gzip' } })).text()).toBe(SCRIPT);
    expect((await fetch(`${place}.br`)).status).toBe(404);
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/notes.map',
    '/.vite/manifest.json',
    '/nothing',
    '/assets',
    '/pictures/../secret.txt',
    '/pictures/b.svg',
    '/__proto__',
  ])('finds nothing at %s', async (place) => {
    const response = await fetch(edge.url + place);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('secret');
  });

  it.each([
    ['/%23/pages/login/regist?code=ABC&fbclid=1', '/#/pages/login/regist?code=ABC&fbclid=1'],
    ['/%23%2Fpages%2Flogin%2Fregist%3Fcode%3DABC', '/#%2Fpages%2Flogin%2Fregist%3Fcode%3DABC'],
    ['/index.html%23/pages/mine/mine', '/#/pages/mine/mine'],
    ['/console/%23/customers/1000000001?tab=ledger', '/console/#/customers/1000000001?tab=ledger'],
    ['/%23//evil.example/', '/#//evil.example/'],
  ])('redirects from %s, a link whose # was encoded, to %s', async (place, page) => {
    const response = await fetch(edge.url + place, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, page]);
  });

  it('is the new one as soon as a build ends', async () => {
    writeFileSync(path.join(folder, 'web', 'index.html'), '<!doctype html><title>two</title>');
    utimesSync(path.join(folder, 'web', 'index.html'), new Date(), new Date(Date.now() + 5_000));
    expect(await (await fetch(edge.url)).text()).toContain('<title>two</title>');
  });

  it('that can’t be read is logged by its path alone, because the query is the caller’s', async () => {
    const web = path.join(folder, 'huge');
    mkdirSync(web);
    writeFileSync(path.join(web, 'index.html'), '');
    writeFileSync(path.join(web, 'huge.js'), '');
    truncateSync(path.join(web, 'huge.js'), 2 ** 31);
    const places: string[] = [];
    const test = await openTestEdge({
      folders: { web, pictures: folder },
      report: (_error, where) => places.push(where),
    });
    other.push(test);
    expect((await fetch(`${test.url}/huge.js?code=ABCD1234&phone=0812345678`)).status).toBe(500);
    expect(places).toEqual(['/huge.js']);
  });

  it('says so when it is not built', async () => {
    const test = await openTestEdge();
    other.push(test);
    const response = await fetch(test.url, { headers: { 'accept-language': 'en-GB' } });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('have not been built yet');
    expect((await fetch(`${test.url}/api/health`)).status).toBe(200);
  });
});

describe('the documents', () => {
  it('is OpenAPI 3.1 and lists each call with its fields', async () => {
    const response = await fetch(`${edge.url}/api/openapi.json`);
    const document = (await response.json()) as {
      openapi: string;
      paths: Record<
        string,
        Record<
          string,
          {
            operationId: string;
            parameters: { $ref?: string; name?: string; in?: string }[];
            requestBody?: unknown;
            responses: object;
          }
        >
      >;
      components: Record<string, Record<string, unknown>>;
    };
    expect(document.openapi).toBe('3.1.0');
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const [name, call] of Object.entries(CALLS)) {
      const operation =
        document.paths[call.path.startsWith('/demo/') ? call.path : `/api${call.path}`]?.[call.method.toLowerCase()];
      expect(operation?.operationId, name).toBe(name);
      const fields = 'entries' in call.request ? Object.keys(call.request.entries as object) : [];
      if (call.method === 'GET')
        expect(
          operation?.parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name),
        ).toEqual(fields);
      else {
        const named = /schemas\/(\w+)"/.exec(JSON.stringify(operation?.requestBody))?.[1] ?? '';
        for (const field of fields)
          expect(JSON.stringify(document.components.schemas?.[named])).toContain(`"${field}"`);
      }
    }
    // Every reference must have a target.
    for (const [, section = '', name = ''] of JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      expect(document.components[section]?.[name]).toBeDefined();
    }
    expect(JSON.stringify(document)).not.toMatch(/outcome|win_rate|price_override/);
    expect(await (await fetch(`${edge.url}/api/docs/json`)).json()).toEqual(document);
  });

  it('describes the live stream at the host that was asked', async () => {
    const described = (await (await fetch(`${edge.url}/api/asyncapi.json`)).json()) as { servers: object };
    expect(described.servers).toEqual({ here: { host: new URL(edge.url).host, protocol: 'ws' } });
  });

  it('serves the page of verification and every vector that it names', async () => {
    const page = await fetch(`${edge.url}/api/docs/verification`);
    expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await page.text();
    expect(text).toMatch(/^# Verification/);
    const named = [...text.matchAll(/^\| `([a-z]+\.json)` \|/gm)].map(([, name]) => name);
    expect(named).toHaveLength(12);
    for (const name of named) {
      const answer = await fetch(`${edge.url}/api/docs/verification/${name}`);
      expect([name, answer.status, typeof (await answer.json())]).toEqual([name, 200, 'object']);
    }
    expect((await fetch(`${edge.url}/api/docs/verification/..%2Fpackage.json`)).status).toBe(404);
  });

  it('is a page that loads nothing from other hosts and has its own policy', async () => {
    const page = await fetch(`${edge.url}/api/docs`);
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|https:/);
    expect(html).not.toMatch(/https?:\/\//);
    for (const [, source = ''] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g))
      expect((await fetch(edge.url + source)).status, source).toBe(200);
  });
});

describe('a console on a host of its own', () => {
  it('is served on no other host, and nothing of the customers’ app is served there', async () => {
    const folders = {
      web: path.join(folder, 'web'),
      console: path.join(folder, 'web'),
      pictures: path.join(folder, 'pictures'),
    };
    const apart = await openTestEdge({ folders, consoleUrl: 'https://staff.example' });
    other.push(apart);
    const { hostname, port } = new URL(apart.url);
    const ask = (
      host: string,
      at: string,
      headers: Record<string, string> = {},
    ): Promise<{ status: number; to: string | undefined }> =>
      new Promise((resolve, reject) => {
        get({ hostname, port, path: at, headers: { host, ...headers } }, (response) => {
          response.resume();
          resolve({ status: response.statusCode ?? 0, to: response.headers.location });
        }).on('error', reject);
      });
    // A host name that is neither ours nor the console's, as when somebody's domain points at this machine.
    const strict = await openTestEdge({
      folders,
      ownUrls: ['https://app.example'],
      consoleUrl: 'https://staff.example',
    });
    other.push(strict);
    const at = async (host: string, path: string, to = strict) => {
      const { hostname: name, port: on } = new URL(to.url);
      return new Promise((resolve) => {
        get({ hostname: name, port: on, path, headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
      });
    };
    for (const path of ['/', '/metrics', '/api/health', '/api/coin/lists']) {
      expect(await at('evil.example', path), path).toBe(421);
      expect([200, 404, 501], path).toContain(await at('app.example', path));
      expect([200, 404, 501], path).toContain(await at('127.0.0.1:3000', path));
    }
    expect(await at('evil.example', '/metrics', apart)).toBe(421);
    expect(await at('localhost:3000', '/metrics', apart)).toBe(200);
    const statuses = async (host: string) => {
      const found: Record<string, number> = {};
      for (const at of [
        '/',
        '/sw.js',
        '/console/',
        '/api/admin/me',
        '/api/users/info',
        '/api/health',
        '/pictures/a.svg',
      ])
        found[at] = (await ask(host, at)).status;
      return found;
    };
    const staff = await statuses('staff.example:8443');
    expect(staff).toMatchObject({
      '/': 302,
      '/sw.js': 404,
      '/console/': 200,
      '/api/users/info': 404,
      '/pictures/a.svg': 404,
    });
    expect(staff['/api/admin/me']).not.toBe(404);
    expect((await ask('staff.example', '/')).to).toBe('/console/');
    for (const host of ['app.example', 'staff.example.evil.example', 'app.example\t', '']) {
      const customers = await statuses(host).catch(() => null);
      if (customers === null) continue;
      if (customers['/'] === 400) continue;
      expect(customers).toMatchObject({
        '/': 200,
        '/sw.js': 200,
        '/console/': 404,
        '/api/admin/me': 404,
        '/pictures/a.svg': 200,
      });
      expect(customers['/api/users/info']).not.toBe(404);
    }
    expect(staff['/api/health']).toBe((await ask('app.example', '/api/health')).status);
    // Another spelling of the path does not evade the rule, and the host of an absolute target overrides the header.
    for (const at of ['/api/%61dmin/me', '/%61pi/admin/me', '/%63onsole/', 'http://app.example/api/admin/me'])
      for (const host of at.startsWith('http') ? ['app.example', 'staff.example'] : ['app.example'])
        expect((await ask(host, at)).status, `${host} ${at}`).toBe(404);
    expect((await ask('staff.example', '/api/%75sers/info')).status).toBe(404);
    expect((await ask('app.example', 'http://staff.example/console/')).status).toBe(200);
    // A client that connects directly can't choose the other host with this header.
    expect((await ask('app.example', '/console/', { 'x-forwarded-host': 'staff.example' })).status).toBe(404);
  });

  it('takes no call from pages that may call for customers', async () => {
    const handlers = [
      handle(readOperator, async () => accept({} as never)),
      handle(readUser, async () => accept({} as never)),
    ];
    const apart = await openTestEdge({
      handlers,
      consoleUrl: 'https://staff.example',
      allowedOrigins: ['https://app.example'],
    });
    other.push(apart);
    const { hostname, port } = new URL(apart.url);
    const status = (host: string, at: string, origin: string): Promise<number> =>
      new Promise((resolve, reject) => {
        get({ hostname, port, path: at, headers: { host, origin, 'sec-fetch-site': 'same-site' } }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        }).on('error', reject);
      });
    expect(await status('staff.example', '/api/admin/me', 'https://app.example')).toBe(403);
    expect(await status('app.example', '/api/users/info', 'https://app.example')).not.toBe(403);
  });
});
