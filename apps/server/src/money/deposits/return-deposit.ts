import { returnDeposit } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { MATCH_APPROVAL_KIND, viewDepositCase } from './deposit-case.ts';
import { findDeposit, returnBankDeposit } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';

export function returnDepositHandler(module: DepositsModule): Handler {
  const { database, audit, approvals, findWaiting, changed } = module;
  return handle(returnDeposit, async ({ request: { id, version, reason, note }, operator, now }) => {
    const before = await findDeposit(database, id);
    if (!before || before.kind === 'crypto') return refuse('deposit_unknown', { field: 'id' });
    if (before.step !== 'awaiting_slip' && before.step !== 'in_review') return refuse('deposit_finished');
    const isDone = await database.transaction(async (transaction) => {
      if (!(await returnBankDeposit(transaction, { id, version }, reason, now))) return false;
      const waiting = await findWaiting(transaction, MATCH_APPROVAL_KIND, id);
      if (waiting) await approvals.close(transaction, waiting.id, 'stale');
      await audit.append(transaction, {
        operator,
        what: 'deposit.returned',
        on: { kind: 'deposit', id },
        customer: before.customer_id,
        before: { step: before.step },
        after: { step: 'returned' },
        reason,
        ...(note !== undefined && { note }),
      });
      return true;
    });
    if (!isDone) return refuse('version_stale');
    await changed([id]);
    const row = await findDeposit(database, id);
    return row ? accept(await viewDepositCase(module, row, operator)) : refuse('deposit_unknown');
  });
}
