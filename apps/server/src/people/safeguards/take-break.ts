import { takeBreak } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Safeguards } from './safeguards.ts';

const LENGTHS = { '24_hours': '24 hours', '7_days': '7 days', '30_days': '30 days' } as const;

export function takeBreakHandler(safeguards: Safeguards): Handler {
  return handle(takeBreak, async ({ customer, request, now }) =>
    safeguards.pause(customer.id, 'time_out', LENGTHS[request.length], now),
  );
}
