import { changePassword } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../edge/index.ts';
import { contactsOf } from '../contacts-of.ts';
import { lockCredential, readCredential, replaceCredential } from '../credential-store.ts';
import { readCustomer } from '../customer-store.ts';
import type { Room } from '../room.ts';
import { forgetDevices } from '../sessions/session-store.ts';
import { tellContacts, tellCustomer } from '../tell-customer.ts';
import { isCommonPassword } from './common-password.ts';

export function changePasswordHandler(room: Room): Handler {
  const { allowances, brand, database, hasher, limits, sessions } = room;
  return handle(changePassword, async ({ request, customer: { id, sessionId }, language, now }) => {
    if (!hasher.hasRoom()) return refuse('too_many_requests');
    // Counted before it is checked: a stolen session must not guess the password in parallel.
    const tries = { subject: ['password.old', String(id)], rule: limits.oldPassword } as const;
    const blocked = await allowances.charge([tries], now);
    if (blocked) return refuse('login_delayed', { params: { wait: String(Math.ceil(blocked.waitMs / 1_000)) } });

    const owner = { customer: id, kind: 'login' } as const;
    const credential = await readCredential(database, id, 'login');
    if (!credential || !(await hasher.verify(request.old, credential.hash, owner)).isRight)
      return refuse('password_wrong', { field: 'old' });
    await allowances.forget([tries.subject]);
    if (request.password === request.old) return refuse('password_unchanged', { field: 'password' });
    const customer = await readCustomer(database, id);
    if (isCommonPassword(request.password, { ...customer, brand: brand.name }))
      return refuse('password_common', { field: 'password' });

    const hash = await hasher.hash(request.password, owner);
    const ended = await database.transaction(async (transaction) => {
      // Of two changes at once, the second no longer knows the old password.
      if ((await lockCredential(transaction, id, 'login'))?.hash !== credential.hash) return null;
      await replaceCredential(transaction, id, 'login', hash, now);
      await forgetDevices(transaction, id, sessionId);
      return sessions.end(transaction, id, { allBut: sessionId }, 'password_changed', now);
    });
    if (ended === null) return refuse('password_wrong', { field: 'old' });
    sessions.announceEnded(ended);
    await tellCustomer(room, id, 'password_changed', { at: now.toISOString() }, now);
    await tellContacts(room, contactsOf(customer), 'password_changed', language, now);
    return accept({});
  });
}
