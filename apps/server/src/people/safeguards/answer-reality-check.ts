import { answerRealityCheck } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Safeguards } from './safeguards.ts';

export function answerRealityCheckHandler(safeguards: Safeguards): Handler {
  return handle(answerRealityCheck, async ({ customer }) => {
    await safeguards.answerCheck(customer.id);
    return accept({});
  });
}
