import { readDepositCase } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { allowOnAnyClock, type Handler, handle } from '../../platform/edge/index.ts';
import { viewDepositCase } from './deposit-case.ts';
import { findDeposit } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';

export function readDepositCaseHandler(module: DepositsModule): Handler[] {
  return allowOnAnyClock(
    handle(readDepositCase, async ({ request: { id }, operator }) => {
      const row = await findDeposit(module.database, id);
      return row ? accept(await viewDepositCase(module, row, operator)) : refuse('deposit_unknown', { field: 'id' });
    }),
  );
}
