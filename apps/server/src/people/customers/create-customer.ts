import type { Currency } from '@sathorn/api';
import { accept, type Decision, type Refusing, refuse } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import type { Transaction } from '../../platform/database/index.ts';
import { contactMacOf } from './contact-mac.ts';
import { insertCredential } from './credential-store.ts';
import {
  type CustomerRow,
  findCustomerByContact,
  findCustomerByUsernameKey,
  insertCustomer,
  isCustomer,
} from './customer-store.ts';
import type { CustomersModule } from './customers.ts';
import type { Contact } from './names/contact.ts';
import { randomCustomerId, randomInviteCode } from './names/random-names.ts';
import { usernameKeyOf } from './names/username-key.ts';

interface CustomerToCreate<Refusal extends string> {
  readonly username: string;
  readonly contacts: readonly Contact[];
  readonly nickname: string;
  readonly currency: Currency;
  readonly language: Language;
  readonly invitedBy: bigint | null;
  readonly password: string;
  readonly paypass: string;
  /** First step of the transaction; may refuse. */
  prepare(transaction: Transaction): Promise<Refusing<Refusal> | null>;
}

interface CreatedCustomer {
  readonly customer: CustomerRow;
  readonly passwordHash: string;
}

/**
 * Ten digits have room for billions of ids, but random ones collide (the birthday problem). A free id must be found
 * before the passwords are hashed, because the hashes include the id.
 */
async function freeCustomerId({ database }: CustomersModule): Promise<bigint> {
  const id = randomCustomerId();
  return (await isCustomer(database, id)) ? randomCustomerId() : id;
}

/** Creates the customer and their passwords in one transaction. */
export async function createCustomer<Refusal extends string>(
  module: CustomersModule,
  wanted: CustomerToCreate<Refusal>,
  now: Date,
): Promise<Decision<CreatedCustomer, Refusal | 'contact_taken' | 'username_taken'>> {
  const { database, hasher, keyedHash } = module;
  const id = await freeCustomerId(module);
  const [passwordHash, paypassHash] = await Promise.all([
    hasher.hash(wanted.password, { customer: id, kind: 'login' }),
    hasher.hash(wanted.paypass, { customer: id, kind: 'payment' }),
  ]);
  const contacts = wanted.contacts.map((each) => ({ ...each, mac: contactMacOf(keyedHash, id, each) }));
  return database.transaction(
    async (transaction): Promise<Decision<CreatedCustomer, Refusal | 'contact_taken' | 'username_taken'>> => {
      const refusal = await wanted.prepare(transaction);
      if (refusal) return refusal;
      const customer = await insertCustomer(
        transaction,
        { ...wanted, contacts, id, usernameKey: usernameKeyOf(wanted.username), inviteCode: randomInviteCode() },
        now,
      );
      if (!customer) {
        // Another sign-up has just taken the contact.
        for (const contact of wanted.contacts)
          if (await findCustomerByContact(transaction, contact))
            return refuse('contact_taken', { field: contact.kind });
        if (await findCustomerByUsernameKey(transaction, usernameKeyOf(wanted.username)))
          return refuse('username_taken', { field: 'username' });
        throw new Error('no free id or invitation code was found');
      }
      await insertCredential(transaction, id, 'login', passwordHash, now);
      await insertCredential(transaction, id, 'payment', paypassHash, now);
      return accept({ customer, passwordHash });
    },
  );
}
