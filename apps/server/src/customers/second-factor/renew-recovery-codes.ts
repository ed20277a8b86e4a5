import { renewRecoveryCodes } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../edge/index.ts';
import type { Room } from '../room.ts';

export function renewRecoveryCodesHandler({ secondFactor }: Room): Handler {
  return handle(renewRecoveryCodes, async ({ request: { otp }, customer: { id }, now }) => {
    if (!(await secondFactor.hasAuthenticator(id))) return refuse('second_factor_off');
    const checked = await secondFactor.check(id, otp, { takesRecoveryCode: false, place: 'codes' }, now);
    if (!checked.ok) return { ...checked, field: 'otp' };
    return accept({ recovery_codes: [...(await secondFactor.newRecoveryCodes(id))] });
  });
}
