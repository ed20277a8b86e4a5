import { listEarningOrders } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Earning } from './earning.ts';

export function listEarningOrdersHandler({ orders }: Earning): Handler {
  return handle(listEarningOrders, ({ customer, request: { type, id = null, kind = null, page = null }, now }) =>
    orders(customer.id, { type, id, kind, page }, now),
  );
}
