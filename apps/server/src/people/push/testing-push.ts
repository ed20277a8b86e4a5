import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushTransport } from './push-service.ts';

/** Decrypts a push message as a browser does. */
export function decryptPush(body: Buffer, browser: ECDH, auth: Buffer): string {
  const derive = (secret: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, length));
  const salt = body.subarray(0, 16);
  const keyLength = body[20] ?? 0;
  const sender = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
  const secret = derive(browser.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: 16 });
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}

export interface TestBrowser {
  readonly subscription: { readonly endpoint: string; readonly p256dh: string; readonly auth: string };
  /** The decrypted messages that arrived, oldest first. */
  readonly shown: { title: string; body: string; tag: string; path: string; lang: string; dir: string }[];
  readonly headers: Record<string, string | string[] | undefined>[];
}

export interface TestPushService {
  /** Redirects requests for push services to this server. */
  readonly transport: PushTransport;
  browser(): TestBrowser;
  /** Its next answers; 201 by default. `null` closes the connection. */
  answers: (number | null)[];
  retryAfter: string | undefined;
  close(): Promise<void>;
}

/** Starts a push service on this machine. It decrypts the messages with the browser's keys. */
export async function openTestPushService(): Promise<TestPushService> {
  const browsers = new Map<string, { keys: ECDH; auth: Buffer; browser: TestBrowser }>();
  const service = { answers: [] as (number | null)[], retryAfter: undefined as string | undefined };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const status = service.answers.length > 0 ? service.answers.shift() : 201;
      if (status === null) return void request.socket.destroy();
      const known = browsers.get(request.url ?? '');
      if (status === 201 && known) {
        known.browser.shown.push(JSON.parse(decryptPush(Buffer.concat(parts), known.keys, known.auth)));
        known.browser.headers.push(request.headers);
      }
      response.writeHead(status ?? 201, service.retryAfter ? { 'retry-after': service.retryAfter } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(service, {
    transport: (async ({ endpoint, headers, body }) => {
      const reply = await fetch(`http://127.0.0.1:${port}${endpoint.pathname}`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      return { status: reply.status, retryAfter: reply.headers.get('retry-after') };
    }) satisfies PushTransport,
    browser() {
      const keys = createECDH('prime256v1');
      const p256dh = keys.generateKeys().toString('base64url');
      const auth = randomBytes(16);
      const at = `/fcm/send/${randomBytes(12).toString('base64url')}`;
      const subscription = { endpoint: `https://fcm.googleapis.com${at}`, p256dh, auth: auth.toString('base64url') };
      const browser: TestBrowser = { subscription, shown: [], headers: [] };
      browsers.set(at, { keys, auth, browser });
      return browser;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}
