import { finishProof } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';
import { isUuid } from './is-uuid.ts';

export function finishProofHandler({ secondFactor }: CustomersModule): Handler {
  return handle(finishProof, async ({ request: { id, otp, credential }, customer, now }) => {
    if (!isUuid(id)) return refuse('challenge_expired');
    const finished = await secondFactor.finishStep(customer.id, { id, otp, credential }, now);
    if (!finished.ok) return finished;
    const { proof, expiresAt } = finished.effect;
    return accept({ proof, expires_at: expiresAt.toISOString() });
  });
}
