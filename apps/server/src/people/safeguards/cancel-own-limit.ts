import { cancelOwnLimit } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Safeguards } from './safeguards.ts';

export function cancelOwnLimitHandler(safeguards: Safeguards): Handler {
  return handle(cancelOwnLimit, async ({ customer, request }) => safeguards.cancelLimit(customer.id, request.id));
}
