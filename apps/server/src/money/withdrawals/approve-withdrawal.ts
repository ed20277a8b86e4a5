import { approveWithdrawal } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Intent } from '../../ledger/index.ts';
import { type Handler, handle, type OperatorSession } from '../../platform/edge/index.ts';
import { type DecideCommand, type DecideRefusal, decideKind } from './decide-withdrawal.ts';
import { progress } from './progress.ts';
import { caseOf, closeUnsigned, waitingFor } from './withdrawal-case.ts';
import { findWithdrawal, type WithdrawalReason } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

export interface Decided {
  readonly id: string;
  readonly version: number;
  readonly fingerprint: string;
  readonly note?: string | undefined;
}
export type Decider = (
  decided: Decided,
  rest: {
    readonly decision: 'approve' | 'reject';
    readonly reason: WithdrawalReason | null;
    readonly operator: OperatorSession;
    readonly intent: Intent;
    readonly now: Date;
  },
) => Promise<Decision<Awaited<ReturnType<typeof caseOf>>, DecideRefusal>>;

/** Shared by approving and rejecting. */
export function openDecider(module: WithdrawalsModule): Decider {
  const kind = decideKind(module);
  return async ({ id, version, fingerprint, note }, { decision, reason, operator, intent, now }) => {
    const { database, ledger, changed } = module;
    const row = await findWithdrawal(database, id);
    if (!row) return refuse('withdrawal_unknown', { field: 'id' });
    const found = await waitingFor(module, row.id);
    const said = found && (JSON.parse(found.row.content) as { reference?: string; reason?: WithdrawalReason });
    const command: DecideCommand = {
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
    if (!posted.ok) return posted as Decision<never, DecideRefusal>;
    await progress(module, row.id, now);
    if (row.step === 'approved' && (await findWithdrawal(database, row.id))?.step === 'returned')
      await closeUnsigned(module, row.id);
    await changed([row.id]);
    const after = await findWithdrawal(database, id);
    return after ? accept(await caseOf(module, after, operator)) : refuse('withdrawal_unknown');
  };
}

export function approveWithdrawalHandler(decide: Decider): Handler {
  return handle(approveWithdrawal, async ({ request, operator, intent, now }) =>
    decide(request, { decision: 'approve', reason: null, operator, intent, now }),
  );
}
