import { setOwnLimit } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Safeguards } from './safeguards.ts';

export function setOwnLimitHandler(safeguards: Safeguards): Handler {
  return handle(setOwnLimit, async ({ customer, request, now }) =>
    safeguards.setLimit(customer.id, request.kind, request.value ?? null, now),
  );
}
