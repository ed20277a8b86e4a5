import { checkRegistration, type RequestOf } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { findCustomerByContact, findInviter } from './customer-store.ts';
import type { CustomersModule } from './customers.ts';
import { type Contact, emailContact } from './names/contact.ts';
import { parsePhoneNumber } from './names/phone-number.ts';

export async function decideInviter(
  { brand, database }: CustomersModule,
  code: string | undefined,
): Promise<Decision<bigint | null, 'invite_code_required' | 'invite_code_unknown'>> {
  if (code === undefined)
    return brand.inviteRequired ? refuse('invite_code_required', { field: 'invite_code' }) : accept(null);
  const upper = code.toUpperCase();
  if (brand.inviteCodes.has(upper)) return accept(null);
  const inviter = await findInviter(database, upper);
  return inviter === null ? refuse('invite_code_unknown', { field: 'invite_code' }) : accept(inviter);
}

export function readContact(
  { brand }: CustomersModule,
  { mode, phone: typed, email }: Pick<RequestOf<typeof checkRegistration>, 'mode' | 'phone' | 'email'>,
): Decision<Contact, 'area_not_served' | 'malformed_request'> {
  if (mode === 'email') return accept(emailContact(email ?? ''));
  const phone = parsePhoneNumber(typed ?? '', brand.areas);
  if (phone.kind === 'other_area') return refuse('area_not_served', { field: 'phone' });
  if (phone.kind !== 'valid') return refuse('malformed_request', { field: 'phone' });
  return accept({ kind: 'phone', value: phone.e164 });
}

/** Refuses with all faults at once, because people who must correct one field after the other give up. */
export function refuseAllFaults<Refusal extends string>(
  faults: readonly (readonly [refusal: Refusal, field: string])[],
): Decision<never, Refusal> | null {
  const [first, ...others] = faults;
  if (!first) return null;
  return refuse(first[0], {
    field: first[1],
    others: Object.fromEntries(others.map(([refusal, field]) => [field, refusal])),
  });
}

/** Checks the first step of a sign-up. Only a caller with the correct code learns that a contact is taken. */
export function checkRegistrationHandler(module: CustomersModule): Handler {
  return handle(checkRegistration, async ({ request, client, now }) => {
    const contact = readContact(module, request);
    if (!contact.ok) return contact;
    const inviter = await decideInviter(module, request.invite_code);
    const proof = { contact: contact.effect, purpose: 'register' } as const;
    const code = await module.codes.check(proof, request.code, client.address, now);
    const refused = refuseAllFaults([
      ...(inviter.ok ? [] : [[inviter.refusal, 'invite_code'] as const]),
      ...(code ? [] : [['code_wrong', 'code'] as const]),
    ]);
    if (refused) return refused;
    if (await findCustomerByContact(module.database, contact.effect))
      return refuse('contact_taken', { field: contact.effect.kind });
    return accept({});
  });
}
