import { formatMoney, type Money } from '@sathorn/money';
import type { Messages } from '../../people/messages/index.ts';
import { netAmountOf, type WithdrawalRow } from './withdrawal-store.ts';

/** Sends the notice about a completed or returned withdrawal, at most once; none if its owner cancelled it. */
export async function notifyWithdrawer(messages: Pick<Messages, 'send'>, row: WithdrawalRow, now: Date): Promise<void> {
  const { id, customer_id: owner, receiver, step, reason, order_number: order, amount } = row;
  const text = (one: Money<'USDT'>): string => `${formatMoney(one)} USDT`;
  const of = `withdrawal ${id} ${step}`;
  if (step === 'done') {
    await messages.send(owner, 'withdrawal_done', { order, amount: text(netAmountOf(row)) }, now, of);
    if (receiver !== null)
      await messages.send(receiver, 'deposit_credited', { order, amount: text(netAmountOf(row)) }, now, of);
  } else if (step === 'returned' && reason !== 'cancelled')
    await messages.send(owner, 'withdrawal_returned', { order, amount: text(amount) }, now, of);
}
