import { readContract } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Contracts } from './contracts.ts';

export function readContractHandler(contracts: Contracts): Handler {
  return handle(readContract, ({ customer, request }) => contracts.read(customer.id, request.id));
}
