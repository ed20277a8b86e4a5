import { askFactorReset } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule, FactorResets } from '../customers.ts';
import { verifyLogin } from '../sessions/verify-login.ts';

export function askFactorResetHandler(module: CustomersModule, resets: FactorResets): Handler {
  return handle(askFactorReset, async ({ request, client, now }) => {
    const proved = await verifyLogin(module, request, client, now);
    if (!proved.ok) return proved;
    const asked = await resets.ask(proved.effect);
    if (!asked.ok) return asked;
    const { row, isNew } = asked.effect;
    return accept({ asked_at: row.asked_at.toISOString(), due_at: row.due_at.toISOString(), is_new: isNew });
  });
}
