import {
  listEarningOrders,
  listEarningProducts,
  quoteRedemption,
  quoteSubscription,
  readEarningBalance,
  readIncome,
  subscribeEarning,
} from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Earning } from './earning.ts';
import { productOfRequest } from './product-of-request.ts';

export const earningCalls = (earning: Earning): Handler[] => [
  handle(listEarningOrders, ({ customer, request: { type, id = null, kind = null, page = null }, now }) =>
    earning.orders(customer.id, { type, id, kind, page }, now),
  ),
  handle(listEarningProducts, async ({ request: { type }, now }) => accept((await earning.products(now))[type])),
  handle(quoteRedemption, ({ customer, request: { amount, speed }, now }) =>
    earning.quoteRedemption({ customer: customer.id, amount, speed }, now),
  ),
  handle(quoteSubscription, async ({ customer, request: { type, product: named, amount }, now }) => {
    const product = productOfRequest(type, named);
    if (product === undefined) return refuse('product_unknown', { field: 'product' });
    return earning.quoteSubscription({ customer: customer.id, product, amount }, now);
  }),
  handle(readEarningBalance, async ({ customer, request: { type }, now }) =>
    accept(await earning.balance(customer.id, type, now)),
  ),
  handle(readIncome, async ({ customer, request: { type, id = null, day } }) => {
    if ((type === 'regular') !== (id !== null)) return refuse('order_unknown', { field: 'id' });
    return earning.income(customer.id, { order: id, day });
  }),
  handle(subscribeEarning, async ({ customer, request, intent }) => {
    const { type, product: named, amount, quote = null } = request;
    const product = productOfRequest(type, named);
    if (product === undefined) return refuse('product_unknown', { field: 'product' });
    return earning.subscribe({ customer: customer.id, product, amount, quote }, intent);
  }),
];
