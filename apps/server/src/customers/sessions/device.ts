import { lineOf } from '../../ip-network.ts';
import type { KeyedHash } from '../keyed-hash.ts';

/** The device of a request, as far as it is known. */
export interface Device {
  /** For people: `Chrome, Android`. */
  readonly name: string;
  readonly address: string;
  /** Keyed hashes that recognise it: of the app's random key, if it sent one, and of its network and user agent. */
  readonly keys: readonly [Buffer, ...Buffer[]];
}

// The order matters: Edge, Opera and the in-app browsers call themselves Chrome, and Chrome calls itself Safari.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bLine\//i, 'LINE'],
  [/\bFBA[NV]\b/, 'Facebook'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bCriOS\/|\b(?:Headless)?Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];
const NAME_MAX = 60;

/** `Safari, iPhone`; an unknown device is shown by its own name, without characters that could imitate our texts. */
export function deviceName(userAgent: string): string {
  const find = (table: readonly [RegExp, string][]): string | undefined =>
    table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const known = [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== undefined);
  return known.length > 0
    ? known.join(', ')
    : userAgent
        .replace(/[^\x20-\x7E]/g, '')
        .trim()
        .slice(0, NAME_MAX);
}

export function deviceOf(
  client: { address: string; device: string },
  appKey: string | undefined,
  keyedHash: KeyedHash,
): Device {
  const seen = keyedHash('device.seen', lineOf(client.address), client.device);
  const keys: Device['keys'] = appKey === undefined ? [seen] : [keyedHash('device.key', appKey), seen];
  return { name: deviceName(client.device), address: client.address, keys };
}
