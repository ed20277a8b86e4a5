import * as v from 'valibot';
import { call } from './call.ts';
import { cleanText, fieldFault, isoTime, noFields } from './fields.ts';
import { FACTOR_REFUSALS, factorProof, paymentPassword } from './person-fields.ts';

/** Letters with their joiners, digits and single spaces. So the word cannot contain a link or imitate our own text. */
export const antiPhishingWord = v.pipe(
  v.string(fieldFault('required')),
  v.transform((word) => cleanText(word).trim()),
  v.minLength(4, fieldFault('too_short')),
  v.maxLength(24, fieldFault('too_long')),
  v.regex(
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d]*(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d]*)*$/u,
    fieldFault('malformed'),
  ),
);

const antiPhishing = v.object({ word: v.nullable(v.string()), changed_at: v.nullable(isoTime) });

export const readAntiPhishing = call('GET /users/phishing', {
  who: 'customer',
  summary: 'The customer’s anti-phishing word, which our mails, SMS and security notices carry; null for none.',
  request: noFields,
  result: antiPhishing,
});

export const setAntiPhishing = call('POST /users/phishing', {
  who: 'customer',
  summary: 'Set the anti-phishing word, or remove it by leaving it out. The owner is told of each change.',
  request: v.object({ word: v.optional(antiPhishingWord), paypass: paymentPassword, otp: v.optional(factorProof) }),
  result: antiPhishing,
  refusals: ['paypass_wrong', 'paypass_locked', ...FACTOR_REFUSALS],
});
