import { readWithdrawalCase } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle, onAnyClock } from '../../platform/edge/index.ts';
import { caseOf } from './withdrawal-case.ts';
import { findWithdrawal } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

export function readWithdrawalCaseHandler(module: WithdrawalsModule): Handler[] {
  return onAnyClock(
    handle(readWithdrawalCase, async ({ request: { id }, operator }) => {
      const row = await findWithdrawal(module.database, id);
      return row ? accept(await caseOf(module, row, operator)) : refuse('withdrawal_unknown', { field: 'id' });
    }),
  );
}
