import { subscribeEarning } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Earning } from './earning.ts';
import { productOf } from './product-of.ts';

export function subscribeEarningHandler(earning: Earning): Handler {
  return handle(subscribeEarning, async ({ customer, request, intent }) => {
    const { type, product: named, amount, quote = null } = request;
    const product = productOf(type, named);
    if (product === undefined) return refuse('product_unknown', { field: 'product' });
    return earning.subscribe({ customer: customer.id, product, amount, quote }, intent);
  });
}
