import { freezeAccount } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { contactsOf } from '../contacts-of.ts';
import { readCustomer } from '../customer-store.ts';
import type { CustomersModule } from '../customers.ts';
import { notifyContacts, notifyCustomer } from '../notify-customer.ts';
import { checkPaymentPassword } from './check-payment-password.ts';
import { freezeOwnAccount } from './own-freeze.ts';

export function freezeAccountHandler(module: CustomersModule): Handler {
  const { database, sessions } = module;
  return handle(freezeAccount, async ({ request: { paypass }, customer: { id }, language, now }) => {
    const paid = await checkPaymentPassword(module, id, paypass, now);
    if (!paid.ok) return paid;
    const { until, ended } = await database.transaction(async (transaction) => ({
      until: await freezeOwnAccount(transaction, id, now),
      ended: await sessions.end(transaction, id, {}, 'customer', now),
    }));
    sessions.announceEnded(ended);
    const at = now.toISOString();
    await notifyCustomer(module, id, 'frozen_by_you', { at, until: until.toISOString() }, now);
    await notifyContacts(module, id, contactsOf(await readCustomer(database, id)), 'account_frozen', language, now);
    return accept({ until: until.toISOString() });
  });
}
