import { listFills } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Contracts } from './contracts.ts';

const LIMIT_DEFAULT = 50;

export function listFillsHandler(contracts: Contracts): Handler {
  return handle(listFills, async ({ customer, request: { order, code, page, limit = LIMIT_DEFAULT } }) =>
    order === undefined
      ? accept(await contracts.fills(customer.id, code ?? null, page ?? null, limit))
      : contracts.fillsOf(customer.id, order, page ?? null, limit),
  );
}
