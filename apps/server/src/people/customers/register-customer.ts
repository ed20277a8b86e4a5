import { registerCustomer } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { decideInviter, readContact, refuseAllFaults } from './check-registration.ts';
import { createCustomer } from './create-customer.ts';
import { findCustomerByContact, findCustomerByUsernameKey } from './customer-store.ts';
import type { CustomersModule } from './customers.ts';
import { isReservedUsername, usernameKeyOf } from './names/username-key.ts';
import { notifyCustomer } from './notify-customer.ts';
import { isCommonPassword } from './passwords/common-password.ts';
import { isCommonPin } from './passwords/common-pin.ts';
import { deviceOf } from './sessions/device.ts';
import { startSession } from './sessions/start-session.ts';
import { viewUser } from './user-view.ts';

/**
 * Checks in the order written here. Only a caller with the correct code learns whether a contact is taken, and each
 * check of a username costs one of that code's tries.
 */
export function registerCustomerHandler(module: CustomersModule): Handler {
  const { brand, codes, database, hasher, keyedHash } = module;
  return handle(registerCustomer, async ({ request, client, language, now }) => {
    const read = readContact(module, request);
    if (!read.ok) return read;
    const contact = read.effect;
    const inviter = await decideInviter(module, request.invite_code);
    const known = { phone: null, email: null, [contact.kind]: contact.value };
    const isPasswordCommon = isCommonPassword(request.password, {
      username: request.username,
      brand: brand.name,
      ...known,
    });
    if (!hasher.hasRoom()) return refuse('too_many_requests');
    const code = await codes.check({ contact, purpose: 'register' }, request.code, client.address, now);
    const refused = refuseAllFaults([
      ...(inviter.ok ? [] : [[inviter.refusal, 'invite_code'] as const]),
      ...(isPasswordCommon ? [['password_common', 'password'] as const] : []),
      ...(isCommonPin(request.paypass, known) ? [['paypass_common', 'paypass'] as const] : []),
      ...(code ? [] : [['code_wrong', 'code'] as const]),
    ]);
    if (refused) return refused;
    if (!inviter.ok || !code) throw new Error('a sign-up with a faulty field got past the checks');
    if (await findCustomerByContact(database, contact)) return refuse('contact_taken', { field: contact.kind });
    const isTaken =
      isReservedUsername(request.username, brand.name) ||
      (await findCustomerByUsernameKey(database, usernameKeyOf(request.username)));
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
