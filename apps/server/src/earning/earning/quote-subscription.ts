import { quoteSubscription } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Earning } from './earning.ts';
import { productOf } from './product-of.ts';

export function quoteSubscriptionHandler(earning: Earning): Handler {
  return handle(quoteSubscription, async ({ customer, request: { type, product: named, amount }, now }) => {
    const product = productOf(type, named);
    if (product === undefined) return refuse('product_unknown', { field: 'product' });
    return earning.quoteSubscription({ customer: customer.id, product, amount }, now);
  });
}
