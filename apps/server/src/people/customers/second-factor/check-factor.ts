import type { Decision } from '@sathorn/settlement';
import type { CustomersModule } from '../customers.ts';
import type { GuardedOperation, StepUpRefusal } from './guarded-operation.ts';

/** Requires a proof of the second factor for exactly this change, if there is one; the refusal names the field. */
export async function checkFactor(
  { secondFactor }: Pick<CustomersModule, 'secondFactor'>,
  customer: bigint,
  change: GuardedOperation,
  otp: string | undefined,
  now: Date,
): Promise<Decision<null, StepUpRefusal>> {
  const checked = await secondFactor.checkOperation(customer, change, otp, now);
  return checked.ok ? checked : { ...checked, field: 'otp' };
}
