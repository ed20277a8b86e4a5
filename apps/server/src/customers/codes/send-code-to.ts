import type { sendEmailCode, sendSmsCode } from '@sathorn/api';
import type { CallContext } from '../../edge/index.ts';
import { trustedContactsOf } from '../contacts-of.ts';
import { findByContact } from '../customer-store.ts';
import type { Contact } from '../names/contact.ts';
import type { Room } from '../room.ts';
import type { CodePurpose } from './code-store.ts';

/**
 * Whether a code is really sent. To sign up: always, and who holds it learns whether the contact is taken. To set a password
 * anew: when a customer has had this contact for a day. To edit: only from within a session.
 */
async function isCodeForSomebody(
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

type Asking = CallContext<typeof sendEmailCode> | CallContext<typeof sendSmsCode>;

/** Sends a code for what was asked, to whom it may be sent; the answer is the same for all. */
export async function sendCodeTo(room: Room, contact: Contact, { request, customer, client, language, now }: Asking) {
  const isForSomebody = await isCodeForSomebody(room, contact, request.must, customer, now);
  return room.codes.send(
    {
      contact,
      purpose: request.must,
      address: client.address,
      language,
      customer: customer?.id ?? null,
      isForSomebody,
    },
    now,
  );
}
