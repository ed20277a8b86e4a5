import { OWN_SUBJECT, stopSecondFactor } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { checkFactor } from './check-factor.ts';
import { checkPaymentPassword } from './check-payment-password.ts';

export function stopSecondFactorHandler(module: CustomersModule): Handler {
  const { secondFactor } = module;
  return handle(stopSecondFactor, async ({ request: { otp, paypass }, customer: { id }, now }) => {
    if (!(await secondFactor.hasAuthenticator(id))) return refuse('second_factor_off');
    const paid = await checkPaymentPassword(module, id, paypass, now);
    if (!paid.ok) return paid;
    const change = { kind: 'authenticator_stop', subject: OWN_SUBJECT } as const;
    const proved = await checkFactor(module, id, change, otp, now);
    if (!proved.ok) return proved;
    await secondFactor.stop(id, now);
    await notifyCustomer(module, id, 'second_factor_off', { at: now.toISOString() }, now);
    return accept({});
  });
}
