import { parsePhoneNumber } from './phone-number.ts';

export type ContactKind = 'phone' | 'email';

/** Where codes go: an E.164 number or an email in lower case. */
export interface Contact {
  readonly kind: ContactKind;
  readonly value: string;
}

export type Areas = readonly [string, ...string[]];

export function emailContact(email: string): Contact {
  return { kind: 'email', value: email.trim().toLowerCase() };
}

/** Null when the number is malformed or of an area that is not served. */
export function phoneContact(phone: string, areas: Areas): Contact | null {
  const parsed = parsePhoneNumber(phone, areas);
  return parsed.kind === 'valid' ? { kind: 'phone', value: parsed.e164 } : null;
}

/** Either kind, as somebody wrote it. */
export function contactOf(text: string, areas: Areas): Contact | null {
  return text.includes('@') ? emailContact(text) : phoneContact(text.replace(/[\s()-]/g, ''), areas);
}

/**
 * Neighbours that one pumping script walks through: the block of ten thousand numbers that a phone is in, the domain of an
 * email.
 */
export function contactBlock({ kind, value }: Contact): string {
  return kind === 'phone' ? value.slice(0, -4) : value.slice(value.lastIndexOf('@') + 1);
}
