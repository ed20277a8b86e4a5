import { randomInt } from 'node:crypto';

const CUSTOMER_ID_MIN = 1_000_000_000;
const CUSTOMER_ID_MAX = 9_999_999_999;
/** Excludes characters that are easily confused: 0 and O, 1, I and L, U and V. */
const INVITE_LETTERS = '23456789ABCDEFGHJKMNPQRSTWXYZ';
const INVITE_LENGTH = 8;

/** Ten random digits. The database ensures uniqueness. */
export function randomCustomerId(): bigint {
  return BigInt(randomInt(CUSTOMER_ID_MIN, CUSTOMER_ID_MAX + 1));
}

export function randomInviteCode(): string {
  return Array.from({ length: INVITE_LENGTH }, () => INVITE_LETTERS[randomInt(INVITE_LETTERS.length)]).join('');
}
