import { isOwnContact } from './contact-mac.ts';
import type { CustomerRow } from './customer-store.ts';
import type { KeyedHash } from './keyed-hash.ts';
import type { Contact } from './names/contact.ts';

/**
 * A contact that has just replaced another cannot reset the password yet: the owner is notified and has a day to
 * object.
 */
const CONTACT_TRUST_MS = 24 * 60 * 60 * 1_000;

export function contactsOf({ phone, email }: CustomerRow): Contact[] {
  return [
    ...(phone === null ? [] : [{ kind: 'phone', value: phone } as const]),
    ...(email === null ? [] : [{ kind: 'email', value: email } as const]),
  ];
}

/**
 * Contacts that may reset a password: sealed as this customer's, and from the sign-up or at least a day old.
 */
export function trustedContactsOf(customer: CustomerRow, keyedHash: KeyedHash, now: Date): Contact[] {
  return contactsOf(customer).filter((contact) => {
    if (!isOwnContact(keyedHash, customer, contact)) return false;
    const since = (contact.kind === 'phone' ? customer.phone_since : customer.email_since)?.getTime();
    return (
      since !== undefined && (since === customer.created_at.getTime() || now.getTime() - since >= CONTACT_TRUST_MS)
    );
  });
}
