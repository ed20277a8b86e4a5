import { stopFactorReset } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { FactorResets } from '../customers.ts';

/** Asks for nothing more: to stop is the safe side, so a thief with a session gains nothing that the owner loses. */
export function stopFactorResetHandler(resets: FactorResets): Handler {
  return handle(stopFactorReset, async ({ customer: { id } }) =>
    (await resets.stop(id, 'session')) ? accept({}) : refuse('reset_unknown'),
  );
}
