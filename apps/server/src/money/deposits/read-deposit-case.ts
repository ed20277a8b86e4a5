import { readDepositCase } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle, onAnyClock } from '../../platform/edge/index.ts';
import { caseOf } from './deposit-case.ts';
import { findDeposit } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';

export function readDepositCaseHandler(module: DepositsModule): Handler[] {
  return onAnyClock(
    handle(readDepositCase, async ({ request: { id }, operator }) => {
      const row = await findDeposit(module.database, id);
      return row ? accept(await caseOf(module, row, operator)) : refuse('deposit_unknown', { field: 'id' });
    }),
  );
}
