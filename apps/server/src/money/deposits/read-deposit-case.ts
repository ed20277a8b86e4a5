import { readDepositCase } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle, onAnyClock } from '../../platform/edge/index.ts';
import { caseOf } from './deposit-case.ts';
import type { DepositRoom } from './deposit-room.ts';
import { findDeposit } from './deposit-store.ts';

export function readDepositCaseHandler(room: DepositRoom): Handler[] {
  return onAnyClock(
    handle(readDepositCase, async ({ request: { id }, operator }) => {
      const row = await findDeposit(room.database, id);
      return row ? accept(await caseOf(room, row, operator)) : refuse('deposit_unknown', { field: 'id' });
    }),
  );
}
