import { reconcileWithdrawal } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { RpcFault } from '../chain/index.ts';
import { trackPayouts } from './track-payouts.ts';
import { viewWithdrawalCase } from './withdrawal-case.ts';
import { findWithdrawal } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

export function reconcileWithdrawalHandler(module: WithdrawalsModule): Handler {
  const { database, chain, audit } = module;
  return handle(reconcileWithdrawal, async ({ request: { id, version }, operator, now }) => {
    const before = await findWithdrawal(database, id);
    if (!before) return refuse('withdrawal_unknown', { field: 'id' });
    if (!['sending', 'sent_unknown'].includes(before.step) || before.kind !== 'crypto' || !chain)
      return refuse('withdrawal_decided');
    if (before.version !== version) return refuse('version_stale');
    try {
      await trackPayouts(module, chain, now);
    } catch (error) {
      if (error instanceof RpcFault) return refuse('chain_unavailable');
      throw error;
    }
    const row = await findWithdrawal(database, id);
    if (!row) return refuse('withdrawal_unknown');
    await database.transaction((transaction) =>
      audit.append(transaction, {
        operator,
        what: 'withdrawal.reconciled',
        on: { kind: 'withdrawal', id: row.id },
        customer: row.customer_id,
        before: { step: before.step },
        after: { step: row.step },
      }),
    );
    return row.step === 'sending' || row.step === 'sent_unknown'
      ? refuse('chain_disagrees')
      : accept(await viewWithdrawalCase(module, row, operator));
  });
}
