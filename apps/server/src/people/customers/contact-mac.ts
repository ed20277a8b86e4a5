import { timingSafeEqual } from 'node:crypto';
import type { Queries } from '../../platform/database/index.ts';
import { type CustomerRow, sealContactRows } from './customer-store.ts';
import { type KeyedHash, keyedHashOf } from './keyed-hash.ts';
import type { Contact } from './names/contact.ts';

/** An attacker who can write rows but lacks the key cannot make their own phone or email another customer's. */
export const contactMacOf = (keyedHash: KeyedHash, customer: bigint, { kind, value }: Contact): Buffer =>
  keyedHash('contact', String(customer), kind, value);

export function isOwnContact(keyedHash: KeyedHash, customer: CustomerRow, contact: Contact): boolean {
  const mac = contact.kind === 'phone' ? customer.phone_mac : customer.email_mac;
  return mac !== null && timingSafeEqual(mac, contactMacOf(keyedHash, customer.id, contact));
}

/** Seals contacts that older versions stored without a seal. Runs as the owner at each start. */
export const sealContacts = (owner: Queries, sessionKey: Buffer): Promise<number> => {
  const keyedHash = keyedHashOf(sessionKey);
  return sealContactRows(owner, (customer, contact) => contactMacOf(keyedHash, customer, contact));
};
