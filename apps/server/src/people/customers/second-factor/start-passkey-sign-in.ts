import { randomUUID } from 'node:crypto';
import { startPasskeySignIn } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { passkeyRequestOptions } from '../../../platform/webauthn.ts';
import type { CustomersModule } from '../customers.ts';
import { insertChallenge } from './second-factor-store.ts';
import { PASSKEY_REGISTRATION_MS } from './start-own-passkey.ts';

/** Names no customer: the passkey identifies them, so the call does not reveal which accounts exist. */
export function startPasskeySignInHandler({ database, party }: CustomersModule): Handler {
  return handle(startPasskeySignIn, async ({ now }) => {
    const options = await passkeyRequestOptions(party, []);
    const id = randomUUID();
    const expiresAt = new Date(now.getTime() + PASSKEY_REGISTRATION_MS);
    const { challenge } = options;
    await insertChallenge(database, {
      id,
      purpose: 'login',
      customer: null,
      operation: null,
      challenge,
      expires_at: expiresAt,
    });
    return accept({ id, options: JSON.stringify(options), expires_at: expiresAt.toISOString() });
  });
}
