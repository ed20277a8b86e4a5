import { revokeContract } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Contracts } from './contracts.ts';

export function revokeContractHandler(contracts: Contracts): Handler {
  return handle(revokeContract, ({ customer, request, intent }) => contracts.revoke(customer.id, request.id, intent));
}
