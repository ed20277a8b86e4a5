import { seenText } from './typed-text.ts';

const EMAIL_MAX = 254;
// What may stand before the @ without quotes (RFC 5322 and 6531). Some providers have points side by side.
const FORM = /^([\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64})@([\p{L}\p{M}\p{N}.。．｡-]+)$/u;
const HOST = /^(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+(?=.*[a-z])(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * An email address in its one spelling: lower case, and the domain in ASCII (ตัวอย่าง.ไทย is `xn--…`). Null for a text
 * to which no mail can go. Whether somebody reads it is proved by the code that is sent there, so nothing narrower is
 * asked for here.
 */
export function typedEmail(typed: string): string | null {
  const text = seenText(typed).replace(/^(?:mailto:)?<?|>$/gi, '');
  const [, local = '', domain = ''] = (text.length <= EMAIL_MAX && FORM.exec(text)) || [];
  const url = `http://${domain}`;
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : '';
  const email = `${local.normalize('NFC').toLowerCase()}@${host}`;
  return HOST.test(host) && email.length <= EMAIL_MAX ? email : null;
}
