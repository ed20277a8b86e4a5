import { approveWithdrawal } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Intent } from '../../ledger/index.ts';
import { type Handler, handle, type OperatorSession } from '../../platform/edge/index.ts';
import { advanceWithdrawal } from './advance-withdrawal.ts';
import {
  type WithdrawalDecisionCommand,
  type WithdrawalDecisionRefusal,
  withdrawalDecisionKind,
} from './decide-withdrawal.ts';
import { closeUnsignedApproval, findOpenApproval, viewWithdrawalCase } from './withdrawal-case.ts';
import { findWithdrawal, type WithdrawalReason } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

export interface WithdrawalToDecide {
  readonly id: string;
  readonly version: number;
  readonly fingerprint: string;
  readonly note?: string | undefined;
}
export type DecideWithdrawal = (
  decided: WithdrawalToDecide,
  rest: {
    readonly decision: 'approve' | 'reject';
    readonly reason: WithdrawalReason | null;
    readonly operator: OperatorSession;
    readonly intent: Intent;
    readonly now: Date;
  },
) => Promise<Decision<Awaited<ReturnType<typeof viewWithdrawalCase>>, WithdrawalDecisionRefusal>>;

/** Shared by approving and rejecting. */
export function openWithdrawalDecider(module: WithdrawalsModule): DecideWithdrawal {
  const kind = withdrawalDecisionKind(module);
  return async ({ id, version, fingerprint, note }, { decision, reason, operator, intent, now }) => {
    const { database, ledger, changed } = module;
    const row = await findWithdrawal(database, id);
    if (!row) return refuse('withdrawal_unknown', { field: 'id' });
    const found = await findOpenApproval(module, row.id);
    const said = found && (JSON.parse(found.row.content) as { reference?: string; reason?: WithdrawalReason });
    const command: WithdrawalDecisionCommand = {
      id: row.id,
      at: now,
      version,
      operator,
      decision,
      reason,
      note,
      waiting: found && {
        approval: found.row.id,
        what: found.what,
        // The fingerprint that the operator saw; the database compares it with that of the open approval.
        fingerprint,
        reference: said?.reference ?? null,
        reason: said?.reason ?? (found.what === 'payout_return' ? 'not_payable' : null),
      },
    };
    const posted = await ledger.post(kind, command, intent);
    if (!posted.ok) return posted as Decision<never, WithdrawalDecisionRefusal>;
    await advanceWithdrawal(module, row.id, now);
    if (row.step === 'approved' && (await findWithdrawal(database, row.id))?.step === 'returned')
      await closeUnsignedApproval(module, row.id);
    await changed([row.id]);
    const after = await findWithdrawal(database, id);
    return after ? accept(await viewWithdrawalCase(module, after, operator)) : refuse('withdrawal_unknown');
  };
}

export function approveWithdrawalHandler(decide: DecideWithdrawal): Handler {
  return handle(approveWithdrawal, async ({ request, operator, intent, now }) =>
    decide(request, { decision: 'approve', reason: null, operator, intent, now }),
  );
}
