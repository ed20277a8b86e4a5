import { addApiKey, OWN_SUBJECT } from '@sathorn/api';
import { isPublicKey } from '@sathorn/proof';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { contactsOf } from '../contacts-of.ts';
import { lockCredential } from '../credential-store.ts';
import { lockCustomer } from '../customer-store.ts';
import type { CustomersModule } from '../customers.ts';
import { lockFrozenCustomers } from '../freeze-store.ts';
import { notifyContacts, notifyCustomer } from '../notify-customer.ts';
import { checkFactor } from '../second-factor/check-factor.ts';
import { checkPaymentPassword } from '../second-factor/check-payment-password.ts';
import { insertApiKey, listApiKeyRows } from './api-key-store.ts';
import { API_KEYS_MAX, apiKeyMac, apiKeySecret, newApiKeyId, viewApiKey } from './api-keys.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A key acts while its customer sleeps, so nobody makes one without a second factor. */
export function addApiKeyHandler(module: CustomersModule): Handler {
  const { database, keyedHash, secondFactor } = module;
  return handle(addApiKey, async ({ request, customer: { id: customer, sessionId }, language, now }) => {
    const { public_key: publicKey, paypass, otp, name, scopes, addresses, days } = request;
    if (publicKey !== undefined && !isPublicKey(publicKey)) return refuse('api_key_unfit', { field: 'public_key' });
    if (!(await secondFactor.hasFactor(customer))) return refuse('second_factor_off');
    const paid = await checkPaymentPassword(module, customer, paypass, now);
    if (!paid.ok) return paid;
    const proved = await checkFactor(module, customer, { kind: 'api_key', subject: OWN_SUBJECT }, otp, now);
    if (!proved.ok) return proved;
    const granted = {
      id: newApiKeyId(),
      customer,
      name,
      scopes,
      addresses,
      public_key: publicKey === undefined ? null : Buffer.from(publicKey, 'hex'),
      ends_at: new Date(now.getTime() + days * DAY_MS),
    };
    const added = await database.transaction(async (transaction) => {
      // A freeze or a new password waits for this key and then ends it, or came first and is seen here.
      if ((await lockFrozenCustomers(transaction, [customer], 'sign_in')).size > 0) return refuse('account_frozen');
      if ((await lockFrozenCustomers(transaction, [customer], 'trading')).size > 0) return refuse('account_frozen');
      await lockCredential(transaction, customer, 'login');
      const owner = await lockCustomer(transaction, customer);
      const keys = await listApiKeyRows(transaction, customer);
      const inUse = keys.filter(({ revoked_at: revokedAt, ends_at: endsAt }) => revokedAt === null && endsAt > now);
      if (inUse.length >= API_KEYS_MAX) return refuse('too_many_api_keys');
      const mac = apiKeyMac(keyedHash, granted);
      const row = await insertApiKey(transaction, { ...granted, mac, created_at: now }, sessionId);
      return row === null ? refuse('api_key_unfit', { field: 'public_key' }) : accept({ row, owner });
    });
    if (!added.ok) return added;
    const { row, owner } = added.effect;
    await notifyCustomer(module, customer, 'api_key_added', { name, at: now.toISOString() }, now);
    await notifyContacts(module, customer, contactsOf(owner), 'api_key_added', language, now);
    return accept({
      key: viewApiKey(row, now),
      secret: row.public_key === null ? apiKeySecret(keyedHash, row) : null,
    });
  });
}
