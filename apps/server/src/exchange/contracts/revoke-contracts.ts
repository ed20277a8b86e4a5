import { revokeContracts } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Contracts } from './contracts.ts';

export function revokeContractsHandler(contracts: Contracts): Handler {
  return handle(revokeContracts, ({ customer, request, intent }) =>
    contracts.revokeAll(customer.id, request.code ?? null, intent),
  );
}
