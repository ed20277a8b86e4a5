import { createHash } from 'node:crypto';
import { uuidOfName } from '../../platform/intent.ts';
import { encodeBase32 } from './authenticator.ts';
import type { OperatorKeys } from './operator-keys.ts';

const CODE_LETTERS = 12;
/** 192 bits, as many as of a secret that the command line prints. */
const HALF_BYTES = 24;

/**
 * The second half of a one-time secret. The maker of an invitation gets the first half in the link; the approver reads
 * this one. It has 60 bits, so the maker, who can read the hash of both halves, cannot guess it.
 */
export const enrolmentCodeOf = (keys: OperatorKeys, invitation: string): string =>
  encodeBase32(keys.hash('enrolment.code', invitation)).slice(0, CODE_LETTERS);

/** The stored hash of a complete secret, which is `<link>.<code>` or the one that the command line printed. */
export const enrolmentHashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/**
 * Creates an enrolment: the link with the maker's half, and the approval's content, which has only the hash. The maker
 * signs the content and then repeats the request, so the same `intent` about the same state gets the same halves. Both
 * follow from the operators' key, so whoever reads that key and the database has an open invitation's secret.
 */
export function newInvitation(
  keys: OperatorKeys,
  consoleUrl: string,
  workName: string,
  { intent, state = '' }: { readonly intent: string; readonly state?: string },
) {
  const invitation = uuidOfName(`invitation\n${intent}\n${workName}\n${state}`);
  const half = keys.hash('enrolment.link', invitation).subarray(0, HALF_BYTES).toString('base64url');
  const url = new URL('/console/', consoleUrl);
  // Puts the secret into the URL's hash, so that no server logs it.
  url.hash = `/enrol/${workName}?secret=${half}`;
  return {
    link: url.href,
    content: {
      invitation,
      secret_hash: enrolmentHashOf(`${half}.${enrolmentCodeOf(keys, invitation)}`).toString('hex'),
    },
  };
}
