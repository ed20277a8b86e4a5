import { reportBankPayment } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle, type OperatorSession } from '../../platform/edge/index.ts';
import { approvedText } from './progress.ts';
import { caseOf } from './withdrawal-case.ts';
import { findWithdrawal, isReferenceUsed, lockWithdrawal, type WithdrawalReason } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

/** One operator reports the bank's result. Nothing moves until another operator confirms it. */
export async function reportOfBank(
  { database, approvals, audit, findWaiting }: WithdrawalsModule,
  operator: OperatorSession,
  { id, version }: { readonly id: string; readonly version: number },
  said: { readonly reference: string } | { readonly reason: WithdrawalReason },
): Promise<'withdrawal_decided' | 'version_stale' | null> {
  const kind = 'reference' in said ? 'withdrawal_paid' : 'withdrawal_failed';
  return database.transaction(async (transaction) => {
    const row = await lockWithdrawal(transaction, id);
    if (row?.kind !== 'bank' || (row.step !== 'sending' && row.step !== 'sent_unknown')) return 'withdrawal_decided';
    if (row.version !== version) return 'version_stale';
    for (const other of ['withdrawal_paid', 'withdrawal_failed'])
      if (await findWaiting(transaction, other, id)) return 'withdrawal_decided';
    await approvals.open(transaction, {
      kind,
      subject: id,
      fingerprintOf: { ...approvedText(row), ...said },
      need: 1,
      madeBy: operator.id,
      roles: ['finance', 'compliance'],
      about: [row.customer_id],
    });
    await audit.append(transaction, {
      operator,
      what: `${kind}.reported`,
      on: { kind: 'withdrawal', id },
      customer: row.customer_id,
      after: said,
    });
    return null;
  });
}

export function reportBankPaymentHandler(module: WithdrawalsModule): Handler {
  const { database } = module;
  return handle(reportBankPayment, async ({ request, operator }) => {
    const before = await findWithdrawal(database, request.id);
    if (!before) return refuse('withdrawal_unknown', { field: 'id' });
    const reference = request.reference.trim();
    if (await isReferenceUsed(database, reference)) return refuse('reference_used', { field: 'reference' });
    const refused = await reportOfBank(module, operator, request, { reference });
    if (refused !== null) return refuse(refused);
    const row = await findWithdrawal(database, request.id);
    return row ? accept(await caseOf(module, row, operator)) : refuse('withdrawal_unknown');
  });
}
