import { typedWord } from '@sathorn/identity';
import type { Queries } from '../../platform/database/index.ts';
import { type CustomerRow, findByContact, findByUsernameKey } from './customer-store.ts';
import { type Areas, type Contact, contactOf } from './names/contact.ts';
import { usernameKey } from './names/username-key.ts';

/** The name typed at sign-in: a contact or a username. */
interface LoginName {
  /** The normalised name, which is the same for all spellings; limits count by it. */
  readonly key: string;
  readonly contact: Contact | null;
  readonly username: string | null;
}

export function parseLoginName(text: string, areas: Areas): LoginName {
  const contact = contactOf(text, areas);
  if (contact) return { key: `${contact.kind}:${contact.value}`, contact, username: null };
  const username = typedWord(text).toLowerCase();
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

export async function findByLoginName(queries: Queries, { contact, username }: LoginName): Promise<CustomerRow | null> {
  if (contact) return findByContact(queries, contact);
  const customer = await findByUsernameKey(queries, usernameKey(username ?? ''));
  // The look-alike key can find another customer's row; only an exact username is accepted.
  return customer?.username.toLowerCase() === username ? customer : null;
}
