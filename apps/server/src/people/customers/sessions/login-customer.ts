import { loginCustomer } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { rehashCredential } from '../credential-store.ts';
import type { CustomersModule } from '../customers.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { liftOwnFreeze } from '../second-factor/own-freeze.ts';
import type { FactorRefusal } from '../second-factor/second-factor.ts';
import { countRecoveryCodes } from '../second-factor/second-factor-store.ts';
import type { SignInFactor } from '../second-factor/sign-in-store.ts';
import { viewUser } from '../user-view.ts';
import { startSession } from './start-session.ts';
import { verifyLogin } from './verify-login.ts';

/** Checks the code of an authenticator, if the customer has one. A recovery code is used up. */
async function checkSecond(
  module: CustomersModule,
  customer: bigint,
  otp: string | undefined,
  place: string,
  now: Date,
): Promise<Decision<SignInFactor, FactorRefusal | 'second_factor_required'>> {
  const { database, secondFactor } = module;
  if (!(await secondFactor.hasAuthenticator(customer))) return accept('password');
  if (otp === undefined) return refuse('second_factor_required', { field: 'otp' });
  // Strangers who know the password use up only the limit of unknown devices, not that of the owner's devices.
  const checked = await secondFactor.check(customer, otp, { takesRecoveryCode: true, place: `login ${place}` }, now);
  if (!checked.ok) return { ...checked, field: 'otp' };
  if (checked.effect === 'recovery_code') {
    const { unused } = await countRecoveryCodes(database, customer);
    await notifyCustomer(module, customer, 'recovery_code_used', { at: now.toISOString(), left: String(unused) }, now);
  }
  return checked;
}

export function loginCustomerHandler(module: CustomersModule): Handler {
  const { database, hasher } = module;
  return handle(loginCustomer, async ({ request, client, now }) => {
    const proved = await verifyLogin(module, request, client, now);
    if (!proved.ok) return proved;
    const { customer, credential, isOutdated, device, known, hasProvedFactor, fail } = proved.effect;
    const { id } = customer;
    // Only a caller with the right password learns that there is a second factor, or a freeze.
    const second = hasProvedFactor
      ? accept('authenticator' as const)
      : await checkSecond(module, id, request.otp, known?.toString('hex') ?? 'stranger', now);
    if (!second.ok) {
      if (second.refusal === 'second_factor_wrong') await fail('authenticator', 'second_factor_wrong');
      return second;
    }
    const factor = second.effect;
    const isOpen = await liftOwnFreeze(
      module,
      { customer, login: credential, hasSecondFactor: factor !== 'password' },
      now,
    );
    if (!isOpen.ok) {
      await fail(factor, 'frozen');
      return isOpen;
    }

    const token = await startSession(
      module,
      { customer: id, passwordHash: credential.hash, device, isNewDevice: known === null, factor },
      now,
    );
    if (token === null) return refuse('credentials_wrong');
    if (isOutdated) {
      const hash = await hasher.hash(request.password, { customer: id, kind: 'login' });
      await rehashCredential(database, id, 'login', credential.hash, hash);
    }
    return accept({ token, user: await viewUser(module, customer) });
  });
}
