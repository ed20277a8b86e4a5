import { normaliseEmail, normaliseNumber, normaliseText } from '@sathorn/identity';
import { parsePhoneNumber } from './phone-number.ts';

export type ContactKind = 'phone' | 'email';

/** A contact that can receive codes: an E.164 number, or an email in its normalised form. */
export interface Contact {
  readonly kind: ContactKind;
  readonly value: string;
}

export type PhoneAreas = readonly [string, ...string[]];

export function emailContact(email: string): Contact {
  return { kind: 'email', value: normaliseEmail(email) ?? normaliseText(email).toLowerCase() };
}

/**
 * The phone contact by which to look up a customer. Null if the number is malformed or in an area that is not served.
 * Number ranges change, so a number that is no longer in a mobile range can still sign in.
 */
export function phoneContact(phone: string, areas: PhoneAreas): Contact | null {
  const parsed = parsePhoneNumber(normaliseNumber(phone), areas);
  return parsed.kind === 'valid' || parsed.kind === 'not_mobile' ? { kind: 'phone', value: parsed.e164 } : null;
}

/** Parses a phone number or an email as a person would write it. */
export function contactOf(text: string, areas: PhoneAreas): Contact | null {
  return normaliseText(text).includes('@') ? emailContact(text) : phoneContact(text, areas);
}

/** Public mail providers. Their users are strangers to each other, so the limit per domain does not apply to them. */
const MAIL_PROVIDERS = new Set(
  [
    'gmail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com me.com mac.com aol.com proton.me protonmail.com',
    'hotmail.co.th live.co.th outlook.co.th yahoo.co.th windowslive.com yahoo.co.in rediffmail.com yahoo.co.jp docomo.ne.jp ezweb.ne.jp',
    'softbank.ne.jp i.softbank.jp qq.com foxmail.com 163.com 126.com yeah.net sina.com sohu.com 139.com 189.cn aliyun.com naver.com',
    'hanmail.net daum.net zoho.com gmx.com gmx.de web.de mail.com mail.ru yandex.ru yandex.com yahoo.co.uk hotmail.co.uk yahoo.fr hotmail.fr',
  ]
    .join(' ')
    .split(' '),
);

function mailOf(email: string): { local: string; domain: string } {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  return { local: email.slice(0, at), domain: domain === 'googlemail.com' ? 'gmail.com' : domain };
}

/** One key for all spellings of a phone or mailbox: providers ignore what follows a plus, and Gmail ignores dots. */
export function receiverKeyOf({ kind, value }: Contact): string {
  if (kind === 'phone') return value;
  const { local, domain } = mailOf(value);
  const [name = ''] = local.split('+', 1);
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`;
}

/**
 * The group of neighbouring contacts that an SMS-pumping script would go through: a phone's block of ten thousand
 * numbers, or an email's domain. Null for public mail providers.
 */
export function contactBlockOf({ kind, value }: Contact): string | null {
  if (kind === 'phone') return value.slice(0, -4);
  const { domain } = mailOf(value);
  return MAIL_PROVIDERS.has(domain) ? null : domain;
}
