import { customerNetworkOf } from '../../../platform/ip-network.ts';
import type { KeyedHash } from '../keyed-hash.ts';

/** The data by which a request's device is recognised. */
export interface Device {
  /** The device's name for people, such as `Chrome, Android`. */
  readonly name: string;
  readonly address: string;
  /** Keyed hashes that recognise the device: of the app's random key, if sent, and of its network and user agent. */
  readonly keys: readonly [Buffer, ...Buffer[]];
}

// The order matters: Edge, Opera and in-app browsers also name Chrome, and Chrome also names Safari.
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

/**
 * Returns a name such as `Safari, iPhone`. An unknown device is named by its user agent, without characters that could
 * imitate our texts.
 */
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
  const seen = keyedHash('device.seen', customerNetworkOf(client.address), client.device);
  const keys: Device['keys'] = appKey === undefined ? [seen] : [keyedHash('device.key', appKey), seen];
  return { name: deviceName(client.device), address: client.address, keys };
}
