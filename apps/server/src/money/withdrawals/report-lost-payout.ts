import { reportLostPayout } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { approvalContentOf } from './advance-withdrawal.ts';
import { viewWithdrawalCase } from './withdrawal-case.ts';
import { findWithdrawal, isInRun, lockWithdrawal } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

/**
 * One person states that no block will ever include a payout. If another agrees, the signer uses up its nonce with an
 * empty transaction. When that is final, the customer gets the money back; if the payout comes first, it counts as
 * paid.
 */
export function reportLostPayoutHandler(module: WithdrawalsModule): Handler {
  const { database, approvals, audit, findWaiting } = module;
  return handle(reportLostPayout, async ({ request: { id, version, note }, operator }) => {
    if (!(await findWithdrawal(database, id))) return refuse('withdrawal_unknown', { field: 'id' });
    const refused = await database.transaction(async (transaction) => {
      const row = await lockWithdrawal(transaction, id);
      if (row?.kind !== 'crypto' || row.step !== 'sent_unknown') return 'withdrawal_decided' as const;
      if (row.version !== version) return 'version_stale' as const;
      // A run is sent as a whole, by whoever has its signatures.
      if (await isInRun(transaction, id)) return 'withdrawal_in_run' as const;
      if (await findWaiting(transaction, 'withdrawal_lost', id)) return 'withdrawal_decided' as const;
      const proposed = await approvals.propose(transaction, operator, {
        kind: 'withdrawal_lost',
        subject: id,
        fingerprintOf: { ...approvalContentOf(row), lost: row.hash },
        roles: ['finance', 'compliance'],
        about: [row.customer_id],
      });
      if (!proposed.ok) return proposed;
      await audit.append(transaction, {
        operator,
        what: 'withdrawal_lost.reported',
        on: { kind: 'withdrawal', id },
        customer: row.customer_id,
        after: { hash: row.hash },
        ...(note !== undefined && { note }),
      });
      return null;
    });
    if (refused !== null) return typeof refused === 'string' ? refuse(refused) : refused;
    const row = await findWithdrawal(database, id);
    return row ? accept(await viewWithdrawalCase(module, row, operator)) : refuse('withdrawal_unknown');
  });
}
