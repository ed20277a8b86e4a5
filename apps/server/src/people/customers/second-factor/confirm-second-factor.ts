import { confirmSecondFactor } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';
import { notifyCustomer } from '../notify-customer.ts';

export function confirmSecondFactorHandler(module: CustomersModule): Handler {
  return handle(confirmSecondFactor, async ({ request: { otp }, customer: { id }, now }) => {
    const codes = await module.secondFactor.confirm(id, otp, now);
    if (!codes.ok) return codes;
    await notifyCustomer(module, id, 'second_factor_on', { at: now.toISOString() }, now);
    return accept({ recovery_codes: [...codes.effect] });
  });
}
