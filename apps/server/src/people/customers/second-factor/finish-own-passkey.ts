import { finishOwnPasskey } from '@sathorn/api';
import { accept, isBegunBefore, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { verifyPasskeyRegistration } from '../../../platform/webauthn.ts';
import { contactsOf } from '../contacts-of.ts';
import { lockCustomer, readCustomer } from '../customer-store.ts';
import type { CustomersModule } from '../customers.ts';
import { notifyContacts, notifyCustomer } from '../notify-customer.ts';
import { isUuid } from './is-uuid.ts';
import { customerPasskeyMac } from './passkeys.ts';
import {
  answerChallenge,
  insertPasskey,
  listPasskeys,
  markFactorsChanged,
  readFactorsChangedAt,
} from './second-factor-store.ts';
import { PASSKEY_REGISTRATION_MS, PASSKEYS_MAX } from './start-own-passkey.ts';

export function finishOwnPasskeyHandler(module: CustomersModule): Handler {
  const { database, party, keyedHash } = module;
  return handle(finishOwnPasskey, async ({ request: { id, credential, name }, customer, language, now }) => {
    const wanted = { id, purpose: 'register', customer: customer.id } as const;
    const challenge = isUuid(id) ? await answerChallenge(database, wanted, now) : null;
    if (!challenge) return refuse('challenge_expired');
    const made = await verifyPasskeyRegistration(party, challenge.challenge, credential);
    if (!made) return refuse('passkey_refused');
    const kept = await database.transaction(async (transaction) => {
      await lockCustomer(transaction, customer.id);
      if ((await listPasskeys(transaction, customer.id)).length >= PASSKEYS_MAX) return 'too_many_passkeys' as const;
      const begunAt = new Date(challenge.expires_at.getTime() - PASSKEY_REGISTRATION_MS);
      if (isBegunBefore(begunAt, await readFactorsChangedAt(transaction, customer.id)))
        return 'challenge_expired' as const;
      const bound = { ...made, customer: customer.id };
      const row = { ...bound, mac: customerPasskeyMac(keyedHash, bound), name, created_at: now };
      if (!(await insertPasskey(transaction, row))) return 'passkey_refused' as const;
      await markFactorsChanged(transaction, customer.id, now);
      return null;
    });
    if (kept !== null) return refuse(kept);
    await notifyCustomer(module, customer.id, 'passkey_added', { name, at: now.toISOString() }, now);
    const contacts = contactsOf(await readCustomer(database, customer.id));
    await notifyContacts(module, customer.id, contacts, 'passkey_added', language, now);
    return accept({});
  });
}
