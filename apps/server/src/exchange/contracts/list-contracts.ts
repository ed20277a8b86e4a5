import { listContracts } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Contracts } from './contracts.ts';

export function listContractsHandler(contracts: Contracts): Handler {
  return handle(listContracts, async ({ customer, request: { status, code, side, page } }) =>
    accept(await contracts.list(customer.id, { status, coin: code ?? null, side: side ?? null, page: page ?? null })),
  );
}
