import { randomUUID } from 'node:crypto';
import { OWN_SUBJECT, startOwnPasskey } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { passkeyCreationOptions } from '../../../platform/webauthn.ts';
import { readCustomer } from '../customer-store.ts';
import type { CustomersModule } from '../customers.ts';
import { checkFactor } from './check-factor.ts';
import { checkPaymentPassword } from './check-payment-password.ts';
import { insertChallenge, listPasskeys } from './second-factor-store.ts';

export const PASSKEYS_MAX = 10;
/** Creating a passkey takes a person longer than using one. */
export const PASSKEY_REGISTRATION_MS = 300_000;

export function startOwnPasskeyHandler(module: CustomersModule): Handler {
  const { database, party } = module;
  return handle(startOwnPasskey, async ({ request: { paypass, otp }, customer: { id }, now }) => {
    const paid = await checkPaymentPassword(module, id, paypass, now);
    if (!paid.ok) return paid;
    const passkeys = await listPasskeys(database, id);
    if (passkeys.length >= PASSKEYS_MAX) return refuse('too_many_passkeys');
    const proved = await checkFactor(module, id, { kind: 'passkey_add', subject: OWN_SUBJECT }, otp, now);
    if (!proved.ok) return proved;
    const options = await passkeyCreationOptions(
      party,
      { id: `customer ${id}`, name: (await readCustomer(database, id)).username },
      passkeys,
    );
    const challenge = {
      id: randomUUID(),
      purpose: 'register',
      customer: id,
      operation: null,
      challenge: options.challenge,
      expires_at: new Date(now.getTime() + PASSKEY_REGISTRATION_MS),
    } as const;
    await insertChallenge(database, challenge);
    return accept({
      id: challenge.id,
      options: JSON.stringify(options),
      expires_at: challenge.expires_at.toISOString(),
    });
  });
}
