import { startProof } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';

export function startProofHandler({ secondFactor }: CustomersModule): Handler {
  return handle(startProof, async ({ request: { operation: kind, subject }, customer: { id }, now }) => {
    const started = await secondFactor.startStep(id, { kind, subject }, now);
    if (!started.ok) return started;
    const { challenge, options, authenticator, passkey } = started.effect;
    return accept({
      id: challenge.id,
      options,
      expires_at: challenge.expires_at.toISOString(),
      authenticator,
      passkey,
    });
  });
}
