import { askCustomer } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { faultOfStaffText } from '../../staff/staff-text.ts';
import { viewWithdrawalCase } from './withdrawal-case.ts';
import { findWithdrawal, lockWithdrawal, STEPS_IN_REVIEW, storeQuestion } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

export function askCustomerHandler(module: WithdrawalsModule): Handler {
  const { database, audit, changed } = module;
  return handle(askCustomer, async ({ request: { id, version, question }, operator, now }) => {
    const before = await findWithdrawal(database, id);
    if (!before) return refuse('withdrawal_unknown', { field: 'id' });
    const fault = faultOfStaffText(question);
    if (fault) return refuse(fault, { field: 'question' });
    const refused = await database.transaction(async (transaction) => {
      const row = await lockWithdrawal(transaction, before.id);
      if (!row || !STEPS_IN_REVIEW.includes(row.step)) return 'withdrawal_decided' as const;
      if (row.version !== version) return 'version_stale' as const;
      await storeQuestion(transaction, row.id, question, now);
      await audit.append(transaction, {
        operator,
        what: 'withdrawal.asked',
        on: { kind: 'withdrawal', id: row.id },
        customer: row.customer_id,
        note: question,
      });
      return null;
    });
    if (refused !== null) return refuse(refused);
    await changed([before.id]);
    const row = await findWithdrawal(database, id);
    return row ? accept(await viewWithdrawalCase(module, row, operator)) : refuse('withdrawal_unknown');
  });
}
