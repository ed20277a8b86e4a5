import type { Decision } from '@sathorn/settlement';
import type { CustomersModule } from '../customers.ts';

/** Makes one try of the payment password; the refusal names the field. */
export async function checkPaymentPassword(
  module: Pick<CustomersModule, 'paymentPasswords'>,
  customer: bigint,
  paypass: string,
  now: Date,
): Promise<Decision<null, 'paypass_wrong' | 'paypass_locked'>> {
  const checked = await module.paymentPasswords.check(customer, paypass, now);
  return checked.ok || checked.refusal === 'paypass_locked' ? checked : { ...checked, field: 'paypass' };
}
