import { finishPasskeySignIn } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { readCredential } from '../credential-store.ts';
import { readCustomer } from '../customer-store.ts';
import type { CustomersModule } from '../customers.ts';
import { deviceOf } from '../sessions/device.ts';
import { findKnownDevice } from '../sessions/session-store.ts';
import { DEVICE_MEMORY_MS, startSession } from '../sessions/start-session.ts';
import { viewUser } from '../user-view.ts';
import { isUuid } from './is-uuid.ts';
import { liftOwnFreeze } from './own-freeze.ts';
import { findAnsweringPasskey } from './passkeys.ts';
import { answerChallenge } from './second-factor-store.ts';
import { insertSignIn } from './sign-in-store.ts';

export function finishPasskeySignInHandler(module: CustomersModule): Handler {
  const { database, keyedHash } = module;
  return handle(finishPasskeySignIn, async ({ request, client, now }) => {
    const { id, credential, device: deviceKey } = request;
    const challenge = isUuid(id)
      ? await answerChallenge(database, { id, purpose: 'login', customer: null }, now)
      : null;
    if (!challenge) return refuse('challenge_expired');
    const passkey = await findAnsweringPasskey(database, module, challenge.challenge, credential, now);
    if (!passkey) return refuse('passkey_refused');
    const customer = await readCustomer(database, passkey.customer);
    const device = deviceOf(client, deviceKey, keyedHash);
    const since = new Date(now.getTime() - DEVICE_MEMORY_MS);
    const known = await findKnownDevice(database, customer.id, device.keys, since);
    const login = await readCredential(database, customer.id, 'login');
    if (!login) return refuse('passkey_refused');
    const open = await liftOwnFreeze(module, { customer, login, hasSecondFactor: true }, now);
    if (!open.ok) {
      const failed = {
        at: now,
        device: device.name,
        address: device.address,
        factor: 'passkey',
        failure: 'frozen',
      } as const;
      await insertSignIn(database, customer.id, { ...failed, is_new_device: known === null });
      return open;
    }
    const token = await startSession(
      module,
      { customer: customer.id, passwordHash: login.hash, device, isNewDevice: known === null, factor: 'passkey' },
      now,
    );
    if (token === null) return refuse('passkey_refused');
    return accept({ token, user: await viewUser(module, await readCustomer(database, customer.id)) });
  });
}
