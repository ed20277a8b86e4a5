import { reportBankPayment } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle, type OperatorSession } from '../../platform/edge/index.ts';
import type { ProposalRefusal } from '../../staff/operators/index.ts';
import { approvalContentOf } from './advance-withdrawal.ts';
import { viewWithdrawalCase } from './withdrawal-case.ts';
import { findWithdrawal, isReferenceUsed, lockWithdrawal, type WithdrawalReason } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

/** One operator reports the bank's result. Nothing moves until another operator confirms it. */
export async function reportBankResult(
  { database, approvals, audit, findWaiting }: WithdrawalsModule,
  operator: OperatorSession,
  { id, version }: { readonly id: string; readonly version: number },
  said: { readonly reference: string } | { readonly reason: WithdrawalReason },
): Promise<Decision<null, 'withdrawal_decided' | 'version_stale' | ProposalRefusal>> {
  const kind = 'reference' in said ? 'withdrawal_paid' : 'withdrawal_failed';
  return database.transaction(async (transaction) => {
    const row = await lockWithdrawal(transaction, id);
    if (row?.kind !== 'bank' || (row.step !== 'sending' && row.step !== 'sent_unknown'))
      return refuse('withdrawal_decided');
    if (row.version !== version) return refuse('version_stale');
    for (const other of ['withdrawal_paid', 'withdrawal_failed'])
      if (await findWaiting(transaction, other, id)) return refuse('withdrawal_decided');
    const proposed = await approvals.propose(transaction, operator, {
      kind,
      subject: id,
      fingerprintOf: { ...approvalContentOf(row), ...said },
      roles: ['finance', 'compliance'],
      about: [row.customer_id],
    });
    if (!proposed.ok) return proposed;
    await audit.append(transaction, {
      operator,
      what: `${kind}.reported`,
      on: { kind: 'withdrawal', id },
      customer: row.customer_id,
      after: said,
    });
    return accept(null);
  });
}

export function reportBankPaymentHandler(module: WithdrawalsModule): Handler {
  const { database } = module;
  return handle(reportBankPayment, async ({ request, operator }) => {
    const before = await findWithdrawal(database, request.id);
    if (!before) return refuse('withdrawal_unknown', { field: 'id' });
    const reference = request.reference.trim();
    if (await isReferenceUsed(database, reference)) return refuse('reference_used', { field: 'reference' });
    const reported = await reportBankResult(module, operator, request, { reference });
    if (!reported.ok) return reported;
    const row = await findWithdrawal(database, request.id);
    return row ? accept(await viewWithdrawalCase(module, row, operator)) : refuse('withdrawal_unknown');
  });
}
