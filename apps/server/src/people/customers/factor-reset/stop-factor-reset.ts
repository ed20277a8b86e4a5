import { stopFactorReset } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { FactorResets } from '../customers.ts';

/** Requires nothing but a session: stopping is the safe side, so a thief with a session gains nothing by it. */
export function stopFactorResetHandler(resets: FactorResets): Handler {
  return handle(stopFactorReset, async ({ customer: { id } }) =>
    (await resets.stop(id, 'session')) ? accept({}) : refuse('reset_unknown'),
  );
}
