import { reportBankFailure } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { reportOfBank } from './report-bank-payment.ts';
import { caseOf } from './withdrawal-case.ts';
import type { WithdrawalRoom } from './withdrawal-room.ts';
import { findWithdrawal } from './withdrawal-store.ts';

export function reportBankFailureHandler(room: WithdrawalRoom): Handler {
  const { database } = room;
  return handle(reportBankFailure, async ({ request, operator }) => {
    if (!(await findWithdrawal(database, request.id))) return refuse('withdrawal_unknown', { field: 'id' });
    const refused = await reportOfBank(room, operator, request, { reason: request.reason });
    if (refused !== null) return refuse(refused);
    const row = await findWithdrawal(database, request.id);
    return row ? accept(await caseOf(room, row, operator)) : refuse('withdrawal_unknown');
  });
}
