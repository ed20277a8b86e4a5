import { expect, it } from 'vitest';
import { keyedHashOf } from '../keyed-hash.ts';
import { deviceName, deviceOf } from './device.ts';

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0',
    'Edge, Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Safari, macOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox, Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari Line/14.1.0',
    'LINE, iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36',
    'Samsung Internet, Android',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['\u202Eevil\u0000 ผู้ดูแล', 'evil'],
  ['x'.repeat(500), 'x'.repeat(60)],
  ['', ''],
])('%j is %j', (userAgent, name) => expect(deviceName(userAgent)).toBe(name));

it('is recognised by the app’s key, or by its network and its browser', () => {
  const hash = keyedHashOf(Buffer.alloc(32, 1));
  const keys = (address: string, device: string, key?: string): string[] =>
    deviceOf({ address, device }, key, hash).keys.map((buffer) => buffer.toString('hex'));
  expect(keys('203.0.113.7', 'A')).toEqual(keys('203.0.113.7', 'A'));
  expect(keys('203.0.113.7', 'A')).not.toEqual(keys('203.0.113.8', 'A'));
  expect(keys('203.0.113.7', 'A')).not.toEqual(keys('203.0.113.7', 'B'));
  expect(keys('2001:db8:1:2::3', 'A')).toEqual(keys('2001:db8:1:2::4', 'A'));
  expect(keys('203.0.113.7', 'A', 'key-of-the-app-1')[0]).toBe(keys('203.0.113.8', 'B', 'key-of-the-app-1')[0]);
});
