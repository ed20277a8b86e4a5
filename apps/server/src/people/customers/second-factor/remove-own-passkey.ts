import { removeOwnPasskey } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { checkFactor } from './check-factor.ts';
import { checkPaymentPassword } from './check-payment-password.ts';
import { deletePasskey, listPasskeys, markFactorsChanged } from './second-factor-store.ts';

export function removeOwnPasskeyHandler(module: CustomersModule): Handler {
  const { database } = module;
  return handle(removeOwnPasskey, async ({ request: { passkey, paypass, otp }, customer: { id }, now }) => {
    // This is checked first, so that an unknown passkey does not cost a try of the factor.
    if (!(await listPasskeys(database, id)).some((own) => own.id === passkey))
      return refuse('passkey_unknown', { field: 'passkey' });
    const paid = await checkPaymentPassword(module, id, paypass, now);
    if (!paid.ok) return paid;
    const proved = await checkFactor(module, id, { kind: 'passkey_remove', subject: passkey }, otp, now);
    if (!proved.ok) return proved;
    const name = await database.transaction(async (transaction) => {
      const removed = await deletePasskey(transaction, id, passkey);
      if (removed !== null) await markFactorsChanged(transaction, id, now);
      return removed;
    });
    if (name === null) return refuse('passkey_unknown', { field: 'passkey' });
    await notifyCustomer(module, id, 'passkey_removed', { name, at: now.toISOString() }, now);
    return accept({});
  });
}
