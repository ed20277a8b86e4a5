import { readIncome } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Earning } from './earning.ts';

export function readIncomeHandler({ income }: Earning): Handler {
  return handle(readIncome, async ({ customer, request: { type, id = null, day } }) => {
    if ((type === 'regular') !== (id !== null)) return refuse('order_unknown', { field: 'id' });
    return income(customer.id, { order: id, day });
  });
}
