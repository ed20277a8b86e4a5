import { giveBackPayout } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { approvalContentOf } from './advance-withdrawal.ts';
import { findOpenApproval, viewWithdrawalCase } from './withdrawal-case.ts';
import { findWithdrawal, isInRun, lockWithdrawal } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

/**
 * One person proposes to return an approved payout to its owner. Once another person agrees, the money is returned. If
 * the signer signs it first, the proposal has no effect.
 */
export function giveBackPayoutHandler(module: WithdrawalsModule): Handler {
  const { database, approvals, audit } = module;
  return handle(giveBackPayout, async ({ request: { id, version, note }, operator }) => {
    if (!(await findWithdrawal(database, id))) return refuse('withdrawal_unknown', { field: 'id' });
    const refused = await database.transaction(async (transaction) => {
      const row = await lockWithdrawal(transaction, id);
      if (row?.kind !== 'crypto' || row.step !== 'approved' || row.receiver !== null)
        return 'withdrawal_decided' as const;
      if (row.version !== version) return 'version_stale' as const;
      if (await isInRun(transaction, id)) return 'withdrawal_in_run' as const;
      // If a release waits for people, rejecting it already returns the money.
      if (await findOpenApproval(module, id, transaction)) return 'withdrawal_decided' as const;
      const proposed = await approvals.propose(transaction, operator, {
        kind: 'payout_return',
        subject: id,
        fingerprintOf: { ...approvalContentOf(row), back: true },
        roles: ['finance', 'compliance'],
        about: [row.customer_id],
      });
      if (!proposed.ok) return proposed;
      await audit.append(transaction, {
        operator,
        what: 'payout_return.asked',
        on: { kind: 'withdrawal', id },
        customer: row.customer_id,
        after: approvalContentOf(row),
        ...(note !== undefined && { note }),
      });
      return null;
    });
    if (refused !== null) return typeof refused === 'string' ? refuse(refused) : refused;
    const row = await findWithdrawal(database, id);
    return row ? accept(await viewWithdrawalCase(module, row, operator)) : refuse('withdrawal_unknown');
  });
}
