import { startSecondFactor } from '@sathorn/api';
import { type Handler, handle } from '../../edge/index.ts';
import { readCustomer } from '../customer-store.ts';
import type { Room } from '../room.ts';
import { checkPaymentPassword } from './check-payment-password.ts';

/**
 * Requires the payment password, so that a thief with a stolen session cannot add a factor that locks the owner out.
 */
export function startSecondFactorHandler(room: Room): Handler {
  return handle(startSecondFactor, async ({ request: { paypass }, customer: { id }, now }) => {
    const checked = await checkPaymentPassword(room, id, paypass, now);
    if (!checked.ok) return checked;
    return room.secondFactor.start(await readCustomer(room.database, id), now);
  });
}
