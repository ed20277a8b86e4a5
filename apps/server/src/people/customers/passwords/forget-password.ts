import { forgetPassword } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { contactsOf, trustedContactsOf } from '../contacts-of.ts';
import { replaceCredential } from '../credential-store.ts';
import { findCustomerByContact } from '../customer-store.ts';
import type { CustomersModule } from '../customers.ts';
import { loginNamesOf } from '../login-name.ts';
import { emailContact, phoneContact } from '../names/contact.ts';
import { notifyContacts, notifyCustomer } from '../notify-customer.ts';
import { isKnownNetwork } from '../sessions/known-network.ts';
import { forgetDevices } from '../sessions/session-store.ts';
import { isCommonPassword } from './common-password.ts';

const NOBODY = 0n;

/** For an unknown contact a code is prepared but never sent, so that the answer is the same. */
export function forgetPasswordHandler(module: CustomersModule): Handler {
  const { brand, codes, database, hasher, keyedHash, loginLimits, sessions } = module;
  return handle(forgetPassword, async ({ request, client, language, now }) => {
    if (isCommonPassword(request.password, null)) return refuse('password_common', { field: 'password' });
    if (!hasher.hasRoom()) return refuse('too_many_requests');
    const contact =
      request.mode === 'phone' ? phoneContact(request.phone ?? '', brand.areas) : emailContact(request.email ?? '');
    const customer = contact && (await findCustomerByContact(database, contact));
    const isKnown = await isKnownNetwork(database, customer?.id ?? NOBODY, client.address, now);
    const proof = contact && ({ contact, purpose: 'forget', isKnownNetwork: isKnown } as const);
    const code = proof && (await codes.check(proof, request.code, client.address, now));
    if (
      !contact ||
      !code ||
      !customer ||
      !trustedContactsOf(customer, keyedHash, now).some(({ value }) => value === contact.value)
    ) {
      return refuse('code_wrong', { field: 'code' });
    }
    if (isCommonPassword(request.password, { ...customer, brand: brand.name }))
      return refuse('password_common', { field: 'password' });

    const hash = await hasher.hash(request.password, { customer: customer.id, kind: 'login' });
    const ended = await database.transaction(async (transaction) => {
      if (!(await codes.use(transaction, code, now))) return null;
      await replaceCredential(transaction, customer.id, 'login', hash, now);
      // A thief with the password may have signed in on a device that now counts as the owner's, so all devices are
      // forgotten.
      await forgetDevices(transaction, customer.id, null);
      return sessions.end(transaction, customer.id, {}, 'password_forgotten', now);
    });
    if (ended === null) return refuse('code_wrong', { field: 'code' });
    sessions.announceEnded(ended);
    await loginLimits.forget(loginNamesOf(customer));
    await notifyCustomer(module, customer.id, 'password_reset', { at: now.toISOString() }, now);
    await notifyContacts(module, customer.id, contactsOf(customer), 'password_changed', language, now);
    return accept({});
  });
}
