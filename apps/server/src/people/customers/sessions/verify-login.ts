import { accept, type Decision, refuse } from '@sathorn/settlement';
import { customerNetworkOf } from '../../../platform/ip-network.ts';
import { readCredential } from '../credential-store.ts';
import type { CustomersModule, VerifiedLogin } from '../customers.ts';
import { findCustomerByLoginName, parseLoginName } from '../login-name.ts';
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
export async function verifyLogin(
  module: CustomersModule,
  { username, password, device: deviceKey, otp }: Typed,
  client: { readonly address: string; readonly device: string },
  now: Date,
): Promise<Decision<VerifiedLogin, 'too_many_requests' | 'login_delayed' | 'credentials_wrong'>> {
  const { database, hasher, limits, loginLimits, rateLimiter, brand, keyedHash, secondFactor } = module;
  const name = parseLoginName(username, brand.areas);
  const customer = await findCustomerByLoginName(database, name);
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
  const isDelayed = retryAfterMs > 0;
  const delayed = () => refuse('login_delayed', { params: { wait: String(Math.ceil(retryAfterMs / 1_000)) } });
  // While strangers' guesses delay new devices, the owner signs in with the authenticator. A recovery code is not spent
  // on a password that may be wrong.
  const place = `delayed ${customerNetworkOf(client.address)}`;
  const code = isDelayed && known === null && otp !== undefined ? otp : null;
  if (isDelayed && code === null) return delayed();
  const checked = code === null ? null : await secondFactor.check(id, code, { takesRecoveryCode: false, place }, now);
  // This network has used up its tries of codes.
  if (checked?.ok === false && checked.refusal === 'second_factor_delayed') return delayed();

  const { isRight, isOutdated } = credential
    ? await hasher.verify(password, credential.hash, { customer: id, kind: 'login' })
    : await hasher.verifyNobody(password);
  if (checked !== null) {
    // Whoever has the password may guess codes from many networks, so their tries are counted together. A try with a
    // wrong password costs the same work but none of these tries, or strangers could use them up.
    const subject = isRight ? [String(id)] : [String(id), place];
    const shared = { subject: ['second.try.delayed', ...subject], limit: limits.secondFactorWhileDelayed } as const;
    const exceeded = await rateLimiter.take([shared], now);
    if (!checked.ok || exceeded !== null) {
      await loginLimits.failed(attempt, now);
      if (customer) await (isRight ? fail('authenticator', 'second_factor_wrong') : fail('password', 'password_wrong'));
      return delayed();
    }
  }
  if (!customer || !credential || !isRight) {
    await loginLimits.failed(attempt, now);
    if (customer) await fail('password', 'password_wrong');
    return refuse('credentials_wrong');
  }
  await loginLimits.succeeded(attempt);
  return accept({ customer, credential, isOutdated, device, known, hasProvedFactor: checked !== null, fail });
}
