import { OWN_SUBJECT, renewRecoveryCodes } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { Room } from '../room.ts';
import { checkFactor } from './check-factor.ts';

export function renewRecoveryCodesHandler(room: Room): Handler {
  const { secondFactor } = room;
  return handle(renewRecoveryCodes, async ({ request: { otp }, customer: { id }, now }) => {
    if (!(await secondFactor.hasAuthenticator(id))) return refuse('second_factor_off');
    const proved = await checkFactor(room, id, { kind: 'recovery_codes', subject: OWN_SUBJECT }, otp, now);
    if (!proved.ok) return proved;
    return accept({ recovery_codes: [...(await secondFactor.newRecoveryCodes(id))] });
  });
}
