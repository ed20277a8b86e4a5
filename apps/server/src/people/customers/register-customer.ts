import { registerCustomer } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { createCustomer } from './create-customer.ts';
import { findByContact, findByUsernameKey, findInviter } from './customer-store.ts';
import type { CustomersModule } from './customers.ts';
import { emailContact } from './names/contact.ts';
import { parsePhoneNumber } from './names/phone-number.ts';
import { isReservedUsername, usernameKey } from './names/username-key.ts';
import { notifyCustomer } from './notify-customer.ts';
import { isCommonPassword } from './passwords/common-password.ts';
import { isCommonPin } from './passwords/common-pin.ts';
import { deviceOf } from './sessions/device.ts';
import { startSession } from './sessions/start-session.ts';
import { viewUser } from './user-view.ts';

async function decideInviter(
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

/**
 * Checks in the order written here. Only a caller with the correct code learns whether a contact is taken, and each
 * check of a username costs one of that code's tries.
 */
export function registerCustomerHandler(module: CustomersModule): Handler {
  const { brand, codes, database, hasher, keyedHash } = module;
  return handle(registerCustomer, async ({ request, client, language, now }) => {
    const phone = request.mode === 'phone' ? parsePhoneNumber(request.phone ?? '', brand.areas) : null;
    if (phone?.kind === 'other_area') return refuse('area_not_served', { field: 'phone' });
    if (phone?.kind === 'malformed' || phone?.kind === 'not_mobile')
      return refuse('malformed_request', { field: 'phone' });
    const contact = phone ? ({ kind: 'phone', value: phone.e164 } as const) : emailContact(request.email ?? '');

    const inviter = await decideInviter(module, request.invite_code);
    const known = { phone: phone?.e164 ?? null, email: phone ? null : contact.value };
    const isPasswordCommon = isCommonPassword(request.password, {
      username: request.username,
      brand: brand.name,
      ...known,
    });
    if (!hasher.hasRoom()) return refuse('too_many_requests');
    const code = await codes.check({ contact, purpose: 'register' }, request.code, client.address, now);
    // Returns all faults at once, because people who must correct one field after the other give up.
    const faults = [
      ...(inviter.ok ? [] : [[inviter.refusal, 'invite_code'] as const]),
      ...(isPasswordCommon ? [['password_common', 'password'] as const] : []),
      ...(isCommonPin(request.paypass, known) ? [['paypass_common', 'paypass'] as const] : []),
      ...(code ? [] : [['code_wrong', 'code'] as const]),
    ];
    const [first, ...others] = faults;
    if (first) {
      return refuse(first[0], {
        field: first[1],
        others: Object.fromEntries(others.map(([refusal, field]) => [field, refusal])),
      });
    }
    if (!inviter.ok || !code) throw new Error('a sign-up with a faulty field got past the checks');
    if (await findByContact(database, contact)) return refuse('contact_taken', { field: contact.kind });
    const isTaken =
      isReservedUsername(request.username, brand.name) ||
      (await findByUsernameKey(database, usernameKey(request.username)));
    if (isTaken) return refuse('username_taken', { field: 'username' });

    const created = await createCustomer(
      module,
      {
        username: request.username,
        contacts: [contact],
        nickname: request.username,
        currency: request.currency,
        language,
        invitedBy: inviter.effect,
        password: request.password,
        paypass: request.paypass,
        // The code is used up in the sign-up's transaction, so of parallel sign-ups only one succeeds.
        prepare: async (transaction) =>
          (await codes.use(transaction, code, now)) ? null : refuse('code_wrong', { field: 'code' }),
      },
      now,
    );
    if (!created.ok) return created;

    const { customer, passwordHash } = created.effect;
    await notifyCustomer(module, customer.id, 'welcome', {}, now);
    const device = deviceOf(client, request.device, keyedHash);
    const token = await startSession(
      module,
      { customer: customer.id, passwordHash, device, isNewDevice: false, factor: 'registration' },
      now,
    );
    if (token === null) throw new Error('the password changed while its customer signed up');
    return accept({ token, user: await viewUser(module, customer) });
  });
}
