import { confirmSecondFactor } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { notifyCustomer } from '../notify-customer.ts';
import type { Room } from '../room.ts';

export function confirmSecondFactorHandler(room: Room): Handler {
  return handle(confirmSecondFactor, async ({ request: { otp }, customer: { id }, now }) => {
    const codes = await room.secondFactor.confirm(id, otp, now);
    if (!codes.ok) return codes;
    await notifyCustomer(room, id, 'second_factor_on', { at: now.toISOString() }, now);
    return accept({ recovery_codes: [...codes.effect] });
  });
}
