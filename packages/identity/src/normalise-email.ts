import { normaliseText } from './normalise-text.ts';

const EMAIL_MAX = 254;
// The characters that may stand before the @ without quotes (RFC 5322 and 6531). Some providers allow adjacent points.
const FORM = /^([\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64})@([\p{L}\p{M}\p{N}.。．｡-]+)$/u;
const HOST = /^(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+(?=.*[a-z])(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * Returns an email address in its canonical spelling: lower case, and the domain in ASCII (ตัวอย่าง.ไทย is `xn--…`).
 * Returns null for a text to which no mail can be sent. A stricter check is not needed, because the code sent to the
 * address proves that somebody reads it.
 */
export function normaliseEmail(typed: string): string | null {
  const text = normaliseText(typed).replace(/^(?:mailto:)?<?|>$/gi, '');
  const [, local = '', domain = ''] = (text.length <= EMAIL_MAX && FORM.exec(text)) || [];
  const url = `http://${domain}`;
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : '';
  const email = `${local.normalize('NFC').toLowerCase()}@${host}`;
  return HOST.test(host) && email.length <= EMAIL_MAX ? email : null;
}
