import { accept, type Decision, refuse } from '@sathorn/settlement';
import { lineOf } from '../../../platform/ip-network.ts';
import { readCredential } from '../credential-store.ts';
import type { CustomersModule, ProvedLogin } from '../customers.ts';
import { findByLoginName, parseLoginName } from '../login-name.ts';
import { insertSignIn, type SignInFactor, type SignInFailure } from '../second-factor/sign-in-store.ts';
import { deviceOf } from './device.ts';
import { findKnownDevice } from './session-store.ts';
import { DEVICE_MEMORY_MS } from './start-session.ts';

/** An unknown name is processed like a known one, as customer 0. */
const NOBODY = 0n;

interface Typed {
  readonly username: string;
  readonly password: string;
  readonly device?: string | undefined;
  readonly otp?: string | undefined;
}

/**
 * Checks a login name and its password, within the limits of signing in. An unknown name is refused like a wrong
 * password.
 */
export async function proveLogin(
  module: CustomersModule,
  { username, password, device: deviceKey, otp }: Typed,
  client: { readonly address: string; readonly device: string },
  now: Date,
): Promise<Decision<ProvedLogin, 'too_many_requests' | 'login_delayed' | 'credentials_wrong'>> {
  const { database, hasher, limits, loginLimits, rateLimiter, brand, keyedHash, secondFactor } = module;
  const name = parseLoginName(username, brand.areas);
  const customer = await findByLoginName(database, name);
  const id = customer?.id ?? NOBODY;
  const device = deviceOf(client, deviceKey, keyedHash);
  const known = await findKnownDevice(database, id, device.keys, new Date(now.getTime() - DEVICE_MEMORY_MS));
  // While the queue for hashing is long, strangers are refused, so that a flood of guesses does not keep an owner out.
  if (known === null && !hasher.hasRoom()) return refuse('too_many_requests');
  const credential = await readCredential(database, id, 'login');

  const attempt = {
    name: name.key,
    address: client.address,
    password,
    knownDevice: known && { customer: id, key: known.toString('hex') },
  };
  const retryAfterMs = await loginLimits.begin(attempt, now);
  const fail = (factor: SignInFactor, failure: SignInFailure): Promise<void> =>
    insertSignIn(database, id, {
      at: now,
      device: device.name,
      address: device.address,
      factor,
      is_new_device: known === null,
      failure,
    });
  // An owner who proves the authenticator on a new device is not delayed by strangers' guesses. Guesses of its codes
  // count against their own network, and against all networks together, because an attacker may have the password and
  // many networks. Recovery codes are not checked here: one would be used up although the password may be wrong.
  const proveFactor = async (code: string): Promise<boolean> => {
    const shared = { subject: ['second.try.delayed', String(id)], limit: limits.secondFactorWhileDelayed } as const;
    if (await rateLimiter.take([shared], now)) return false;
    const place = `delayed ${lineOf(client.address)}`;
    const checked = await secondFactor.check(id, code, { takesRecoveryCode: false, place }, now);
    if (!checked.ok && customer) await fail('authenticator', 'second_factor_wrong');
    return checked.ok;
  };
  const isProved = retryAfterMs > 0 && known === null && otp !== undefined && (await proveFactor(otp));
  if (retryAfterMs > 0 && !isProved)
    return refuse('login_delayed', { params: { wait: String(Math.ceil(retryAfterMs / 1_000)) } });

  const { isRight, isOutdated } = credential
    ? await hasher.verify(password, credential.hash, { customer: id, kind: 'login' })
    : await hasher.verifyNobody(password);
  if (!customer || !credential || !isRight) {
    await loginLimits.failed(attempt, now);
    if (customer) await fail('password', 'password_wrong');
    return refuse('credentials_wrong');
  }
  await loginLimits.succeeded(attempt);
  return accept({ customer, credential, isOutdated, device, known, hasProvedFactor: isProved, fail });
}
