import { OWN_SUBJECT, renewRecoveryCodes } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';
import { checkFactor } from './check-factor.ts';

export function renewRecoveryCodesHandler(module: CustomersModule): Handler {
  const { secondFactor } = module;
  return handle(renewRecoveryCodes, async ({ request: { otp }, customer: { id }, now }) => {
    if (!(await secondFactor.hasAuthenticator(id))) return refuse('second_factor_off');
    const proved = await checkFactor(module, id, { kind: 'recovery_codes', subject: OWN_SUBJECT }, otp, now);
    if (!proved.ok) return proved;
    return accept({ recovery_codes: [...(await secondFactor.newRecoveryCodes(id))] });
  });
}
