/**
 * What a customer's device signs when the customer orders something: an order, a withdrawal, a payee. Its key never
 * leaves the device, so whoever runs the platform can't invent an order that looks as if a device had given it.
 */
import { canonicalText, parseCanonical } from './canonical.ts';

export type OrderedFields = Readonly<Record<string, string>>;

/** The text `ordered/1`. */
export interface Ordered {
  /** The id of the device's key: the first 32 hex digits of the SHA-256 of its public half. */
  readonly key: string;
  /** Such as `POST /coin/order/add`. */
  readonly call: string;
  /** The Idempotency-Key. */
  readonly intent: string;
  /** The call's fields without secrets; where they are private, a commitment to them (SHA-256, hex). */
  readonly fields: OrderedFields | string;
  /** In ms since 1970, by the device's clock. It proves no time. */
  readonly atMs: number;
}

const ORDERED_TYPE = 'ordered/1';

export const writeOrdered = ({ key, call, intent, fields, atMs }: Ordered): string =>
  canonicalText({ v: ORDERED_TYPE, at: String(atMs), call, fields, intent, key });

const PATTERNS = {
  at: /^[1-9][0-9]{0,14}$/,
  call: /^POST \/[A-Za-z/]{1,60}$/,
  intent: /^[A-Za-z0-9_-]{8,64}$/,
  key: /^[0-9a-f]{32}$/,
};

/** Undefined unless the text is exactly what `writeOrdered` writes. */
export function readOrdered(body: string): Ordered | undefined {
  const value = parseCanonical(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { at, call, fields, intent, key } = value as Record<string, unknown>;
  const texts = { at, call, intent, key };
  for (const [name, pattern] of Object.entries(PATTERNS)) {
    const text = texts[name as keyof typeof texts];
    if (typeof text !== 'string' || !pattern.test(text)) return undefined;
  }
  const ordered = { key, call, intent, fields, atMs: Number(at) } as Ordered;
  return areFields(fields) && writeOrdered(ordered) === body ? ordered : undefined;
}

function areFields(fields: unknown): fields is Ordered['fields'] {
  if (typeof fields === 'string') return /^[0-9a-f]{64}$/.test(fields);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return false;
  return Object.values(fields).every((field) => typeof field === 'string');
}

/** The bytes that the key signs with ECDSA and SHA-256: the type, a line feed, the text. */
export const bytesOfOrdered = (body: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`${ORDERED_TYPE}\n${body}`);

/** What a commitment hashes. The salt, which nobody stores, keeps others from trying all account numbers. */
export const bytesToCommit = (salt: string, fields: OrderedFields): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(salt + canonicalText(fields));

/** What the server has received. */
export interface ReceivedOrder extends Pick<Ordered, 'call' | 'intent' | 'fields'> {
  readonly customer: string;
  /** The owner of the key that the text names; null for a key that nobody registered. */
  readonly keyOwner: string | null;
}

export type OrderedRefusal =
  | 'text_malformed'
  | 'key_unknown'
  | 'key_of_another'
  | 'call_differs'
  | 'intent_differs'
  | 'fields_differ'
  | 'signature_wrong';

/**
 * Returns why a signed text does not belong to this call, or null. The text names key, call, intent and fields, so it
 * can't be used again for anything else.
 */
export function refuseOrdered(
  ordered: Ordered | undefined,
  received: ReceivedOrder,
  isSigned: () => boolean,
): OrderedRefusal | null {
  if (ordered === undefined) return 'text_malformed';
  if (received.keyOwner === null) return 'key_unknown';
  if (received.keyOwner !== received.customer) return 'key_of_another';
  if (ordered.call !== received.call) return 'call_differs';
  if (ordered.intent !== received.intent) return 'intent_differs';
  if (canonicalText(ordered.fields) !== canonicalText(received.fields)) return 'fields_differ';
  return isSigned() ? null : 'signature_wrong';
}
