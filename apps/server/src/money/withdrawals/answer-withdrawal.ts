import { answerWithdrawal } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { WithdrawalRoom } from './withdrawal-room.ts';
import { keepAnswer, readOwnWithdrawal } from './withdrawal-store.ts';

export function answerWithdrawalHandler(room: WithdrawalRoom): Handler {
  const { database } = room;
  return handle(answerWithdrawal, async ({ customer: { id: customer }, request: { id, text } }) => {
    const before = await readOwnWithdrawal(database, id, customer);
    if (!before) return refuse('withdrawal_unknown', { field: 'id' });
    // The same answer may be sent again after a lost connection.
    if (before.answer !== text && !(await keepAnswer(database, id, customer, text))) return refuse('nothing_asked');
    await room.changed([id]);
    const row = await readOwnWithdrawal(database, id, customer);
    const [record] = row ? await room.viewsOf([row]) : [];
    return record ? accept(record) : refuse('withdrawal_unknown', { field: 'id' });
  });
}
