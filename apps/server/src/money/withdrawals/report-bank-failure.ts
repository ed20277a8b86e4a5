import { reportBankFailure } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { reportBankResult } from './report-bank-payment.ts';
import { viewWithdrawalCase } from './withdrawal-case.ts';
import { findWithdrawal } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

export function reportBankFailureHandler(module: WithdrawalsModule): Handler {
  const { database } = module;
  return handle(reportBankFailure, async ({ request, operator }) => {
    if (!(await findWithdrawal(database, request.id))) return refuse('withdrawal_unknown', { field: 'id' });
    const reported = await reportBankResult(module, operator, request, { reason: request.reason });
    if (!reported.ok) return reported;
    const row = await findWithdrawal(database, request.id);
    return row ? accept(await viewWithdrawalCase(module, row, operator)) : refuse('withdrawal_unknown');
  });
}
