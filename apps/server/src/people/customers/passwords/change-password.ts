import { changePassword, OWN_SUBJECT } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { contactsOf } from '../contacts-of.ts';
import { lockCredential, replaceCredential } from '../credential-store.ts';
import { readCustomer } from '../customer-store.ts';
import type { CustomersModule } from '../customers.ts';
import { notifyContacts, notifyCustomer } from '../notify-customer.ts';
import { checkFactor } from '../second-factor/check-factor.ts';
import { forgetDevices } from '../sessions/session-store.ts';
import { checkLoginPassword } from './check-login-password.ts';
import { isCommonPassword } from './common-password.ts';

export function changePasswordHandler(module: CustomersModule): Handler {
  const { brand, database, hasher, sessions } = module;
  return handle(changePassword, async ({ request, customer: { id, sessionId }, language, now }) => {
    if (!hasher.hasRoom()) return refuse('too_many_requests');
    const known = await checkLoginPassword(module, id, request.old, now);
    if (!known.ok) return known.refusal === 'password_wrong' ? { ...known, field: 'old' } : known;
    if (request.password === request.old) return refuse('password_unchanged', { field: 'password' });
    const customer = await readCustomer(database, id);
    if (isCommonPassword(request.password, { ...customer, brand: brand.name }))
      return refuse('password_common', { field: 'password' });
    const change = { kind: 'login_password', subject: OWN_SUBJECT } as const;
    const proved = await checkFactor(module, id, change, request.otp, now);
    if (!proved.ok) return proved;

    const hash = await hasher.hash(request.password, { customer: id, kind: 'login' });
    const ended = await database.transaction(async (transaction) => {
      // When two changes run at the same time, the second fails because its old password is no longer valid.
      if ((await lockCredential(transaction, id, 'login'))?.hash !== known.effect) return null;
      await replaceCredential(transaction, id, 'login', hash, now);
      await forgetDevices(transaction, id, sessionId);
      return sessions.end(transaction, id, { allBut: sessionId }, 'password_changed', now);
    });
    if (ended === null) return refuse('password_wrong', { field: 'old' });
    sessions.announceEnded(ended);
    await notifyCustomer(module, id, 'password_changed', { at: now.toISOString() }, now);
    await notifyContacts(module, id, contactsOf(customer), 'password_changed', language, now);
    return accept({});
  });
}
