import { createHash, randomUUID } from 'node:crypto';
import { base32 } from './authenticator.ts';
import { newEnrolmentSecret } from './enrolment.ts';
import type { RoomKeys } from './room-keys.ts';

const CODE_LETTERS = 12;

/**
 * The second half of a one-time secret. The maker of an invitation holds the first half, in the link; the checker reads
 * this one. Sixty bits: the maker, who can read the digest of both halves, can't find it by trying.
 */
export const enrolmentCodeOf = (keys: RoomKeys, invitation: string): string =>
  base32(keys.hash('enrolment.code', invitation)).slice(0, CODE_LETTERS);

/** What is kept of a secret, whole as the person enters it: `<link>.<code>`, or what the command line printed. */
export const enrolmentHashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** A new start: the link's half for the maker, and what the approval holds, from which only its digest follows. */
export function newInvitation(keys: RoomKeys, consoleUrl: string, workName: string) {
  const invitation = randomUUID();
  const half = newEnrolmentSecret();
  const url = new URL('/console/', consoleUrl);
  // After the hash, so that it reaches no server's log.
  url.hash = `/enrol/${workName}?secret=${half}`;
  return {
    link: url.href,
    content: {
      invitation,
      secret_hash: enrolmentHashOf(`${half}.${enrolmentCodeOf(keys, invitation)}`).toString('hex'),
    },
  };
}
