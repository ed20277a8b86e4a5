import { normaliseWord } from '@sathorn/identity';
import type { Queries } from '../../platform/database/index.ts';
import { type CustomerRow, findCustomerByContact, findCustomerByUsernameKey } from './customer-store.ts';
import { type Contact, contactOf, type PhoneAreas } from './names/contact.ts';
import { usernameKeyOf } from './names/username-key.ts';

/** The name typed at sign-in: a contact or a username. */
interface LoginName {
  /** The normalised name, which is the same for all spellings; limits count by it. */
  readonly key: string;
  readonly contact: Contact | null;
  readonly username: string | null;
}

export function parseLoginName(text: string, areas: PhoneAreas): LoginName {
  const contact = contactOf(text, areas);
  if (contact) return { key: `${contact.kind}:${contact.value}`, contact, username: null };
  const username = normaliseWord(text).toLowerCase();
  return { key: `username:${username}`, contact: null, username };
}

/** Every name with which the customer can sign in. */
export function loginNamesOf(customer: CustomerRow): string[] {
  return [
    `username:${customer.username.toLowerCase()}`,
    ...(customer.phone === null ? [] : [`phone:${customer.phone}`]),
    ...(customer.email === null ? [] : [`email:${customer.email}`]),
  ];
}

export async function findCustomerByLoginName(
  queries: Queries,
  { contact, username }: LoginName,
): Promise<CustomerRow | null> {
  if (contact) return findCustomerByContact(queries, contact);
  const customer = await findCustomerByUsernameKey(queries, usernameKeyOf(username ?? ''));
  // The look-alike key can find another customer's row; only an exact username is accepted.
  return customer?.username.toLowerCase() === username ? customer : null;
}
