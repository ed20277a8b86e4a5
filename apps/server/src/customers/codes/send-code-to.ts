import type { sendEmailCode, sendSmsCode } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import type { CallContext } from '../../edge/index.ts';
import { trustedContactsOf } from '../contacts-of.ts';
import { findByContact } from '../customer-store.ts';
import type { Contact } from '../names/contact.ts';
import type { Room } from '../room.ts';
import { isKnownPlace } from '../sessions/known-place.ts';
import { CODE_SPACING_SECONDS, type CodeProof } from './codes.ts';

const NOBODY = 0n;

type Asking = CallContext<typeof sendEmailCode> | CallContext<typeof sendSmsCode>;

/** Sends a code where that is allowed; the answer is the same in all cases. */
export async function sendCodeTo(room: Room, contact: Contact, { request, customer, client, language, now }: Asking) {
  // Who has no session has nothing to edit: a code of theirs would only replace that of who has, and use up their
  // tries.
  if (request.must === 'edit' && customer === null) return accept({ wait: CODE_SPACING_SECONDS });
  const purpose = request.must;
  // Looked up for every purpose, so that the time that an answer takes says nothing.
  const holder = await findByContact(room.database, contact);
  const isKnown = await isKnownPlace(room.database, holder?.id ?? NOBODY, client.address, now);
  const proof: CodeProof =
    purpose === 'edit'
      ? { contact, purpose, editor: customer?.id ?? NOBODY }
      : purpose === 'forget'
        ? { contact, purpose, isKnownPlace: isKnown }
        : { contact, purpose };
  return room.codes.send(
    {
      proof,
      address: client.address,
      language,
      customer: customer?.id ?? null,
      // To sign up: always, and who holds it learns whether the contact is taken. To set a password anew: when a
      // customer has had it for a day.
      isForSomebody:
        purpose !== 'forget' ||
        (holder !== null && trustedContactsOf(holder, now).some(({ value }) => value === contact.value)),
      isOwn: purpose === 'edit' && holder !== null && holder.id === customer?.id,
    },
    now,
  );
}
