import { setRealityCheck } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Safeguards } from './safeguards.ts';

export function setRealityCheckHandler(safeguards: Safeguards): Handler {
  return handle(setRealityCheck, async ({ customer, request }) =>
    accept(await safeguards.setReality(customer.id, request.minutes === undefined ? null : Number(request.minutes))),
  );
}
