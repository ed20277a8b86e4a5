import { OWN_SUBJECT, startSecondFactor } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { readCustomer } from '../customer-store.ts';
import type { CustomersModule } from '../customers.ts';
import { checkFactor } from './check-factor.ts';
import { checkPaymentPassword } from './check-payment-password.ts';

/**
 * Requires the payment password, and a passkey where there is one, so that a thief with a stolen session cannot add a
 * factor that locks the owner out.
 */
export function startSecondFactorHandler(module: CustomersModule): Handler {
  return handle(startSecondFactor, async ({ request: { paypass, otp }, customer: { id }, now }) => {
    const checked = await checkPaymentPassword(module, id, paypass, now);
    if (!checked.ok) return checked;
    if (await module.secondFactor.hasAuthenticator(id)) return refuse('second_factor_on');
    const change = { kind: 'authenticator_start', subject: OWN_SUBJECT } as const;
    const proved = await checkFactor(module, id, change, otp, now);
    if (!proved.ok) return proved;
    return module.secondFactor.start(await readCustomer(module.database, id), now);
  });
}
