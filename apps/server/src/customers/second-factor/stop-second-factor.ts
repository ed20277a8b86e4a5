import { stopSecondFactor } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../edge/index.ts';
import { notifyCustomer } from '../notify-customer.ts';
import type { Room } from '../room.ts';
import { checkPaymentPassword } from './check-payment-password.ts';

export function stopSecondFactorHandler(room: Room): Handler {
  const { secondFactor } = room;
  return handle(stopSecondFactor, async ({ request: { otp, paypass }, customer: { id }, now }) => {
    if (!(await secondFactor.hasAuthenticator(id))) return refuse('second_factor_off');
    const paid = await checkPaymentPassword(room, id, paypass, now);
    if (!paid.ok) return paid;
    const checked = await secondFactor.check(id, otp, { takesRecoveryCode: true, place: 'stop' }, now);
    if (!checked.ok) return { ...checked, field: 'otp' };
    await secondFactor.stop(id, now);
    await notifyCustomer(room, id, 'second_factor_off', { at: now.toISOString() }, now);
    return accept({});
  });
}
