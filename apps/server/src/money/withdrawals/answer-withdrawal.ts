import { answerWithdrawal } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readOwnWithdrawal, storeAnswer } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

export function answerWithdrawalHandler(module: WithdrawalsModule): Handler {
  const { database } = module;
  return handle(answerWithdrawal, async ({ customer: { id: customer }, request: { id, text } }) => {
    const before = await readOwnWithdrawal(database, id, customer);
    if (!before) return refuse('withdrawal_unknown', { field: 'id' });
    // The operator may send the same answer again after a lost connection.
    if (before.answer !== text && !(await storeAnswer(database, id, customer, text))) return refuse('nothing_asked');
    await module.changed([id]);
    const row = await readOwnWithdrawal(database, id, customer);
    const [record] = row ? await module.viewsOf([row]) : [];
    return record ? accept(record) : refuse('withdrawal_unknown', { field: 'id' });
  });
}
