/**
 * A ticket opens a customer's account on the practice platform. The real platform signs it for a customer who is signed
 * in there, with a key that has no other power. It names the customer by a pseudonym, so the practice platform learns
 * nobody's identity.
 */
import { fromHex, toHex, utf8Bytes } from './hash.ts';
import { signBytes, verifyEd25519 } from './signature.ts';

export interface PracticeTicket {
  /** The origin of the practice platform, such as `https://practice.example`. */
  readonly origin: string;
  /** The customer's pseudonym: 16 bytes in hex, always the same for one customer. */
  readonly who: string;
  readonly language: string;
  /** The ticket is valid before this moment; ms since 1970. */
  readonly untilMs: number;
  /** 16 random bytes in hex: the ticket is used once. */
  readonly nonce: string;
}

/** How long a ticket is valid: one load of a page. */
export const PRACTICE_TICKET_MS = 30_000;

/** The type comes first, so that the signature can never be read as one of another text. */
const PARTS = [
  /^practice\/1$/,
  /^https?:\/\/[!-~]{1,250}$/,
  /^[0-9a-f]{32}$/,
  /^[a-z]{2}$/,
  /^[1-9][0-9]{12}$/,
  /^[0-9a-f]{32}$/,
  /^[0-9a-f]{128}$/,
];

const textOf = ({ origin, who, language, untilMs, nonce }: PracticeTicket): string =>
  ['practice/1', origin, who, language, String(untilMs), nonce].join(' ');

/** The signed ticket as text of printable ASCII. `seed` is a 32-byte Ed25519 seed. */
export function writePracticeTicket(ticket: PracticeTicket, seed: Uint8Array): string {
  const text = textOf(ticket);
  return `${text} ${toHex(signBytes(utf8Bytes(text), seed))}`;
}

export type PracticeTicketFault =
  | 'practice_ticket_malformed'
  | 'practice_ticket_elsewhere'
  | 'practice_ticket_expired'
  | 'practice_ticket_forged';

export interface PracticeDoor {
  /** The origin of this practice platform. */
  readonly origin: string;
  /** The real platform's public key for tickets, hex. */
  readonly publicKeyHex: string;
  readonly nowMs: number;
}

/**
 * Returns the ticket, or why it opens nothing. The cheap checks come first, so that a flood costs no signatures. The
 * database decides afterwards whether the ticket was used before: a forged one must not use up a nonce.
 */
export async function judgePracticeTicket(
  text: string,
  { origin, publicKeyHex, nowMs }: PracticeDoor,
): Promise<PracticeTicket | PracticeTicketFault> {
  const parts = text.split(' ');
  if (parts.length !== PARTS.length || !PARTS.every((part, at) => part.test(parts[at] ?? '')))
    return 'practice_ticket_malformed';
  const [, to = '', who = '', language = '', until = '', nonce = '', signature = ''] = parts;
  const ticket = { origin: to, who, language, untilMs: Number(until), nonce };
  if (to !== origin) return 'practice_ticket_elsewhere';
  if (nowMs >= ticket.untilMs) return 'practice_ticket_expired';
  const [key, signed] = [fromHex(publicKeyHex, 32), fromHex(signature, 64)];
  const isSigned = key && signed && (await verifyEd25519(key, signed, utf8Bytes(textOf(ticket))));
  return isSigned ? ticket : 'practice_ticket_forged';
}
