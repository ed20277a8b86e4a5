import { quoteRedemption } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Earning } from './earning.ts';

export function quoteRedemptionHandler(earning: Earning): Handler {
  return handle(quoteRedemption, ({ customer, request: { amount, speed }, now }) =>
    earning.quoteRedemption({ customer: customer.id, amount, speed }, now),
  );
}
