import { trustedContactsOf } from '../contacts-of.ts';
import { findByContact } from '../customer-store.ts';
import type { Contact } from '../names/contact.ts';
import type { Room } from '../room.ts';
import type { CodePurpose } from './code-store.ts';

/**
 * Whether a code is really sent. To sign up: always, and who holds it learns whether the contact is taken. To set a password
 * anew: when a customer has had this contact for a day. To edit: only from within a session.
 */
export async function isCodeForSomebody(
  room: Room,
  contact: Contact,
  purpose: CodePurpose,
  session: object | null,
  now: Date,
): Promise<boolean> {
  // Looked up for every purpose, so that the time that an answer takes says nothing.
  const customer = await findByContact(room.database, contact);
  if (purpose === 'register') return true;
  if (purpose === 'edit') return session !== null;
  return customer !== null && trustedContactsOf(customer, now).some(({ value }) => value === contact.value);
}
