import type { Decision } from '@sathorn/settlement';
import type { Room } from '../room.ts';

/** Makes one try of the payment password; the refusal names the field. */
export async function checkPaymentPassword(
  room: Pick<Room, 'paymentPasswords'>,
  customer: bigint,
  paypass: string,
  now: Date,
): Promise<Decision<null, 'paypass_wrong' | 'paypass_locked'>> {
  const checked = await room.paymentPasswords.check(customer, paypass, now);
  return checked.ok || checked.refusal === 'paypass_locked' ? checked : { ...checked, field: 'paypass' };
}
