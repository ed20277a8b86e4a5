import { readWithdrawalCase } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle, onAnyClock } from '../../platform/edge/index.ts';
import { caseOf } from './withdrawal-case.ts';
import type { WithdrawalRoom } from './withdrawal-room.ts';
import { findWithdrawal } from './withdrawal-store.ts';

export function readWithdrawalCaseHandler(room: WithdrawalRoom): Handler[] {
  return onAnyClock(
    handle(readWithdrawalCase, async ({ request: { id }, operator }) => {
      const row = await findWithdrawal(room.database, id);
      return row ? accept(await caseOf(room, row, operator)) : refuse('withdrawal_unknown', { field: 'id' });
    }),
  );
}
