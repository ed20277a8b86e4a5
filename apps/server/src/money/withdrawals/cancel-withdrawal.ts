import { cancelWithdrawal } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { CANCEL_KIND } from './withdrawal-kinds.ts';
import { readOwnWithdrawal } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

export function cancelWithdrawalHandler(module: WithdrawalsModule): Handler {
  const { database, ledger, approvals } = module;
  return handle(cancelWithdrawal, async ({ customer: { id: customer }, request: { id }, intent, now }) => {
    const before = await readOwnWithdrawal(database, id, customer);
    if (!before) return refuse('withdrawal_unknown', { field: 'id' });
    const decision = await ledger.post(CANCEL_KIND, { id, customer, at: now }, intent);
    if (!decision.ok) return decision;
    const { approval } = before;
    // Nobody needs to vote any more. An operator who still votes finds the withdrawal returned.
    if (approval !== null)
      await database.transaction((transaction) => approvals.close(transaction, approval, 'withdrawn', null));
    await module.changed([id]);
    const row = await readOwnWithdrawal(database, id, customer);
    const [record] = row ? await module.viewsOf([row]) : [];
    return record ? accept(record) : refuse('withdrawal_unknown', { field: 'id' });
  });
}
