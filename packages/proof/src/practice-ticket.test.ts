import { expect, it } from 'vitest';
import { toHex } from './hash.ts';
import { judgePracticeTicket, type PracticeTicket, writePracticeTicket } from './practice-ticket.ts';
import { publicKeyOf } from './signature.ts';

const SEED = new Uint8Array(32).fill(7);
const NOW = 1_800_000_000_000;
const TICKET: PracticeTicket = {
  origin: 'https://practice.example',
  who: 'ab'.repeat(16),
  language: 'th',
  untilMs: NOW + 30_000,
  nonce: 'cd'.repeat(16),
};
const DOOR = { origin: TICKET.origin, publicKeyHex: toHex(publicKeyOf(SEED)), nowMs: NOW };
const made = writePracticeTicket(TICKET, SEED);
const judge = (text: string, door: Partial<typeof DOOR> = {}) => judgePracticeTicket(text, { ...DOOR, ...door });

it('opens the practice account of the pseudonym that it names', async () => {
  expect(await judge(made)).toEqual(TICKET);
  expect(made).toMatch(/^[!-~]+( [!-~]+){6}$/);
});

it.each<[string, string, Partial<typeof DOOR>, string]>([
  ['an empty text', '', {}, 'practice_ticket_malformed'],
  ['a longer one', `${made} x`, {}, 'practice_ticket_malformed'],
  ['another spelling', made.replace(' th ', '  th '), {}, 'practice_ticket_malformed'],
  ['another type', made.replace('practice/1', 'receipt/1'), {}, 'practice_ticket_malformed'],
  ['another origin', made, { origin: 'https://other.example' }, 'practice_ticket_elsewhere'],
  ['its end', made, { nowMs: TICKET.untilMs }, 'practice_ticket_expired'],
  ['a later end', made.replace(String(TICKET.untilMs), String(NOW + 31_000)), {}, 'practice_ticket_forged'],
  ['another pseudonym', made.replace(TICKET.who, 'ba'.repeat(16)), {}, 'practice_ticket_forged'],
  ['another nonce', made.replace(TICKET.nonce, 'dc'.repeat(16)), {}, 'practice_ticket_forged'],
  ['another key', writePracticeTicket(TICKET, new Uint8Array(32).fill(8)), {}, 'practice_ticket_forged'],
  ['a key of small order', made, { publicKeyHex: `01${'00'.repeat(31)}` }, 'practice_ticket_forged'],
])('refuses %s', async (_what, text, door, fault) => {
  expect(await judge(text, door)).toBe(fault);
});
