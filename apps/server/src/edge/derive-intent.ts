import { hash } from 'node:crypto';
import type { Intent } from '../ledger/index.ts';
import type { Fields } from './parse-form.ts';

/** RFC 9562 name-based ids of this platform's requests. */
const NAMESPACE = '6f2b1c9e-0f5d-5b0a-9d3c-7a4e53617468'.replaceAll('-', '');
const KEY = /^[A-Za-z0-9_-]{8,64}$/;
/** Without a key, the same request of the same customer within this time is taken for a retry. */
export const DERIVED_WINDOW_MS = 10_000;

export function isIdempotencyKey(text: string): boolean {
  return KEY.test(text);
}

/** UUID version 5 (SHA-1 over a namespace and a name). */
export function uuidOfName(name: string): string {
  const digest = hash('sha1', Buffer.concat([Buffer.from(NAMESPACE, 'hex'), Buffer.from(name)]), 'hex');
  const version = `5${digest.slice(13, 16)}`;
  const variant = ((Number.parseInt(digest.slice(16, 18), 16) & 0x3f) | 0x80).toString(16).padStart(2, '0');
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-${version}-${variant}${digest.slice(18, 20)}-${digest.slice(20, 32)}`;
}

/** One text for one content: the fields that the call knows, by name, in the order of `names`. */
function canonical(names: readonly string[], fields: Fields): string {
  return JSON.stringify(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}

/**
 * Who asked (`customer`, 0 for nobody), for what (`route`, the fields), under which id. The id is bound to customer and route, so a
 * key of one customer can never meet that of another.
 */
export function deriveIntent(
  customer: bigint,
  route: string,
  names: readonly string[],
  fields: Fields,
  key: string | null,
  now: Date,
): Intent {
  const digest = hash('sha256', `${route}\n${canonical(names, fields)}`, 'hex');
  // A key of the caller's has no dot, so a derived one can't be forged or hit by chance.
  const name = key ?? `derived.${digest}.${Math.floor(now.getTime() / DERIVED_WINDOW_MS)}`;
  return { id: uuidOfName(`${customer}\n${route}\n${name}`), digest };
}
