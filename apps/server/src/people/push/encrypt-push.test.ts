import { createECDH, createPublicKey, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { encryptPush, isPublicKey } from './encrypt-push.ts';
import { pushEndpointOf } from './push-service.ts';
import { decryptPush } from './testing-push.ts';
import { openVapid } from './vapid.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
const P256DH = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
const AUTH = 'BTBZMqHH6r4Tts7J_aSIgg';

it('encrypts the example of RFC 8291, appendix A, to its bytes', () => {
  const body = encryptPush(
    Buffer.from('When I grow up, I want to be a watermelon'),
    { p256dh: bytes(P256DH), auth: bytes(AUTH) },
    {
      salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
      privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
      paddedTo: 1,
    },
  );
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

it('hides the length of a message, and refuses one that is too long for some push services', () => {
  const browser = createECDH('prime256v1');
  const keys = { p256dh: browser.generateKeys(), auth: bytes(AUTH) };
  const [short, long] = ['ฝากเงินเข้าแล้ว', 'x'.repeat(500)].map((text) => encryptPush(Buffer.from(text), keys));
  expect(short?.length).toBe(long?.length);
  expect(decryptPush(short as Buffer, browser, keys.auth)).toBe('ฝากเงินเข้าแล้ว');
  expect(() => encryptPush(Buffer.alloc(4_000), keys)).toThrow('too long');
});

it('accepts only points of the curve as a browser’s key', () => {
  expect(isPublicKey(bytes(P256DH))).toBe(true);
  const off = bytes(P256DH);
  off[40] = (off[40] ?? 0) ^ 1;
  for (const wrong of [off, Buffer.alloc(65, 4), Buffer.alloc(0), bytes(P256DH).subarray(0, 64)])
    expect(isPublicKey(wrong)).toBe(false);
});

it('signs for one push service, by a key that stays the same', () => {
  const now = new Date('2026-11-23T08:00:00Z');
  const vapid = openVapid(Buffer.alloc(32, 7), 'mailto:ops@brand.example');
  expect(openVapid(Buffer.alloc(32, 7), 'mailto:ops@brand.example').publicKey).toBe(vapid.publicKey);
  expect(openVapid(Buffer.alloc(32, 8), 'mailto:ops@brand.example').publicKey).not.toBe(vapid.publicKey);

  const [, token = '', k] = /^vapid t=(\S+), k=(\S+)$/.exec(
    vapid.authorizationFor('https://fcm.googleapis.com', now),
  ) as string[];
  expect(k).toBe(vapid.publicKey);
  const [head = '', claims = '', signature = ''] = token.split('.');
  expect(JSON.parse(bytes(claims).toString())).toEqual({
    aud: 'https://fcm.googleapis.com',
    exp: now.getTime() / 1_000 + 12 * 3_600,
    sub: 'mailto:ops@brand.example',
  });
  const point = bytes(vapid.publicKey);
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  expect(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes(signature))).toBe(true);
  expect(vapid.authorizationFor('https://web.push.apple.com', now)).not.toContain(token);
});

it.each([
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
  'https://web.push.apple.com/QPd',
  'https://wns2-par02p.notify.windows.com/w/?token=BQY%3d',
])('sends to %s', (text) => {
  expect(pushEndpointOf(text)?.href).toBe(text);
});

it.each([
  'http://fcm.googleapis.com/fcm/send/abc',
  'https://fcm.googleapis.com:8443/fcm/send/abc',
  'https://user:secret@fcm.googleapis.com/fcm/send/abc',
  'https://fcm.googleapis.com@127.0.0.1/',
  'https://fcm.googleapis.com.evil.example/',
  'https://evilnotify.windows.com/',
  'https://push.apple.com.evil.example/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://2130706433/',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/',
  'file:///etc/passwd',
  'ftp://web.push.apple.com/',
  'javascript:alert(1)',
  '',
])('never sends to %j', (text) => {
  expect(pushEndpointOf(text)).toBeNull();
});
