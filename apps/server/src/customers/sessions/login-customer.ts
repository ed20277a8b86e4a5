import { loginCustomer } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../edge/index.ts';
import { readCredential, renewCredential } from '../credential-store.ts';
import { isFrozenIn } from '../freeze-store.ts';
import { findByLoginName, parseLoginName } from '../login-name.ts';
import type { Room } from '../room.ts';
import { viewUser } from '../user-view.ts';
import { deviceOf } from './device.ts';
import { findKnownDevice } from './session-store.ts';
import { DEVICE_MEMORY_MS, startSession } from './start-session.ts';

/** An unknown name takes the same steps as a known one, for customer 0. */
const NOBODY = 0n;

export function loginCustomerHandler(room: Room): Handler {
  const { database, hasher, loginLimits, brand, keyedHash } = room;
  return handle(loginCustomer, async ({ request, client, now }) => {
    // A code that is taken and not looked at would seem to protect the account.
    if (request.otp) return refuse('second_factor_not_offered', { field: 'otp' });
    const name = parseLoginName(request.username, brand.areas);
    const customer = await findByLoginName(database, name);
    const id = customer?.id ?? NOBODY;
    const device = deviceOf(client, request.device, keyedHash);
    const known = await findKnownDevice(database, id, device.keys, new Date(now.getTime() - DEVICE_MEMORY_MS));
    // A flood of strangers' guesses must not keep an owner out.
    if (known === null && !hasher.hasRoom()) return refuse('too_many_requests');
    const credential = await readCredential(database, id, 'login');

    const attempt = {
      name: name.key,
      address: client.address,
      password: request.password,
      knownDevice: known && { customer: id, key: known.toString('hex') },
    };
    const retryAfterMs = await loginLimits.begin(attempt, now);
    if (retryAfterMs > 0) return refuse('login_delayed', { params: { wait: String(Math.ceil(retryAfterMs / 1_000)) } });

    const owner = { customer: id, kind: 'login' } as const;
    const { isRight, isOutdated } = credential
      ? await hasher.verify(request.password, credential.hash, owner)
      : await hasher.verifyNobody(request.password);
    if (!customer || !credential || !isRight) {
      await loginLimits.failed(attempt, now);
      return refuse('credentials_wrong');
    }
    await loginLimits.succeeded(attempt);
    // Only a caller with the right password learns that the account is frozen, or that it exists.
    if (await isFrozenIn(database, customer.id, 'sign_in')) return refuse('account_frozen');

    const token = await startSession(
      room,
      { customer: id, passwordHash: credential.hash, device, isNewDevice: known === null },
      now,
    );
    if (token === null) return refuse('credentials_wrong');
    if (isOutdated)
      await renewCredential(database, id, 'login', credential.hash, await hasher.hash(request.password, owner));
    return accept({ token, user: await viewUser(room, customer) });
  });
}
