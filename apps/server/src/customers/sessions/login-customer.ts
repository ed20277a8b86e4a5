import { loginCustomer } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../edge/index.ts';
import { readCredential, renewCredential } from '../credential-store.ts';
import { findByLoginName, parseLoginName } from '../login-name.ts';
import { notifyCustomer } from '../notify-customer.ts';
import type { Room } from '../room.ts';
import { liftOwnFreeze } from '../second-factor/own-freeze.ts';
import type { FactorRefusal } from '../second-factor/second-factor.ts';
import { countRecoveryCodes } from '../second-factor/second-factor-store.ts';
import { insertSignIn, type SignInFactor, type SignInFailure } from '../second-factor/sign-in-store.ts';
import { viewUser } from '../user-view.ts';
import { deviceOf } from './device.ts';
import { findKnownDevice } from './session-store.ts';
import { DEVICE_MEMORY_MS, startSession } from './start-session.ts';

/** An unknown name takes the same steps as a known one, for customer 0. */
const NOBODY = 0n;

/** Checks the authenticator code, for customers who have one, or a recovery code, which is used up. */
async function checkSecond(
  room: Room,
  customer: bigint,
  otp: string | undefined,
  place: string,
  now: Date,
): Promise<Decision<SignInFactor, FactorRefusal | 'second_factor_required'>> {
  const { database, secondFactor } = room;
  if (!(await secondFactor.hasAuthenticator(customer))) return accept('password');
  if (otp === undefined) return refuse('second_factor_required', { field: 'otp' });
  // Strangers who know the password use up their own tries, not those of the owner's devices.
  const checked = await secondFactor.check(customer, otp, { takesRecoveryCode: true, place: `login ${place}` }, now);
  if (!checked.ok) return { ...checked, field: 'otp' };
  if (checked.effect === 'recovery_code') {
    const { unused } = await countRecoveryCodes(database, customer);
    await notifyCustomer(room, customer, 'recovery_code_used', { at: now.toISOString(), left: String(unused) }, now);
  }
  return checked;
}

export function loginCustomerHandler(room: Room): Handler {
  const { database, hasher, loginLimits, brand, keyedHash } = room;
  return handle(loginCustomer, async ({ request, client, now }) => {
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
    const isNewDevice = known === null;
    const fail = (factor: SignInFactor, failure: SignInFailure): Promise<void> =>
      insertSignIn(database, id, {
        at: now,
        device: device.name,
        address: device.address,
        factor,
        is_new_device: isNewDevice,
        failure,
      });
    if (!customer || !credential || !isRight) {
      await loginLimits.failed(attempt, now);
      if (customer) await fail('password', 'password_wrong');
      return refuse('credentials_wrong');
    }
    await loginLimits.succeeded(attempt);
    // Only a caller with the right password learns that there is a second factor, or a freeze.
    const second = await checkSecond(room, id, request.otp, known?.toString('hex') ?? 'stranger', now);
    if (!second.ok) {
      if (second.refusal === 'second_factor_wrong') await fail('authenticator', 'second_factor_wrong');
      return second;
    }
    const factor = second.effect;
    const isOpen = await liftOwnFreeze(
      room,
      { customer, login: credential, hasSecondFactor: factor !== 'password' },
      now,
    );
    if (!isOpen.ok) {
      await fail(factor, 'frozen');
      return isOpen;
    }

    const token = await startSession(
      room,
      { customer: id, passwordHash: credential.hash, device, isNewDevice, factor },
      now,
    );
    if (token === null) return refuse('credentials_wrong');
    if (isOutdated)
      await renewCredential(database, id, 'login', credential.hash, await hasher.hash(request.password, owner));
    return accept({ token, user: await viewUser(room, customer) });
  });
}
