import { readWithdrawalCase } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { allowOnAnyClock, type Handler, handle } from '../../platform/edge/index.ts';
import { viewWithdrawalCase } from './withdrawal-case.ts';
import { findWithdrawal } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

export function readWithdrawalCaseHandler(module: WithdrawalsModule): Handler[] {
  return allowOnAnyClock(
    handle(readWithdrawalCase, async ({ request: { id }, operator }) => {
      const row = await findWithdrawal(module.database, id);
      return row
        ? accept(await viewWithdrawalCase(module, row, operator))
        : refuse('withdrawal_unknown', { field: 'id' });
    }),
  );
}
