import type { sendEmailCode, sendSmsCode } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import type { CallContext } from '../../../platform/edge/index.ts';
import { trustedContactsOf } from '../contacts-of.ts';
import { findCustomerByContact } from '../customer-store.ts';
import type { CustomersModule } from '../customers.ts';
import type { Contact } from '../names/contact.ts';
import { isKnownNetwork } from '../sessions/known-network.ts';
import { CODE_SPACING_SECONDS, type CodeProof } from './verification-codes.ts';

const NOBODY = 0n;

type Asking = CallContext<typeof sendEmailCode> | CallContext<typeof sendSmsCode>;

/** Sends a code if that is allowed. The answer is always the same. */
export async function sendCodeTo(
  module: CustomersModule,
  contact: Contact,
  { request, customer, client, language, now }: Asking,
) {
  // A caller without a session has nothing to edit. A code for them would only replace the signed-in customer's code
  // and use up its tries.
  if (request.must === 'edit' && customer === null) return accept({ wait: CODE_SPACING_SECONDS });
  const purpose = request.must;
  // The holder is looked up for every purpose, so that the response time reveals nothing.
  const holder = await findCustomerByContact(module.database, contact);
  const isKnown = await isKnownNetwork(module.database, holder?.id ?? NOBODY, client.address, now);
  const known = await module.antiPhishing.read(module.database, holder?.id ?? NOBODY);
  const proof: CodeProof =
    purpose === 'edit'
      ? { contact, purpose, editor: customer?.id ?? NOBODY }
      : purpose === 'forget'
        ? { contact, purpose, isKnownNetwork: isKnown }
        : { contact, purpose };
  return module.codes.send(
    {
      proof,
      address: client.address,
      language,
      word: known?.word ?? null,
      customer: customer?.id ?? null,
      // A code to sign up is always sent; its text tells the recipient if the contact is taken. A code to reset a
      // password is sent only if the contact has belonged to a customer for a day.
      isForSomebody:
        purpose !== 'forget' ||
        (holder !== null &&
          trustedContactsOf(holder, module.keyedHash, now).some(({ value }) => value === contact.value)),
      isOwn: purpose === 'edit' && holder !== null && holder.id === customer?.id,
    },
    now,
  );
}
