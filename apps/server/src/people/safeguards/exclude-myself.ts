import { excludeMyself } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Safeguards } from './safeguards.ts';

const LENGTHS = { '6_months': '6 months', '1_year': '1 year', '5_years': '5 years' } as const;

export function excludeMyselfHandler(safeguards: Safeguards): Handler {
  return handle(excludeMyself, async ({ customer, request, now }) =>
    safeguards.pause(customer.id, 'self_exclusion', LENGTHS[request.length], now),
  );
}
