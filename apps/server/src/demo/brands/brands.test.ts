import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brandEnvironmentOf, readBrandHosts } from './brand-hosts.ts';
import { openHostRouter } from './open-host-router.ts';

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));

describe('the configuration of brands', () => {
  it('names each brand with its host', () => {
    const hosts = readBrandHosts(' sathorn=App.Sathorn.example , meridian=meridian.localhost');
    expect(hosts.map(({ brand, host }) => [brand.id, host])).toEqual([
      ['sathorn', 'app.sathorn.example'],
      ['meridian', 'meridian.localhost'],
    ]);
  });

  it.each([
    ['an unknown brand', 'nobody=a.example'],
    ['no host', 'sathorn'],
    ['an invalid host name', 'sathorn=a b'],
    ['a path', 'sathorn=a.example/x'],
    ['one host for two brands', 'sathorn=a.example,meridian=a.example'],
    ['a brand twice', 'sathorn=a.example,sathorn=b.example'],
    ['nothing', ' , '],
  ])('is refused with %s', (_what, text) => {
    expect(() => readBrandHosts(text)).toThrow('BRANDS');
  });

  it('gives each brand its own folder, database and variables', () => {
    const [sathorn, meridian] = readBrandHosts('sathorn=sathorn.localhost,meridian=app.meridian.example');
    if (!sathorn || !meridian) throw new Error('two brands');
    const env = { DATA_DIR: '/data', MERIDIAN_SMTP_URL: 'smtps://m', SMTP_URL: 'smtps://s', BRANDS: 'x' };
    const at = { port: 5, frontPort: 3000 };
    expect(brandEnvironmentOf(sathorn, env, at)).toMatchObject({
      BRANDS: '',
      BRAND: 'sathorn',
      DATA_DIR: '/data/sathorn',
      BASE_URL: 'http://sathorn.localhost:3000',
      SMTP_URL: 'smtps://s',
      HOST: '127.0.0.1',
      PORT: '5',
      TRUST_PROXY: '1',
    });
    expect(brandEnvironmentOf(meridian, env, at)).toMatchObject({
      DATA_DIR: '/data/meridian',
      BASE_URL: 'https://app.meridian.example',
      SMTP_URL: 'smtps://m',
    });
    expect(() => brandEnvironmentOf(sathorn, { DATABASE_URL: 'postgres://one' }, at)).toThrow('SATHORN_DATABASE_URL');
    const own = { DATABASE_URL: 'postgres://one', MERIDIAN_DATABASE_URL: 'postgres://two' };
    expect(brandEnvironmentOf(meridian, own, at)).toMatchObject({ DATABASE_URL: 'postgres://two' });
  });
});

describe('the front', () => {
  const servers: Server[] = [];
  let port: number;
  /** A server that answers with its name and the request that it received. */
  const brand = (name: string): Server =>
    createServer((asked, answer) => {
      let body = '';
      asked.on('data', (part) => (body += part));
      asked.on('end', () => answer.end(JSON.stringify({ name, url: asked.url, headers: asked.headers, body })));
    }).on('upgrade', (asked, socket) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\r\n${name} ${asked.headers['x-forwarded-for']}`,
      );
    });
  const ask = (
    host: string,
    headers: Record<string, string> = {},
    body = '',
  ): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const asked = request({
        host: '127.0.0.1',
        port,
        path: '/api/x?y=1',
        method: 'POST',
        headers: { host, ...headers },
      });
      asked.on('response', (answer) => {
        let text = '';
        answer.on('data', (part) => (text += part));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      asked.on('error', reject);
      asked.end(body);
    });
  beforeAll(async () => {
    const [one, two] = [brand('one'), brand('two')];
    const ports: Record<string, number> = { 'one.example': await listen(one), 'two.example': await listen(two) };
    ports['gone.example'] = 1;
    const front = openHostRouter({ portOf: (host) => ports[host], proxyHops: 0 });
    port = await listen(front);
    servers.push(front, one, two);
  });
  afterAll(() => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });

  it('forwards a request to the brand of its host name, with the caller’s real address only', async () => {
    const { status, text } = await ask(
      'Two.example:3000',
      { 'x-forwarded-for': '6.6.6.6', 'x-forwarded-host': 'one.example' },
      'a=1',
    );
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      name: 'two',
      url: '/api/x?y=1',
      body: 'a=1',
      headers: { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'two.example:3000' },
    });
  });

  it.each(['nobody.example', '127.0.0.1', 'one.example.evil.example', 'one.example@two.example'])(
    'answers 421 to %s, and asks no brand',
    async (host) => {
      expect(await ask(host)).toMatchObject({ status: 421 });
    },
  );

  it('answers 503 while a brand’s server is unavailable', async () => {
    expect(await ask('gone.example')).toMatchObject({ status: 503 });
  });

  it('connects live streams to their brand', async () => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.write(
      'GET /api/stream HTTP/1.1\r\nhost: one.example\r\nconnection: Upgrade\r\nupgrade: websocket\r\nx-forwarded-for: 6.6.6.6\r\n\r\n',
    );
    const text = await new Promise<string>((resolve) => {
      let all = '';
      socket.on('data', (part) => {
        all += part;
        if (all.includes('one 127')) resolve(all);
      });
    });
    expect(text).toContain('one 127.0.0.1');
    socket.destroy();
  });
});
